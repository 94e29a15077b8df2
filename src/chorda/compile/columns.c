/* One function at many columns. Included after the generated function and newton.c, with
 *
 * NIN, NOUT   numbers of arguments and results
 * NARG        room for argument and result pointers
 *
 * arrays: the arguments, then the results, each (size, members) with the member last; an argument
 * that all members share is one column. sizes: of one column of each. room: for all of them. On a
 * GPU a thread has a column; the kernel is written for each function (device_columns.py), since it
 * has as many arguments. */

typedef struct {
  const double *arg[NARG];
  double *res[NARG], *own[NIN + NOUT];
} Places;

static void lay_out(Places *at, const long long *sizes, const long long *shared,
                    double *const *arrays, double *room) {
  long k;
  for (k = 0; k < NIN + NOUT; ++k) {
    at->own[k] = room;
    room += sizes[k];
    if (k < NIN) at->arg[k] = shared[k] ? arrays[k] : at->own[k];
    else at->res[k - NIN] = at->own[k];
  }
}

static void column(Places *at, long m, long members, const long long *sizes,
                   const long long *shared, double *const *arrays, long long *iw, double *w) {
  long i, k;
  for (k = 0; k < NIN; ++k)
    for (i = 0; !shared[k] && i < sizes[k]; ++i) at->own[k][i] = arrays[k][i * members + m];
  chorda_column(at->arg, at->res, iw, w, 0);
  for (k = NIN; k < NIN + NOUT; ++k)
    for (i = 0; i < sizes[k]; ++i) arrays[k][i * members + m] = at->own[k][i];
}

#ifndef CHORDA_GPU
EXPORT void chorda_columns(long first, long last, long members, const long long *sizes,
                           const long long *shared, double *const *arrays, double *room,
                           const long long *stop, long long *iw, double *w) {
  Places at;
  long m;
  lay_out(&at, sizes, shared, arrays, room);
  for (m = first; m < last; ++m) {
    if (*(volatile const long long *)stop) return;
    column(&at, m, members, sizes, shared, arrays, iw, w);
  }
}
#endif
