/* Linear systems of NZ equations, matrices column by column. */

#include <math.h>
#include <string.h>

#if NZ > 0 && (REUSES || defined(NT))
/* P A = L U in place with partial pivoting; 0 if A is singular. */
static int factor(double *A, double *pivot) {
  int i, j, k;
  for (k = 0; k < NZ; ++k) {
    double *column = A + NZ * k, most = fabs(column[k]);
    int row = k;
    for (i = k + 1; i < NZ; ++i) {
      double size = fabs(column[i]);
      if (size > most || isnan(size)) { most = size; row = i; } /* a NaN shall show */
    }
    if (most == 0) return 0;
    pivot[k] = row;
    for (j = 0; row != k && j < NZ; ++j) {
      double upper = A[k + NZ * j];
      A[k + NZ * j] = A[row + NZ * j];
      A[row + NZ * j] = upper;
    }
    for (i = k + 1; i < NZ; ++i) column[i] /= column[k];
    for (j = k + 1; j < NZ; ++j) {
      double by = A[k + NZ * j];
      if (by != 0)
        for (i = k + 1; i < NZ; ++i) A[i + NZ * j] -= column[i] * by;
    }
  }
  return 1;
}

/* b becomes A^-1 b. */
static void solve(const double *A, const double *pivot, double *b) {
  int i, k;
  for (k = 0; k < NZ; ++k) { /* later rows were exchanged in L too, so all exchanges come first */
    int row = (int)pivot[k];
    double upper = b[k];
    b[k] = b[row];
    b[row] = upper;
  }
  for (k = 0; k < NZ; ++k)
    for (i = k + 1; i < NZ; ++i) b[i] -= A[i + NZ * k] * b[k];
  for (k = NZ - 1; k >= 0; --k) {
    b[k] /= A[k + NZ * k];
    for (i = 0; i < k; ++i) b[i] -= A[i + NZ * k] * b[k];
  }
}
#endif
