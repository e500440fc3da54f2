import CDepthSIMD
import DepthBase

/// The warp of one row: the visible source position of each target.
///
/// - Parameters:
///   - shift: The shift of each source pixel to the right, in 1/64 pixel.
///   - stretch: The distance in 1/64 pixel beyond which neighbors are torn apart.
/// - Returns: Positions in 1/64 pixel, or −1 where nothing is visible.
func warpedSources(
  shift: [Int32], stretch: Int = 128, isa: InstructionSet = .current
) -> [Int32] {
  guard let largest = shift.map({ abs($0) }).max() else { return [] }
  let margin = Int(largest) / 64 + 3
  var source = [Int32](repeating: -1, count: shift.count + 2 * margin)
  source.withUnsafeMutableBufferPointer { source in
    shift.withUnsafeBufferPointer { shift in
      isa.kernels.pointee.views.warp_line(
        shift.count, Int32(stretch), shift.baseAddress!, source.baseAddress! + margin)
    }
  }
  return Array(source[margin..<margin + shift.count])
}
