/* Many robots at once, each with its own state, and its own or shared parameters and inputs.
 * Included after driver.c, with
 *
 * NP             number of parameters
 * SZW, SZIW      lengths of the work vectors
 * KEPT           numbers that Newton's method keeps
 *
 * The member is the last index of every array, so that neighbouring threads of a GPU touch
 * neighbouring numbers. A stride of 0 shares: signal[k * per_time + i * per_item + m * per_member],
 * parameters likewise. State i of member m after step (j + 1) * every goes to
 * X[(j * NX + i) * members + m]. done: steps completed by each member; code: as info[0] of
 * driver.c. A member that fails stops; the others do not notice. */

static void member(const Batch *b, long m, double *x, const double *signal, const double *p,
                   const double *low, const double *high, double *X, long *done, long *code,
                   double *kept, long long *iw, double *w) {
  double here[NX], own[NP + 1], info[8];
  const double *par = p; /* shared ones are read where they are */
  long n = b->members;
  int i;
  for (i = 0; i < NX; ++i) here[i] = x[i * n + m];
  if (b->p_member) {
    for (i = 0; i < NP; ++i) own[i] = p[i * b->p_item + m * b->p_member];
    par = own;
  }
  for (i = 0; i < 8; ++i) info[i] = 0;
  for (i = 0; i < KEPT; ++i) kept[i] = 0;
  signal += m * b->per_member;
  done[m] = run(b, 0, here, signal, par, low, high, X + m, 0, info, kept, iw, w);
  code[m] = (long)info[0];
  for (i = 0; i < NX; ++i) x[i * n + m] = here[i];
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
  b.p_item = p_item; b.p_member = p_member; b.h = h; b.tol = tol; b.stop = 0;
  for (i = threadIdx.x; !p_member && i < NP; i += blockDim.x) common[i] = p[i * p_item];
  __syncthreads();
  if (m >= members) return;
  member(&b, m, x, signal, p_member ? p : common, low, high, X, done, code, kept, iw, w);
}
#else
EXPORT void chorda_many(const Batch *b, long first, long last, double *x, const double *signal,
                        const double *p, const double *low, const double *high, double *X,
                        long *done, long *code, double *kept, long long *iw, double *w) {
  long m;
  for (m = first; m < last; ++m)
    member(b, m, x, signal, p, low, high, X, done, code, kept, iw, w);
}
#endif
