/* The time loop around the generated step. Included after the generated functions and newton.c, with
 *
 * NX, NU, NW, NZ   lengths of state, input, signal and Newton unknowns
 * NEWTON, ADAPTIVE, CONTROL   which functions there are (0 or 1)
 * REUSES           whether Newton's method keeps its matrix (0 or 1)
 * ORDER            order of the method, for step size control
 * NARG             room for argument and result pointers
 *
 * One call advances n output intervals of length h from x, stores the state after each in X and
 * the input used in each in U, and returns how many were completed. info: 0 how it
 * ended (Exit of job.py; OUT_OF_BOUNDS also where the state is not finite), 1 iterations or internal
 * steps, 2 rejected steps, 3 step size to go on with, 4 largest Newton change left,
 * 5 matrices made. kept: what Newton's method keeps from call to call, zeros at first. */

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int inside(const double *x, const double *low, const double *high) {
  int i;
  for (i = 0; i < NX; ++i)
    if (!(x[i] >= low[i] && x[i] <= high[i])) return 0; /* a NaN is outside */
  return 1;
}

#if NEWTON
#define LAST_ATTEMPT 4 /* times as many corrections in the last attempt, or the only one, */
#define WHOLE 6 /* of which so many are taken as they are, */
#define LEAST_PART 0.015625 /* and at least this part of each of the others */

/* The part to take of correction k of z: less where it turns back on the one before it, of size
 * last, or is more than twice as large, as where a force bends sharply. */
static double part_of(long k, double part, const double *z, const double *r, double *before,
                      double size, double last) {
  double along = 0;
  int i;
  for (i = 0; i < NZ; ++i) {
    double scale = 1 + fabs(z[i]);
    if (k >= WHOLE) along += r[i] / scale * (before[i] / scale);
    before[i] = r[i];
  }
  if (k < WHOLE) return 1;
  return along < 0 || size > 2 * last ? MAX(part / 2, LEAST_PART) : MIN(1.5 * part, 1);
}
#endif

#if REUSES
#define SLOW_RATE 0.3 /* corrections shrink less than by this factor: the matrix is too old */
#define ROUNDING 1e4 /* times the tolerance: where corrections may end in rounding */
#define MATRIX_LIFE 8 /* corrections that a matrix is given to reach the tolerance */

enum { OLD, FRESH, FULL }; /* begin with the matrix at hand, with a new one, renew it each time */

/* Newton's method from the guess; returns the size of the last correction. */
static double iterate(int how, const double **arg, double **res, double *z, double tol, long most,
                      double *info, Kept *kept, long long *iw, double *w) {
  double r[NZ], before[NZ], weight[NZ], size = 0, part = 1;
  double last = 0; /* size before, by the same matrix */
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
    if (how == FULL) part = part_of(k, part, z, r, before, size, last);
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
  double r[NZ + 1], before[NZ + 1], last = 0, part = 1;
  int i;
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
  for (k = 0; k < LAST_ATTEMPT * most; ++k) {
    arg[5] = z; res[0] = r; res[1] = &change;
    chorda_better(arg, res, iw, w, 0);
    info[1] += 1;
    info[5] += 1;
    for (i = 0; i < NZ; ++i) r[i] = z[i] - r[i];
    part = part_of(k, part, z, r, before, change, last);
    for (i = 0; i < NZ; ++i) z[i] -= part * r[i];
    if (isnan(change) || (change <= tol && part == 1)) break;
    last = change;
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
static void adapt(double *x, double H, const double *u0, const double *u1, const double *p,
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
      if (h < 1e-12 * H) { info[0] = STEP_UNDERFLOW; return; }
      continue;
    }
    memcpy(x, after, sizeof after);
    if (!inside(after, low, high)) { info[0] = OUT_OF_BOUNDS; return; }
    done = last ? H : done + step;
    info[1] += 1;
    factor = norm > 0 ? 0.9 * pow(norm, -1.0 / ORDER) : 5;
    if (!last || factor < 1) h = step * MIN(5, MAX(0.2, factor));
  }
  info[3] = h;
}
#endif

/* How far to go, and where the numbers of one robot among many are; see many.c. */
typedef struct {
  long members, steps, every, most;
  long per_time, per_item, per_member; /* strides of the signal */
  long p_item, p_member;
  double h, tol;
  const volatile long *stop; /* null, or where to look before each step whether to go on */
} Batch;

static void row(const Batch *b, const double *signal, long k, double *u) {
  int i;
  for (i = 0; i < NW; ++i) u[i] = signal[k * b->per_time + i * b->per_item];
}

/* The steps of one robot from x and time t0; where U is not null, inputs go
 * there, and the state that was refused to X. Returns how many were completed. */
static long run(const Batch *b, double t0, double *x, const double *signal, const double *p,
                const double *low, const double *high, double *X, double *U, double *info,
                double *kept, long long *iw, double *w) {
  double after[NX], u0[NW + 1], u1[NW + 1];
  const double *from = u0, *to = b->per_time ? u1 : u0;
  long k, left = b->every;
  int i;
  info[0] = DONE;
  row(b, signal, 0, u0);
  for (k = 0; k < b->steps; ++k) {
    if (b->stop && *b->stop) {
      info[0] = INTERRUPTED;
      break;
    }
#if CONTROL
    const double *arg[NARG];
    double *res[NARG], u[NU + 1], t = t0 + (double)k * b->h;
    row(b, signal, k, u0);
    arg[0] = &t; arg[1] = x; arg[2] = u0; arg[3] = p; res[0] = u;
    chorda_control(arg, res, iw, w, 0);
    from = to = u; /* a controller's output is held over the step */
#else
    if (b->per_time) row(b, signal, k + 1, u1);
#endif
    if (U) memcpy(U + k * NU, from, sizeof(double) * NU);
#if ADAPTIVE
    memcpy(after, x, sizeof after);
    adapt(after, b->h, from, to, p, b->tol, low, high, info, kept, iw, w);
#else
    advance(x, &b->h, from, to, p, after, 0, b->tol, b->most, info, kept, iw, w);
#endif
    if (info[0] == DONE && !inside(after, low, high)) info[0] = OUT_OF_BOUNDS;
    if (info[0] != DONE) {
      if (U) memcpy(X, after, sizeof after);
      break;
    }
    memcpy(x, after, sizeof after);
    if (b->per_time) memcpy(u0, u1, sizeof(double) * NW);
    if (--left == 0) {
      if (b->members == 1) memcpy(X, after, sizeof after);
      else for (i = 0; i < NX; ++i) X[i * b->members] = after[i];
      X += NX * b->members;
      left = b->every;
    }
  }
  (void)t0;
  return k;
}

EXPORT long chorda_run(long n, double t0, double h, double *x, const double *signal, long stride,
                       const double *p, const double *low, const double *high, double *X,
                       double *U, double tol, long most, double *info, double *kept,
                       long long *iw, double *w) {
  Batch b = {1, n, 1, most, stride, 1, 0, 1, 0, h, tol, 0};
  return run(&b, t0, x, signal, p, low, high, X, U, info, kept, iw, w);
}
