import ThreadTeams

/// Finds the ramps between two surfaces and clears them.
struct EdgeRamps: Sendable {
  let height, width: Int
  let threshold: Float

  func sharpened(_ disparity: [Float], drops: Bool, threads: Int) -> [Float] {
    disparity
  }
}
