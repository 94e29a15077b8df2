/* @mark@.
   Compares steps and outputs of @name@.c with those that Chorda computed. Ends with 0 if all agree,
   relative to 1 + the largest number of their kind: states to TOLERANCE; outputs, such as a stiffness
   times a small difference of lengths, to OUTPUTS. */

#include <math.h>
#include <stdio.h>

#include "@name@.h"

#define STEPS @steps@
#define TOLERANCE @step_error@
#define VELOCITIES @velocity_error@
#define OUTPUTS @output_error@

static @name@_work work;
static const double X[STEPS + 1][@NAME@_NX] = {
@states@
};
static const double U[STEPS + 1][@NAME@_NU + 1] = {
@inputs@
};
static const double Y[STEPS + 1][@NAME@_NY + 1] = {
@outputs@
};

/* Largest difference of two columns of n numbers, relative to 1 + the largest of them. */
static double apart(const double *a, const double *b, int n) {
  double most = 0, size = 1;
  int i;
  for (i = 0; i < n; ++i) {
    double difference = fabs(a[i] - b[i]);
    if (!(difference <= most)) most = difference; /* a NaN shows */
    if (fabs(b[i]) + 1 > size) size = fabs(b[i]) + 1;
  }
  return most / size;
}

int main(void) {
  const double *p = @name@_default_parameters;
  const int nq = @NAME@_NQ, nv = @NAME@_NV;
  double x[@NAME@_NX], y[@NAME@_NY + 1], most[4] = {0, 0, 0, 0};
  const char *const what[4] = {"start", "coordinates", "velocities", "outputs"};
  int i, k, failed = 0;

  @name@_start(&work, X[0], X[0] + nq, U[0], p, @NAME@_STEP, x);
  most[0] = apart(x, X[0], @NAME@_NX);
  for (k = 0; k <= STEPS; ++k) {
    double found[3] = {0, 0, 0};
    if (@name@_outputs(&work, X[k], U[k], p, y)) failed = 1;
    found[2] = apart(y, Y[k], @NAME@_NY);
    if (k < STEPS) {
      int status = @name@_step_between(&work, X[k], U[k], U[k + 1], p, @NAME@_STEP, x);
      if (status) {
        printf("step %d: %s\n", k + 1, @name@_status(status));
        failed = 1;
      }
      found[0] = apart(x, X[k + 1], nq);
      found[1] = apart(x + nq, X[k + 1] + nq, nv);
    }
    for (i = 0; i < 3; ++i)
      if (!(found[i] <= most[i + 1])) most[i + 1] = found[i];
  }
  for (i = 0; i < 4; ++i) {
    int good = most[i] <= (i == 3 ? OUTPUTS : i == 2 ? VELOCITIES : TOLERANCE);
    printf("%-12s differ by %.3g at the most: %s\n", what[i], most[i], good ? "good" : "WRONG");
    if (!good) failed = 1;
  }
  return failed;
}
