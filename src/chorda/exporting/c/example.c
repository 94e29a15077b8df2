/* @mark@.
   A second of the motion of @commented_robot@: the state and the outputs over time as CSV on stdout, the time of
   a step on stderr. */

#include <stdio.h>
#include <time.h>

#include "@name@.h"

#define SECONDS 1.0

static @name@_work work;

static void row(double t, const double *x, const double *y) {
  int i;
  printf("%.6g", t);
  for (i = 0; i < @NAME@_NQ + @NAME@_NV; ++i) printf(",%.10g", x[i]);
  for (i = 0; i < @NAME@_NY; ++i) printf(",%.10g", y[i]);
  printf("\n");
}

int main(void) {
  const double *u = @name@_default_inputs, *p = @name@_default_parameters;
  const double h = @NAME@_STEP;
  double x[@NAME@_NX], y[@NAME@_NY + 1];
  const long steps = (long)(SECONDS / h + 0.5);
  long k;
  int i, status = 0;
  clock_t spent = 0;

  printf("time");
  for (i = 0; i < @NAME@_NQ + @NAME@_NV; ++i) printf(",%s", @name@_state_names[i]);
  for (i = 0; i < @NAME@_NY; ++i) printf(",%s", @name@_output_names[i]);
  printf("\n");

  @name@_start(&work, @name@_default_position, @name@_default_velocity, u, p, h, x);
  for (k = 0; k <= steps; ++k) {
    clock_t begin;
    if (@name@_outputs(&work, x, u, p, y)) status = 1;
    row((double)k * h, x, y);
    if (k == steps || status) break;
    begin = clock();
    status = @name@_step(&work, x, u, p, h, x);
    spent += clock() - begin;
  }
  if (status) fprintf(stderr, "stopped after %ld steps: %s\n", k, @name@_status(status));
  if (k > 0)
    fprintf(stderr, "%.3g microseconds a step\n", 1e6 * (double)spent / CLOCKS_PER_SEC / (double)k);
  return status;
}
