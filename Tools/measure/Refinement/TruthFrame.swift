/// What a frame's truth and photo say before a map is looked at.
struct TruthFrame {
  /// Half the window in which a surface is judged, pixels.
  static let radius = 15
  /// Fewer pixels on flat textured patches than this do not count.
  static let leastPatch = 2000

  /// Metres, 0 for no value.
  let depth: Plane
  /// 0…1.
  let luminance: Plane
  /// Pixels whose window is known, planar in truth within 1 cm and textured in the photo.
  let isPatch: [Bool]
  /// Pixels with a value within 6 pixels of a step of more than a quarter of a metre over two pixels.
  let isNearEdge: [Bool]

  var hasPatch: Bool { isPatch.lazy.filter { $0 }.count > Self.leastPatch }

  init(depth: Plane, luminance: Plane) {
    (self.depth, self.luminance) = (depth, luminance)
    let (height, width) = (depth.height, depth.width)
    let disparity = depth.map { $0 > 0 ? 1 / max($0, 1e-3) : 0 }
    let (residual, mean) = disparity.planeFit(radius: Self.radius)
    let texture = luminance.planeFit(radius: Self.radius).residual
    let known = depth.map { $0 > 0 ? 1 : 0 }.averaged(radius: Self.radius)
    isPatch = depth.values.indices.map { i in
      let (y, x) = (i / width, i % width)
      guard min(y, height - 1 - y, x, width - 1 - x) >= Self.radius else { return false }
      let bend = residual.values[i] / (max(mean.values[i], 1e-3) * max(mean.values[i], 1e-3))
      return known.values[i] > 1 - 1e-6 && bend < 0.01 && texture.values[i] > 0.04
    }
    isNearEdge = Self.near(depth)
  }

  private static func near(_ depth: Plane) -> [Bool] {
    let (height, width, values) = (depth.height, depth.width, depth.values)
    var near = [Bool](repeating: false, count: values.count)
    func isStep(_ a: Int, _ b: Int) -> Bool {
      values[a] > 0 && values[b] > 0 && abs(values[a] - values[b]) > 0.25
    }
    for y in 0..<height {
      for x in 0..<width {
        let pixel = y * width + x
        guard
          (x > 0 && x < width - 1 && isStep(pixel - 1, pixel + 1))
            || (y > 0 && y < height - 1 && isStep(pixel - width, pixel + width))
        else { continue }
        for j in max(y - 6, 0)...min(y + 6, height - 1) {
          for i in max(x - 6, 0)...min(x + 6, width - 1)
          where (j - y) * (j - y) + (i - x) * (i - x) <= 36 && values[j * width + i] > 0 {
            near[j * width + i] = true
          }
        }
      }
    }
    return near
  }
}
