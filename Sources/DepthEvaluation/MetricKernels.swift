import CDepthSIMD
import DepthBase

/// The kernels of one instruction set that compare a predicted depth map with the true map.
///
/// Each function first checks that a kernel accesses no memory outside the spans.
@safe
struct MetricKernels: Sendable {
  private let table: ck_metrics_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.metrics }

  /// The errors of predicted depths for true depths between `nearest` and `farthest`.
  func depthErrors(
    _ predicted: Span<Double>, _ truth: Span<Float>, nearest: Float, farthest: Float
  ) -> ck_depth_errors {
    let count = predicted.count
    precondition(truth.count == count, "\(truth.count) true depths, expected \(count)")
    var errors = ck_depth_errors()
    unsafe predicted.withPointer { predicted in
      unsafe truth.withPointer {
        unsafe table.depth_errors(count, predicted, $0, nearest, farthest, &errors)
      }
    }
    return errors
  }

  /// Finds the elements where `p[i]` and `q[i]`, or `y[i]` and `z[i]`, differ by more than a factor of `ratio`.
  ///
  /// - Parameter places: Receives the indices in ascending order in its first elements.
  /// - Returns: The number of elements found.
  func edgeCandidates(
    _ p: Span<Float>, _ q: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, ratio: Float,
    into places: inout [UInt32]
  ) -> Int {
    let count = p.count
    precondition(
      q.count == count && y.count == count && z.count == count && places.count >= count,
      "\(q.count), \(y.count) and \(z.count) depths, room for \(places.count), expected \(count)")
    var places = places.mutableSpan
    return unsafe p.withPointer { p in
      unsafe q.withPointer { q in
        unsafe y.withPointer { y in
          unsafe z.withPointer { z in
            unsafe places.withPointer { unsafe table.edge_candidates(count, p, q, y, z, ratio, $0) }
          }
        }
      }
    }
  }

  /// `out[i] = x[i]`, rounded.
  func round(_ x: Span<Double>, into out: inout [Float]) {
    let count = x.count
    precondition(out.count == count, "room for \(out.count) depths, expected \(count)")
    var out = out.mutableSpan
    unsafe x.withPointer { x in unsafe out.withPointer { unsafe table.round_row(count, x, $0) } }
  }
}
