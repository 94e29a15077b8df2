/* One step by the loop above. */

static const double LOW[NX] = {@low@};
static const double HIGH[NX] = {@high@};

void @name@_reset(@name@_work *work) { memset(work, 0, sizeof *work); }

void @name@_start(@name@_work *work, const double *q, const double *v, const double *u,
                  const double *p, double h, double *x) {
  const double *arg[NARG];
  double *res[NARG];
  @name@_reset(work);
  arg[0] = q; arg[1] = v; arg[2] = u; arg[3] = p; arg[4] = &h;
  res[0] = x;
  chorda_start(arg, res, work->iw, work->w, 0);
}

int @name@_step_between(@name@_work *work, const double *x, const double *u_start,
                        const double *u_end, const double *p, double h, double *x_next) {
  double now[NX], used[NU + 1], signal[2 * NU + 1];
  int i;
  memcpy(now, x, sizeof now);
  for (i = 0; i < NU; ++i) {
    signal[i] = u_start[i];
    signal[NU + i] = u_end[i];
  }
  chorda_run(1, 0.0, h, now, signal, NU, p, LOW, HIGH, x_next, used, @tolerance@, @most@,
             work->info, work->kept, work->iw, work->w);
  return (int)work->info[0];
}

int @name@_step(@name@_work *work, const double *x, const double *u, const double *p, double h,
                double *x_next) {
  return @name@_step_between(work, x, u, u, p, h, x_next);
}
