/* Many equilibria at once, each from a known one. Included after path.c.
 *
 * Member m starts from the known equilibrium from[m] (its state x0, targets t0 and parameters p0)
 * and goes along s from 0 to 1 to its own targets and parameters, as branch.bridge does: at once,
 * or in steps that are halved where no solution of its branch is found. Rows are members; a stride
 * of 0 shares. turns: for each rotation an angle and two matrices, R = R0 + sin(s a) B + (1 - cos(s
 * a)) C. near: what weighs each coordinate. Of each member: its state, or the last one on its way;
 * the matrix and the largest residual there; reached, its s; its evaluations; and how it ended (Exit
 * of job.py). */

typedef struct {
  long np, rotations, most, per_target, per_p;
  double tol, longest, bend, corner, growth, shortest;
  const long long *stop;
} Rests;

/* The arrays of all members, given and found, in the order of rests.py. */
typedef struct {
  const double *x0, *t0, *p0;
  const long long *from;
  const double *targets, *turns, *P, *u, *scale, *near;
  double *X, *matrices, *residual, *reached;
  long long *count, *code;
} Columns;

static double distance(const double *a, const double *b, const double *near, long n) {
  double most = 0;
  long i;
  for (i = 0; i < n; ++i) {
    double part = fabs(b[i] - a[i]) * near[i];
    if (part > most || isnan(part)) most = part;
  }
  return most;
}

/* From x to the solution at a target. Newton's first step is along the tangent of the branch: a
 * solution that is far from there may lie on another branch, and is not taken. */
static int on_branch(const Rests *b, double *x, const double *target, const double *u,
                     const double *p, const double *weight, const double *near, long nq,
                     double *info, long long *iw, double *w) {
  double guess[NX], found[NX], ahead;
  Kept m;
  int ended;
  memcpy(found, x, sizeof found);
  m.made = 0;
  ended = reach(found, target, u, p, weight, b->tol, b->most, &m, guess, info, iw, w);
  if (ended != DONE) return ended;
  ahead = distance(x, guess, near, nq);
  if (!(ahead < b->longest)) return OUT_OF_BOUNDS;
  if (!(distance(guess, found, near, nq) <= b->bend * ahead + b->corner)) return NOT_CONVERGED;
  memcpy(x, found, sizeof found);
  return DONE;
}

/* Targets and parameters at s; at 1 those that were given. */
static void between(const Rests *b, double s, const double *t0, const double *t1,
                    const double *turns, const double *p0, const double *p1, double *target,
                    double *p) {
  long i, k, first = NT - 9 * b->rotations;
  for (i = 0; i < NT; ++i) target[i] = s < 1 ? t0[i] + s * (t1[i] - t0[i]) : t1[i];
  for (k = 0; s < 1 && k < b->rotations; ++k, turns += 19)
    for (i = 0; i < 9; ++i)
      target[first + 9 * k + i] = t0[first + 9 * k + i] + sin(s * turns[0]) * turns[1 + i] +
                                  (1 - cos(s * turns[0])) * turns[10 + i];
  for (i = 0; i < b->np; ++i) p[i] = s < 1 ? p0[i] + s * (p1[i] - p0[i]) : p1[i];
}

/* room: NT + np numbers. */
static void rest(const Rests *b, const Columns *c, long m, long nq, const double *weight,
                 double *room, long long *iw, double *w) {
  const double *own_t = c->t0 + c->from[m] * NT, *own_p = c->p0 + c->from[m] * b->np;
  const double *goal = c->targets + m * b->per_target, *values = c->P + m * b->per_p;
  const double *turn = c->turns + 19 * b->rotations * m;
  double info[8] = {0}, r[NZ], *target = room, *p = room + NT, *x = c->X + m * NX;
  double at = 0, step = 1, most = 0;
  int i, ended = DONE;
  memcpy(x, c->x0 + c->from[m] * NX, NX * sizeof *x);
  while (at < 1 && step >= b->shortest) {
    double to = at + step < 1 ? at + step : 1;
    if (b->stop && *(volatile const long long *)b->stop) { ended = INTERRUPTED; break; }
    between(b, to, own_t, goal, turn, own_p, values, target, p);
    ended = on_branch(b, x, target, c->u, p, weight, c->near, nq, info, iw, w);
    if (ended == DONE) { at = to; step *= b->growth; } else { step *= 0.5; }
  }
  between(b, at, own_t, goal, turn, own_p, values, target, p);
  chorda_evaluate(x, target, c->u, p, r, c->matrices + m * NZ * NZ, iw, w);
  for (i = 0; i < NZ; ++i)
    if (!(fabs(r[i]) <= most)) most = fabs(r[i]);
  c->residual[m] = most;
  c->reached[m] = at;
  c->count[m] = (long long)info[1];
  c->code[m] = at == 1 ? DONE : ended == INTERRUPTED ? INTERRUPTED : NOT_CONVERGED;
}

static void weigh(double *weight, const double *scale) {
  int i;
  for (i = 0; i < NZ; ++i) weight[i] = scale[i] == 0 ? 0 : 1 / scale[i];
}

#ifdef CHORDA_GPU
/* A thread has one member after the other, as many threads apart. NP: number of parameters. The
 * work vector is the thread's own, or where that is too long (WORK_APART) its row of `work`. */
extern "C" __global__ void chorda_rests(
    long threads, long members, long nq, long rotations, long most, long per_target, long per_p,
    double tol, double longest, double bend, double corner, double growth, double shortest,
    const double *x0, const double *t0, const double *p0, const long long *from,
    const double *targets, const double *turns, const double *P, const double *u,
    const double *scale, const double *near, double *X, double *matrices, double *residual,
    double *reached, long long *count, long long *code, double *work) {
  const Rests b = {NP, rotations, most, per_target, per_p, tol, longest, bend, corner, growth,
                   shortest, 0};
  const Columns c = {x0, t0, p0, from, targets, turns, P, u, scale, near, X, matrices, residual,
                     reached, count, code};
  long m, mine = (long)blockIdx.x * blockDim.x + threadIdx.x;
  double weight[NZ], room[NT + NP + 1];
  long long iw[SZIW + 1];
#if WORK_APART
  double *w = work + mine * (SZW + 1);
#else
  double w[SZW + 1];
#endif
  if (mine >= threads) return;
  weigh(weight, scale);
  for (m = mine; m < members; m += threads) rest(&b, &c, m, nq, weight, room, iw, w);
}
#else
EXPORT void chorda_rests(const Rests *b, long first, long last, long nq, const Columns *c,
                         double *room, long long *iw, double *w) {
  double weight[NZ];
  long m;
  weigh(weight, c->scale);
  for (m = first; m < last; ++m) rest(b, c, m, nq, weight, room, iw, w);
}
#endif
