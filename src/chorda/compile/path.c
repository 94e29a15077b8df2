/* Newton's method along a path of equilibria. Included after the generated functions and
 * newton.c, with
 *
 * NX, NZ, NT   lengths of the state, of Newton's unknowns and of the targets
 * NARG         room for argument and result pointers
 *
 * One call solves for n rows of targets, each from the solution before, stores the states in X and
 * returns how many were solved. ahead: whether a start is extrapolated from the solutions before.
 * scale: a large change of each unknown, 0 where any will do, negative where it is compared with the
 * unknown itself (inputs that are found: the coordinates may be right before they are). matrices: where the matrix at each
 * solution goes, or null. tangent: where the state goes that the first correction of the first row
 * leads to, whole, or null. info: 0 how it ended (Exit of job.py; OUT_OF_BOUNDS: not finite),
 * 1 residuals, 2 matrices, 3 size of the last correction, 4 largest residual at the last solution if
 * matrices are asked for. counts: iterations of each row, or null. */

#define LONGEST_STEP 0.5 /* correction at once, over the scales */
#define QUADRATIC 1e-6 /* a correction of this size, by a matrix made there, leaves its square */
#define SLOW_RATE 0.2 /* corrections shrink less than by this factor: the matrix is too old */

#define VALUES 0.1 /* what a correction of such an unknown counts at most: it cuts no step */

/* Corrections of unknowns that are compared with themselves. */
static double unsettled(const double *x, const double *r, const double *weight) {
  double most = 0;
  int i;
  for (i = 0; i < NZ; ++i)
    if (weight[i] < 0) {
      double change = fabs(r[i]), part = change / (change + fmax(1, fabs(x[i + NX - NZ])));
      if (part > most) most = part;
    }
  return VALUES * most;
}

static int reach(double *x, const double *target, const double *u, const double *p,
                 const double *weight, double tol, long most, Kept *m, double *tangent,
                 double *info, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG], r[NZ], after[NX], last = 0;
  int i, renew = m->made == 0;
  long k;
  for (k = 0; k < most; ++k) {
    double size, part;
    arg[0] = x; arg[1] = target; arg[2] = u; arg[3] = p;
    res[0] = r; res[1] = m->A;
    info[1] += 1;
    memset(r, 0, sizeof r); /* results without any entry are not written */
    if (renew) {
      memset(m->A, 0, NZ * NZ * sizeof(double));
      chorda_balance(arg, res, iw, w, 0);
      info[2] += 1;
      if (!keep(m, 1)) return SINGULAR;
    } else {
      chorda_residual(arg, res, iw, w, 0);
    }
    size = correct(m, r, weight);
    part = unsettled(x, r, weight);
    info[3] = size = part > size ? part : size; /* a NaN stays */
    if (!(size < INFINITY)) { m->made = 0; return OUT_OF_BOUNDS; }
    if (!renew && size > (last > 0 ? SLOW_RATE * last : LONGEST_STEP)) {
      renew = 1; last = 0;
      continue;
    }
    arg[1] = r;
    for (i = 0; i < NZ; ++i) r[i] = -r[i];
    if (tangent && k == 0) { res[0] = tangent; chorda_moved(arg, res, iw, w, 0); }
    part = size > LONGEST_STEP ? LONGEST_STEP / size : 1;
    for (i = 0; i < NZ; ++i) r[i] *= part;
    res[0] = after;
    chorda_moved(arg, res, iw, w, 0);
    memcpy(x, after, sizeof after);
    if (size <= tol || (renew && size <= QUADRATIC)) return DONE;
    renew = size > LONGEST_STEP;
    last = size;
  }
  m->made = 0;
  return NOT_CONVERGED;
}

EXPORT void chorda_evaluate(const double *x, const double *target, const double *u, const double *p,
                            double *r, double *A, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG];
  arg[0] = x; arg[1] = target; arg[2] = u; arg[3] = p;
  res[0] = r; res[1] = A;
  if (r) memset(r, 0, NZ * sizeof(double));
  if (A) memset(A, 0, NZ * NZ * sizeof(double));
  chorda_balance(arg, res, iw, w, 0);
}

#ifndef CHORDA_GPU
EXPORT long chorda_follow(long n, double *x, const double *targets, const double *u, const double *p,
                          const double *scale, double *X, double *matrices, double *tangent,
                          long ahead, double tol, long most, double *info, double *counts,
                          long long *iw, double *w) {
  double r[NZ], guess[NX], weight[NZ], before;
  Kept m;
  long k;
  int i;
  m.made = 0;
  for (i = 0; i < NZ; ++i) weight[i] = scale[i] == 0 ? 0 : 1 / scale[i];
  for (k = 0; k < n; ++k) {
    const double *target = targets + k * NT;
    memcpy(guess, x, sizeof guess);
    if (ahead && k > 2)
      for (i = 0; i < NX; ++i)
        guess[i] = 3 * X[(k - 1) * NX + i] - 3 * X[(k - 2) * NX + i] + X[(k - 3) * NX + i];
    before = info[1];
    info[0] = reach(guess, target, u, p, weight, tol, most, &m, k ? 0 : tangent, info, iw, w);
    if (counts) counts[k] = info[1] - before;
    if (info[0] != DONE) return k;
    memcpy(x, guess, sizeof guess);
    memcpy(X + k * NX, guess, sizeof guess);
    if (matrices) {
      chorda_evaluate(x, target, u, p, r, matrices + k * NZ * NZ, iw, w);
      for (i = 0, info[4] = 0; i < NZ; ++i)
        if (!(fabs(r[i]) <= info[4])) info[4] = fabs(r[i]);
    }
  }
  return n;
}
#endif
