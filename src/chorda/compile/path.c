/* Newton's method along a path of equilibria. Included after the generated functions and
   lu.c, with

   NX, NZ, NT   lengths of the state, of Newton's unknowns and of the targets
   NARG         room for argument and result pointers

   One call solves for n rows of targets, each from the solution before, stores the states in X and
   returns how many were solved. ahead: whether a start is extrapolated from the solutions before.
   scale: a large change of each unknown, 0 where any will do. matrices: where the matrix at each
   solution goes, or null. info: 0 status (0 done, 1 not finite, 2 no convergence, 4 singular
   matrix), 1 residuals, 2 matrices, 3 size of the last correction, 4 largest
   residual at the last solution if matrices are asked for. counts: iterations of each row,
   or null. */

#define LONGEST 0.5 /* correction at once, over the scales */
#define NEAR 1e-6 /* a correction by a matrix made there leaves its square */
#define SLOW 0.2 /* a correction larger than this part of the one before: the matrix is too old */

typedef struct {
  int there;
  double pivot[NZ], A[NZ * NZ];
} Matrix;

static int reach(double *x, const double *target, const double *u, const double *p,
                 const double *scale, double tol, long most, Matrix *m, double *info,
                 long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG], r[NZ], after[NX], last = 0;
  int i, renew = !m->there;
  long k;
  for (k = 0; k < most; ++k) {
    double size = 0, part;
    arg[0] = x; arg[1] = target; arg[2] = u; arg[3] = p;
    res[0] = r; res[1] = m->A;
    info[1] += 1;
    if (renew) {
      chorda_balance(arg, res, iw, w, 0);
      info[2] += 1;
      m->there = factor(m->A, m->pivot);
      if (!m->there) return 4;
    } else {
      chorda_residual(arg, res, iw, w, 0);
    }
    solve(m->A, m->pivot, r);
    for (i = 0; i < NZ; ++i)
      if (scale[i] > 0 && !(fabs(r[i]) <= size * scale[i])) size = fabs(r[i]) / scale[i];
    info[3] = size;
    if (!(size < INFINITY)) { m->there = 0; return 1; }
    if (!renew && (last > 0 ? size > SLOW * last : size > LONGEST)) { renew = 1; last = 0; continue; }
    part = size > LONGEST ? LONGEST / size : 1;
    for (i = 0; i < NZ; ++i) r[i] *= -part;
    arg[1] = r; res[0] = after;
    chorda_moved(arg, res, iw, w, 0);
    memcpy(x, after, sizeof after);
    if (size <= tol || (renew && size <= NEAR)) return 0;
    renew = size > LONGEST;
    last = size;
  }
  m->there = 0;
  return 2;
}

#ifdef _WIN32
__declspec(dllexport)
#endif
long chorda_follow(long n, double *x, const double *targets, const double *u, const double *p,
                   const double *scale, double *X, double *matrices, long ahead, double tol,
                   long most, double *info, double *counts, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG], r[NZ], guess[NX], before;
  Matrix m;
  long k;
  int i;
  m.there = 0;
  for (k = 0; k < n; ++k) {
    const double *target = targets + k * NT;
    memcpy(guess, x, sizeof guess);
    if (ahead && k > 2)
      for (i = 0; i < NX; ++i)
        guess[i] = 3 * X[(k - 1) * NX + i] - 3 * X[(k - 2) * NX + i] + X[(k - 3) * NX + i];
    before = info[1];
    info[0] = reach(guess, target, u, p, scale, tol, most, &m, info, iw, w);
    if (counts) counts[k] = info[1] - before;
    if (info[0] != 0) return k;
    memcpy(x, guess, sizeof guess);
    memcpy(X + k * NX, guess, sizeof guess);
    if (matrices) {
      arg[0] = x; arg[1] = target; arg[2] = u; arg[3] = p;
      res[0] = r; res[1] = matrices + k * NZ * NZ;
      chorda_balance(arg, res, iw, w, 0);
      for (i = 0, info[4] = 0; i < NZ; ++i)
        if (!(fabs(r[i]) <= info[4])) info[4] = fabs(r[i]);
    }
  }
  return n;
}

#ifdef _WIN32
__declspec(dllexport)
#endif
void chorda_evaluate(const double *x, const double *target, const double *u, const double *p,
                     double *r, double *A, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG];
  arg[0] = x; arg[1] = target; arg[2] = u; arg[3] = p;
  res[0] = r; res[1] = A;
  chorda_balance(arg, res, iw, w, 0);
}
