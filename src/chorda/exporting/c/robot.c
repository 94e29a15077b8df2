/* @mark@.
   @about@ The layout is in @name@.h. */

#include <math.h>
#include <string.h>

#include "@name@.h"

@text@
/* One step by the loop above. */

static const double LOW[NX] = {@low@};
static const double HIGH[NX] = {@high@};

void @name@_reset(@name@_work *work) { memset(work, 0, sizeof *work); }

void @name@_start(@name@_work *work, const double *q, const double *v, const double *u,
                  const double *p, double h, double *x) {
  const double *arg[NARG];
  double *res[NARG];
  @name@_reset(work);
  arg[0] = q; arg[1] = v; arg[2] = u; arg[3] = p; arg[4] = &h;
  res[0] = x;
  chorda_start(arg, res, work->iw, work->w, 0);
}

int @name@_step_between(@name@_work *work, const double *x, const double *u_start,
                        const double *u_end, const double *p, double h, double *x_next) {
  double now[NX], used[NU + 1], signal[2 * NU + 1];
  int i;
  memcpy(now, x, sizeof now);
  for (i = 0; i < NU; ++i) {
    signal[i] = u_start[i];
    signal[NU + i] = u_end[i];
  }
  chorda_run(1, 0.0, h, now, signal, NU, p, LOW, HIGH, x_next, used, @tolerance@, @iterations@,
             work->info, work->kept, work->iw, work->w);
  return (int)work->info[0];
}

int @name@_step(@name@_work *work, const double *x, const double *u, const double *p, double h,
                double *x_next) {
  return @name@_step_between(work, x, u, u, p, h, x_next);
}

/* What can be seen of a state. NEEDS_FORCES: some outputs follow from accelerations and from the
   forces that keep loops shut; ND = velocities and those forces. */

#if NEEDS_FORCES
/* b becomes A^-1 b, A column by column; 0 if A is singular. */
static int eliminate(double *A, double *b) {
  int i, j, k;
  for (k = 0; k < ND; ++k) {
    int row = k;
    double factor;
    for (i = k + 1; i < ND; ++i)
      if (fabs(A[i + ND * k]) > fabs(A[row + ND * k])) row = i;
    if (!(fabs(A[row + ND * k]) > 0)) return 0;
    for (j = 0; row != k && j < ND; ++j) {
      double upper = A[k + ND * j];
      A[k + ND * j] = A[row + ND * j];
      A[row + ND * j] = upper;
    }
    factor = b[k]; b[k] = b[row]; b[row] = factor;
    for (i = k + 1; i < ND; ++i) {
      factor = A[i + ND * k] / A[k + ND * k];
      for (j = k + 1; j < ND; ++j) A[i + ND * j] -= factor * A[k + ND * j];
      b[i] -= factor * b[k];
    }
  }
  for (k = ND - 1; k >= 0; --k) {
    b[k] /= A[k + ND * k];
    for (i = 0; i < k; ++i) b[i] -= A[i + ND * k] * b[k];
  }
  return 1;
}
#endif

int @name@_outputs(@name@_work *work, const double *x, const double *u, const double *p,
                   double *y) {
  const double *arg[NARG];
  double *res[NARG];
#if NEEDS_FORCES
  double *A = work->forces, *b = A + ND * ND;
  arg[0] = x; arg[1] = x + NQ; arg[2] = u; arg[3] = p;
  res[0] = A; res[1] = b;
  chorda_forces(arg, res, work->iw, work->w, 0);
  if (!eliminate(A, b)) return 1;
  arg[4] = b;
#else
  arg[4] = 0;
#endif
  arg[0] = x; arg[1] = x + NQ; arg[2] = u; arg[3] = p;
  res[0] = y;
  chorda_outputs(arg, res, work->iw, work->w, 0);
  return 0;
}

@tables@
const char *@name@_status(int status) {
  switch (status) {
    case 0: return "done";
    case 1: return "the state left its bounds or is not finite";
    case 2: return "Newton's method did not converge";
    case 3: return "the internal step became too small";
    default: return "unknown";
  }
}
