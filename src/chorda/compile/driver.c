/* The time loop around the generated step. Included after the generated functions and newton.c, with

   NX, NU, NW, NZ   lengths of state, input, signal and Newton unknowns
   NEWTON, ADAPTIVE, CONTROL   which functions there are (0 or 1)
   REUSES           whether Newton's method keeps its matrix (0 or 1)
   ORDER            order of the method, for step size control
   NARG             room for argument and result pointers

   One call advances n output intervals of length h from x, stores the state after each in X and
   the input used in each in U, and returns how many were completed. info: 0 how it
   ended (Exit of job.py; OUT_OF_BOUNDS also where the state is not finite), 1 iterations or internal
   steps, 2 rejected steps, 3 step size to go on with, 4 largest Newton change left,
   5 matrices made. kept: what Newton's method keeps from call to call, zeros at first. */

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int inside(const double *x, const double *low, const double *high) {
  int i;
  for (i = 0; i < NX; ++i)
    if (!(x[i] >= low[i] && x[i] <= high[i])) return 0; /* a NaN is outside */
  return 1;
}

#if REUSES
#define SLOW_RATE 0.3 /* corrections shrink less than by this factor: the matrix is too old */
#define ROUNDING 1e4 /* times the tolerance: where corrections may end in rounding */
#define LAST_ATTEMPT 4 /* times as many corrections in the last attempt, */
#define LEAST_PART 0.0625 /* which takes at least this part of each */
#define MATRIX_LIFE 8 /* corrections that a matrix is given to reach the tolerance */

enum { OLD, FRESH, FULL }; /* begin with the matrix at hand, with a new one, renew it each time */

/* Newton's method from the guess; returns the size of the last correction. */
static double iterate(int how, const double **arg, double **res, double *z, double tol, long most,
                      double *info, Kept *kept, long long *iw, double *w) {
  double r[NZ], weight[NZ], size = 0, last = 0; /* last: size before, by the same matrix */
  double part = 1; /* of a correction; less where they grow */
  int i, renew = how != OLD, fresh = 0, left = MATRIX_LIFE;
  long k;
  res[0] = z;
  chorda_guess(arg, res, iw, w, 0);
  for (k = 0; k < (how == FULL ? LAST_ATTEMPT * most : most); ++k) {
    arg[5] = z; res[0] = r; res[1] = weight;
    chorda_residual(arg, res, iw, w, 0);
    info[1] += 1;
    if (renew) {
      res[0] = kept->A;
      chorda_matrix(arg, res, iw, w, 0);
      info[5] += 1;
      if (!keep(kept, *arg[1])) return INFINITY;
      if (how != FULL) last = 0;
      left = MATRIX_LIFE;
      fresh = 1;
    }
    size = correct(kept, r, weight);
    if (how == FULL && last > 0) part = size > last ? MAX(part / 2, LEAST_PART) : MIN(2 * part, 1);
    for (i = 0; i < NZ; ++i) z[i] -= part * r[i];
    if (!(size > tol) && part == 1) break;
    if (fresh && last > 0 && size > last / 2 && size <= ROUNDING * tol) return tol; /* rounding */
    left -= 1;
    renew = how == FULL;
    if (how != FULL && last > 0) {
      double rate = size / last;
      if (rate >= 1) break;
      renew = rate > SLOW_RATE || size * pow(rate, left) > tol;
    }
    last = size;
  }
  return size;
}
#endif

static void advance(const double *x, const double *h, const double *u0, const double *u1,
                    const double *p, double *after, double *error, double tol, long most,
                    double *info, double *kept, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG];
#if NEWTON
  double z[NZ + 1], change = 0;
#endif
#if REUSES
  Kept *matrix = (Kept *)kept;
  int i, how;
#elif NEWTON
  double better[NZ + 1];
  long k;
#endif
  arg[0] = x; arg[1] = h; arg[2] = u0; arg[3] = u1; arg[4] = p;
#if REUSES
  for (how = matrix->made == *h ? OLD : FRESH; how <= FULL; ++how) {
    change = iterate(how, arg, res, z, tol, most, info, matrix, iw, w);
    if (change <= tol) break;
  }
  for (i = 0; isnan(change) && i < NZ; ++i) z[i] = change; /* goes on to the state, which shows it */
#elif NEWTON
  res[0] = z;
  chorda_guess(arg, res, iw, w, 0);
  for (k = 0; k < most; ++k) {
    arg[5] = z; res[0] = better; res[1] = &change;
    chorda_better(arg, res, iw, w, 0);
    memcpy(z, better, sizeof(double) * NZ);
    info[1] += 1;
    info[5] += 1;
    if (!(change > tol)) break;
  }
#endif
#if NEWTON
  info[4] = MAX(info[4], change);
  if (change > tol) info[0] = NOT_CONVERGED;
  arg[5] = z;
#else
  (void)tol; (void)most; (void)info;
#endif
  (void)kept;
  res[0] = after; res[1] = error;
  chorda_after(arg, res, iw, w, 0);
}

#if ADAPTIVE
/* From 0 to H in steps that keep the estimated error at tol; inputs run linearly from u0 to u1. */
static int adapt(double *x, double H, const double *u0, const double *u1, const double *p,
                 double tol, const double *low, const double *high, double *info, double *kept,
                 long long *iw, double *w) {
  double after[NX], error[NX], ua[NU + 1], ub[NU + 1], done = 0, h = info[3] > 0 ? info[3] : H;
  int i;
  while (done < H) {
    double step = MIN(h, H - done), norm = 0, factor;
    int last = done + step >= H * (1 - 1e-12);
    if (last) step = H - done;
    for (i = 0; i < NU; ++i) {
      ua[i] = u0[i] + (u1[i] - u0[i]) * done / H;
      ub[i] = u0[i] + (u1[i] - u0[i]) * (done + step) / H;
    }
    advance(x, &step, ua, ub, p, after, error, 0, 0, info, kept, iw, w);
    for (i = 0; i < NX; ++i) {
      double e = error[i] / (tol * (1 + MAX(fabs(x[i]), fabs(after[i]))));
      norm += e * e / NX;
    }
    norm = sqrt(norm);
    if (!(norm <= 1)) {
      info[2] += 1;
      factor = isfinite(norm) ? MAX(0.1, 0.9 * pow(norm, -1.0 / ORDER)) : 0.1;
      h = step * factor;
      if (h < 1e-12 * H) { info[0] = STEP_UNDERFLOW; return 0; }
      continue;
    }
    if (!inside(after, low, high)) { info[0] = OUT_OF_BOUNDS; memcpy(x, after, sizeof after); return 0; }
    memcpy(x, after, sizeof after);
    done = last ? H : done + step;
    info[1] += 1;
    factor = norm > 0 ? 0.9 * pow(norm, -1.0 / ORDER) : 5;
    if (!last || factor < 1) h = step * MIN(5, MAX(0.2, factor));
  }
  info[3] = h;
  return 1;
}
#endif

#ifdef _WIN32
__declspec(dllexport)
#endif
long chorda_run(long n, double t0, double h, double *x, const double *signal, long stride,
                const double *p, const double *low, const double *high, double *X, double *U,
                double tol, long most, double *info, double *kept, long long *iw, double *w) {
  double after[NX], u[NU + 1];
  long k;
  info[0] = DONE;
  for (k = 0; k < n; ++k) {
    const double *u0 = signal + k * stride, *u1 = u0 + stride;
#if CONTROL
    const double *arg[NARG];
    double *res[NARG];
    double t = t0 + (double)k * h;
    arg[0] = &t; arg[1] = x; arg[2] = u0; arg[3] = p; res[0] = u;
    chorda_control(arg, res, iw, w, 0);
    u0 = u1 = u; /* a controller's output is held over the step */
#endif
    memcpy(U + k * NU, u0, sizeof(double) * NU);
#if ADAPTIVE
    memcpy(after, x, sizeof after);
    if (!adapt(after, h, u0, u1, p, tol, low, high, info, kept, iw, w)) {
      memcpy(X + k * NX, after, sizeof after); /* the state that was refused */
      return k;
    }
#else
    advance(x, &h, u0, u1, p, after, 0, tol, most, info, kept, iw, w);
    if (info[0] != DONE) return k;
    if (!inside(after, low, high)) { info[0] = OUT_OF_BOUNDS; memcpy(X + k * NX, after, sizeof after); return k; }
#endif
    memcpy(x, after, sizeof after);
    memcpy(X + k * NX, after, sizeof after);
  }
  (void)t0; (void)u; (void)most;
  return k;
}
