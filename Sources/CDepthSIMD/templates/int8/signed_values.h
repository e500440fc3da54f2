// A convolution for sets with products of signed bytes only. The initial sums of a panel depend on its weights; see
// `beginning`.

/// The call for the columns from `column`, with the initial sums `initial`.
INLINE ck_int8_convolution NAME(call_from)(const ck_int8_convolution *p, size_t column,
                                           const int32_t *initial) {
  ck_int8_convolution call = *p;
  call.columns -= column;
  call.initial = initial;
  call.y = (uint8_t *)p->y + column * (p->writes_floats ? sizeof(float) : 1);
  call.epilogue.multiplier += column;
  call.epilogue.offset += column;
  call.epilogue.lower_bound += column;
  if (call.epilogue.residual) call.epilogue.residual += column;
  if (call.tokens.added) call.tokens.added += column;
  return call;
}

static void NAME(int8_convolution)(const ck_int8_convolution *p) {
  const size_t quads = p->segments * p->quads, panel_bytes = quads * 8 * LANES;
  const int8_t *panel = p->weights;
  for (size_t column = 0; column < p->columns; column += 2 * LANES, panel += panel_bytes) {
    const size_t left = p->columns - column;
    VI first[2] = {{0}, {0}};
    memcpy(first, p->initial + column, (left < 2 * LANES ? left : 2 * LANES) * 4);
    for (size_t k = 0; k < quads; k++)
      for (size_t v = 0; v < 2; v++)
        first[v] = NAME(beginning)(first[v], NAME(weight_quads)(panel + (2 * k + v) * 4 * LANES, LANES));
    int32_t initial[2 * LANES];
    memcpy(initial, first, sizeof initial);
    const ck_int8_convolution call = NAME(call_from)(p, column, initial);
    for (size_t line = 0; line < p->lines; line++)
      if (left > LANES)
        NAME(int8_line)(2, &call, line, 0, panel, left <= 2 * LANES);
      else
        NAME(int8_line)(1, &call, line, 0, panel, true);
  }
}
