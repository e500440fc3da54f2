// 2^t for −126 ≤ t ≤ 0, relative error below 3e-6.
//
// t = i + f with i the nearest integer. 2^f is a polynomial (minimax over |f| ≤ ½ with 2^0 = 1 exact), and
// 2^i is added to the exponent bits. Adding and subtracting 1.5·2²³ rounds to the nearest integer, which is
// in the low bits of the sum.
static inline V NAME(exp2)(V t) {
  const float magic = 12582912.0f;
  V shifted = t + magic;
  V f = t - (shifted - magic);
  V p = f * 0.00958285317f + 0.055906425f;
  p = p * f + 0.240240986f;
  p = p * f + 0.693124193f;
  p = p * f + 1.0f;
  return (V)((VI)p + ((VI)shifted << 23));
}
