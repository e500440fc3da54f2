/// Mixes two pictures in linear light: `out = clip(A · left + B · right)`, per pixel.
///
/// Only the sum is clipped: what one eye takes away with a negative number must reach what the
/// other adds, or grays get a tint.
///
/// - Parameters:
///   - left: First picture, `height · width · 3` sRGB bytes; `right` likewise.
///   - leftMatrix: `A`, nine numbers by rows (out red, green, blue); `rightMatrix` is `B`.
package func mixedInLinearLight(
  _ left: [UInt8], _ right: [UInt8], height: Int, width: Int, leftMatrix: [Float],
  rightMatrix: [Float], threads: Int
) -> [UInt8] {
  precondition(left.count == height * width * 3 && right.count == left.count)
  precondition(leftMatrix.count == 9 && rightMatrix.count == 9)
  return left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      SRGB.linear.withUnsafeBufferPointer { linear in
        SRGB.coded.withUnsafeBufferPointer { coded in
          leftMatrix.withUnsafeBufferPointer { a in
            rightMatrix.withUnsafeBufferPointer { b in
              picture(height: height, width: width, threads: threads) { y, out in
                for x in 0..<width {
                  let at = (y * width + x) * 3
                  let l0 = linear[Int(left[at])]
                  let l1 = linear[Int(left[at + 1])]
                  let l2 = linear[Int(left[at + 2])]
                  let r0 = linear[Int(right[at])]
                  let r1 = linear[Int(right[at + 1])]
                  let r2 = linear[Int(right[at + 2])]
                  for channel in 0..<3 {
                    let k = channel * 3
                    let fromLeft = a[k] * l0 + a[k + 1] * l1 + a[k + 2] * l2
                    let fromRight = b[k] * r0 + b[k + 1] * r1 + b[k + 2] * r2
                    let sum = max(0, min(1, fromLeft + fromRight))
                    out[x * 3 + channel] = coded[Int(sum * SRGB.steps + 0.5)]
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
