/* What Newton's method in driver.c and in path.c share: linear systems of NZ equations, with
 * matrices column by column, and a matrix that is kept. */

#include <math.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

enum { DONE, OUT_OF_BOUNDS, NOT_CONVERGED, STEP_UNDERFLOW, SINGULAR, INTERRUPTED }; /* Exit of job.py */

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

/* A matrix as LU factors, and the step that it was made for; 0: there is none. */
typedef struct {
  double made, pivot[NZ], A[NZ * NZ];
} Kept;

/* Factors the matrix that was written into m->A; 0 if it is singular. */
static int keep(Kept *m, double made) {
  m->made = factor(m->A, m->pivot) ? made : 0;
  return m->made != 0;
}

/* r becomes the correction; returns its largest entry, weighted. A NaN shows. */
static double correct(const Kept *m, double *r, const double *weight) {
  double size = 0;
  int i;
  solve(m->A, m->pivot, r);
  for (i = 0; i < NZ; ++i) {
    double change = fabs(r[i]) * weight[i];
    if (change > size || isnan(change)) size = change;
  }
  return size;
}
#endif
