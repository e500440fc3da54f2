import DepthImages
import Foundation
import PictureFiles

/// What `measure render-scenes --aperture` wrote about one scene, and what follows from it.
struct LensTruth {
  let photo, lensView: Image
  let depth: DepthMap
  /// Metres.
  let focus: Double
  /// Signed radii of the circles of confusion, pixels.
  let radii: [Float]
  /// Pixels within one circle of confusion of an edge of depth.
  let isNearEdge: [Bool]

  /// - Parameters:
  ///   - stem: Path without endings.
  ///   - aperture: Diameter, metres.
  ///   - focus: Metres; by default what the middle of the picture shows, as the renderer has it.
  ///   - focalLength: Pixels.
  init(stem: String, aperture: Double, focus: Double?, focalLength: Double) throws {
    photo = try Image(contentsOf: URL(filePath: stem + ".png"))
    lensView = try Image(contentsOf: URL(filePath: stem + "_lens.png"))
    depth = try DepthMap(contentsOf: URL(filePath: stem + "_depth.png"))
    let middle = depth.values[depth.height / 2 * depth.width + depth.width / 2]
    let distance = focus ?? Double(middle)
    self.focus = distance
    radii = depth.values.map { Float(focalLength * aperture / 2 * (1 / Double($0) - 1 / distance)) }
    isNearEdge = Self.edges(of: radii, height: depth.height, width: depth.width)
  }

  /// The largest radius, pixels.
  var largestRadius: Double { Double(radii.reduce(0) { max($0, abs($1)) }) }

  /// Pixels whose distance from two neighbors with radii more than a pixel apart is at most the larger of
  /// the two radii.
  private static func edges(of radii: [Float], height: Int, width: Int) -> [Bool] {
    var reach = [Float](repeating: 0, count: radii.count)
    for pixel in radii.indices {
      let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
      for other in [x + 1 < width ? pixel + 1 : pixel, y + 1 < height ? pixel + width : pixel]
      where abs(radii[pixel] - radii[other]) > 1 {
        let larger = max(abs(radii[pixel]), abs(radii[other]))
        reach[pixel] = max(reach[pixel], larger)
        reach[other] = max(reach[other], larger)
      }
    }
    var isNear = [Bool](repeating: false, count: radii.count)
    for pixel in radii.indices where reach[pixel] > 0 {
      let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
      let extent = Int(reach[pixel].rounded(.up))
      for row in max(y - extent, 0)...min(y + extent, height - 1) {
        for column in max(x - extent, 0)...min(x + extent, width - 1)
        where (row - y) * (row - y) + (column - x) * (column - x) <= extent * extent {
          isNear[row * width + column] = true
        }
      }
    }
    return isNear
  }
}
