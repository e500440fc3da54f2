// Bilinear interpolation of one row of a map from two rows of another map, as top + v · (bottom − top) of left + u ·
// (right − left). Additions and products are rounded separately, so results have the same bits with all instruction sets.
static void NAME(resize_row)(const ck_resized_row *p) {
  for (size_t x = 0; x < p->width; x++) {
    const size_t left = (size_t)p->left[x] * p->source_stride;
    const size_t right = (size_t)p->right[x] * p->source_stride;
    const float u = p->shares[x], v = p->share;
    float *y = p->y + x * p->y_stride;
    const float *added = p->added ? p->added + x * p->added_stride : NULL;
    for (size_t c = 0; c < p->channels; c += LANES) {
      const size_t n = p->channels - c < LANES ? p->channels - c : LANES;
      const V tl = NAME(load_first)(p->top + left + c, n), tr = NAME(load_first)(p->top + right + c, n);
      const V bl = NAME(load_first)(p->bottom + left + c, n);
      const V br = NAME(load_first)(p->bottom + right + c, n);
      const V t = tl + u * (tr - tl), b = bl + u * (br - bl);
      V result = t + v * (b - t);
      if (added) result += NAME(load_first)(added + c, n);
      NAME(store_first)(y + c, result, n);
    }
  }
}
