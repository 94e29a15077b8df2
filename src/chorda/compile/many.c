/* Many robots at once, each with its own state, and its own or shared parameters and inputs.
   Included after driver.c, with

   NP             number of parameters
   SZW, SZIW      lengths of the work vectors
   KEPT           numbers that Newton's method keeps

   The member is the last index of every array, so that neighbouring threads of a GPU touch
   neighbouring numbers. A stride of 0 shares: signal[k * per_time + i * per_item + m * per_member],
   parameters likewise. State i of member m after step (j + 1) * every goes to
   X[(j * NX + i) * members + m]. done: steps completed by each member; code: as info[0] of
   driver.c. A member that fails stops; the others do not notice. */

typedef struct {
  long members, steps, every, most;
  long per_time, per_item, per_member; /* of the signal */
  long p_item, p_member;
  double h, tol;
} Batch;

static void row(const Batch *b, const double *signal, long k, long m, double *u) {
  const double *at = signal + k * b->per_time + m * b->per_member;
  int i;
  for (i = 0; i < NW; ++i) u[i] = at[i * b->per_item];
}

static void member(const Batch *b, long m, double *x, const double *signal, const double *p,
                   const double *low, const double *high, double *X, long *done, long *code,
                   double *kept, long long *iw, double *w) {
  double here[NX], after[NX], own[NP + 1], u0[NW + 1], u1[NW + 1], info[8];
  const double *par = p; /* shared ones are read where they are */
#if CONTROL
  double u[NU + 1];
#endif
  long k, n = b->members;
  int i;
  for (i = 0; i < NX; ++i) here[i] = x[i * n + m];
  if (b->p_member) {
    for (i = 0; i < NP; ++i) own[i] = p[i * b->p_item + m * b->p_member];
    par = own;
  }
  for (i = 0; i < 8; ++i) info[i] = 0;
  for (i = 0; i < KEPT; ++i) kept[i] = 0;
  row(b, signal, 0, m, u0);
  for (k = 0; k < b->steps; ++k) {
#if CONTROL
    const double *arg[NARG];
    double *res[NARG];
    double t = (double)k * b->h;
    row(b, signal, k, m, u0);
    arg[0] = &t; arg[1] = here; arg[2] = u0; arg[3] = par; res[0] = u;
    chorda_control(arg, res, iw, w, 0);
    advance(here, &b->h, u, u, par, after, 0, b->tol, b->most, info, kept, iw, w);
#else
    if (b->per_time) row(b, signal, k + 1, m, u1);
#if ADAPTIVE
    for (i = 0; i < NX; ++i) after[i] = here[i];
    if (!adapt(after, b->h, u0, b->per_time ? u1 : u0, par, b->tol, low, high, info, kept, iw, w))
      break;
#else
    advance(here, &b->h, u0, b->per_time ? u1 : u0, par, after, 0, b->tol, b->most, info, kept, iw,
            w);
#endif
    if (b->per_time)
      for (i = 0; i < NW; ++i) u0[i] = u1[i];
#endif
    if (info[0] != DONE) break;
    if (!inside(after, low, high)) { info[0] = OUT_OF_BOUNDS; break; }
    for (i = 0; i < NX; ++i) here[i] = after[i];
    if ((k + 1) % b->every == 0)
      for (i = 0; i < NX; ++i) X[(((k + 1) / b->every - 1) * NX + i) * n + m] = here[i];
  }
  for (i = 0; i < NX; ++i) x[i * n + m] = here[i];
  done[m] = k;
  code[m] = (long)info[0];
  (void)u1; (void)kept;
}

#ifdef CHORDA_GPU
extern "C" __global__ void chorda_many(long members, long steps, long every, long most,
                                       long per_time, long per_item, long per_member, long p_item,
                                       long p_member, double h, double tol, double *x,
                                       const double *signal, const double *p, const double *low,
                                       const double *high, double *X, long *done, long *code) {
  __shared__ double common[NP + 1]; /* parameters that all share: near, and read once a block */
  double kept[KEPT + 1], w[SZW + 1];
  long long iw[SZIW + 1];
  Batch b;
  int i;
  long m = (long)blockIdx.x * blockDim.x + threadIdx.x;
  b.members = members; b.steps = steps; b.every = every; b.most = most;
  b.per_time = per_time; b.per_item = per_item; b.per_member = per_member;
  b.p_item = p_item; b.p_member = p_member; b.h = h; b.tol = tol;
  for (i = threadIdx.x; !p_member && i < NP; i += blockDim.x) common[i] = p[i * p_item];
  __syncthreads();
  if (m >= members) return;
  member(&b, m, x, signal, p_member ? p : common, low, high, X, done, code, kept, iw, w);
}
#else
#ifdef _WIN32
__declspec(dllexport)
#endif
void chorda_many(const Batch *b, long first, long last, double *x, const double *signal,
                 const double *p, const double *low, const double *high, double *X, long *done,
                 long *code, double *kept, long long *iw, double *w) {
  long m;
  for (m = first; m < last; ++m)
    member(b, m, x, signal, p, low, high, X, done, code, kept, iw, w);
}
#endif
