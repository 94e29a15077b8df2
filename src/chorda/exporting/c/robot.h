/* @mark@.
   @about@

   x is the state: coordinates, velocities, and @memory@ numbers that the scheme remembers.
   u are inputs, p parameters, y outputs; SI units. */

#ifndef CHORDA_@NAME@_H
#define CHORDA_@NAME@_H

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_NQ @nq@
#define @NAME@_NV @nv@
#define @NAME@_NX @nx@
#define @NAME@_NU @nu@
#define @NAME@_NP @np@
#define @NAME@_NY @ny@
#define @NAME@_STEP @exact_step@ /* s */

@enumerations@
/* Everything that a step needs beside its arguments: one for each thread and each motion. info:
   0 status, 1 Newton iterations or internal steps, 2 rejected steps, 3 size of the internal step,
   4 largest change that Newton's method left, 5 matrices made. */
typedef struct {
  double info[8], kept[@kept@], forces[@forces@], w[@work@];
  long long iw[@integers@];
} @name@_work;

extern const double @name@_default_position[@positions@];
extern const double @name@_default_velocity[@velocities@];
extern const double @name@_default_inputs[@inputs_size@];
extern const double @name@_default_parameters[@parameters_size@];
extern const char *const @name@_state_names[@states_size@];
extern const char *const @name@_input_names[@inputs_size@];
extern const char *const @name@_parameter_names[@parameters_size@];
extern const char *const @name@_output_names[@outputs_size@];

/* Forgets earlier steps; @name@_start does it too. */
void @name@_reset(@name@_work *work);

/* x before the first step of length h, from coordinates and velocities. */
void @name@_start(@name@_work *work, const double *q, const double *v, const double *u,
    const double *p, double h, double *x);

/* x after h seconds under inputs that are held. x_next may be x. Returns 0, or why x_next is of no
   use: see @name@_status. */
int @name@_step(@name@_work *work, const double *x, const double *u, const double *p, double h,
    double *x_next);

/* The same under inputs that run linearly from the step's start to its end. */
int @name@_step_between(@name@_work *work, const double *x, const double *u_start,
    const double *u_end, const double *p, double h, double *x_next);

/* Tensions, lengths and so on at a state; 1 if accelerations cannot be found. */
int @name@_outputs(@name@_work *work, const double *x, const double *u, const double *p, double *y);

/* What a step's return value says. */
const char *@name@_status(int status);

#ifdef __cplusplus
}
#endif

#endif
