// Joint upsampling. The kernel reads and writes whole vectors, up to 16 floats beyond the ends.
#include "check.h"

enum { slack = 16 };

void check_upsampling(size_t number) {
  const size_t n = 1 + below(90), taps = number % 2 ? 4 : 2, track = n + slack;
  int32_t *cells = bytes_of(4 * track);
  cells[0] = 0;
  for (size_t x = 1; x < track; x++) cells[x] = cells[x - 1] + (below(4) == 0);
  const size_t columns = (size_t)cells[track - 1] + taps, pitch = columns + slack;
  float *rows[4];
  for (size_t j = 0; j < taps; j++) {
    rows[j] = random_floats(5 * pitch + slack, 0, 4);
    float *value = rows[j] + 3 * pitch, *weight = rows[j] + 4 * pitch;
    // Flat for the most part, with steps, so that both ways through the kernel are taken.
    for (size_t i = 0; i < pitch; i++) {
      value[i] = below(12) == 0 ? random_float(1, 5) : i ? value[i - 1] : 2;
      weight[i] = 1;
    }
  }
  if (taps == 2) memcpy(rows[1] + 3 * pitch, rows[0] + 3 * pitch, 4 * pitch);
  float *edges = bytes_of(4 * (columns + slack)), *other = bytes_of(4 * (columns + slack));
  memset(edges, 0, 4 * (columns + slack));
  tested->refinement.edge_cells(columns, pitch, rows[0], rows[1], edges);
  plain->refinement.edge_cells(columns, pitch, rows[0], rows[1], other);
  expect_bytes("edge_cells", edges, other, 4 * columns);

  const ck_coarse_window window = {.rows = (const float *const *)rows, .pitch = pitch, .cells = cells, .track = track,
                                   .window_y = random_floats(taps, 0.1f, 1), .edges = edges,
                                   .window_x = random_floats(taps * track + slack, 0.1f, 1),
                                   .flat = bytes_of(4 * (2 * pitch + slack))};
  const uint8_t *rgb = random_bytes(3 * n);
  const bool reciprocal = below(2);
  BOTH("joint_upsample", exact, bytes_of(4 * n), n, 0, k->refinement.joint_upsample(n, taps, window, 0.02f, rgb, reciprocal, y));
}
