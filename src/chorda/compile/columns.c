/* One function at many columns. Included after the generated function and newton.c, with
 *
 * NIN, NOUT   numbers of arguments and results
 * NARG        room for argument and result pointers
 *
 * arrays: the arguments, then the results, each (size, members) with the member last; an argument
 * that all members share is one column. sizes: of one column of each. room: for all of them. */

EXPORT void chorda_columns(long first, long last, long members, const long long *sizes,
                           const long long *shared, double *const *arrays, double *room,
                           const long long *stop, long long *iw, double *w) {
  const double *arg[NARG];
  double *res[NARG], *own[NIN + NOUT];
  long m, i, k;
  for (k = 0; k < NIN + NOUT; ++k) {
    own[k] = room;
    room += sizes[k];
    if (k < NIN) arg[k] = shared[k] ? arrays[k] : own[k];
    else res[k - NIN] = own[k];
  }
  for (m = first; m < last; ++m) {
    if (*(volatile const long long *)stop) return;
    for (k = 0; k < NIN; ++k)
      for (i = 0; !shared[k] && i < sizes[k]; ++i) own[k][i] = arrays[k][i * members + m];
    chorda_column(arg, res, iw, w, 0);
    for (k = NIN; k < NIN + NOUT; ++k)
      for (i = 0; i < sizes[k]; ++i) arrays[k][i * members + m] = own[k][i];
  }
}
