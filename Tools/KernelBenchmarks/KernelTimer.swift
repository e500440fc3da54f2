import DepthBase

/// Times kernels under the conditions of a network: weights come from memory, since a network reads
/// them once per photo, and maps are in the cache, where the preceding layer has left them.
struct KernelTimer {
  private let eviction: CacheEviction
  let runs: Int
  private let clock = ContinuousClock()

  /// Bytes that displace the content of the last-level cache.
  private static let evictedBytes = 64 << 20

  init(runs: Int) {
    eviction = CacheEviction(bytes: Self.evictedBytes)
    self.runs = runs
  }

  /// Seconds per kernel. Kernels run in turn, so that disturbances affect all of them alike.
  ///
  /// The result is the lower quartile of the runs: other load can only add to a time, and the
  /// fastest run may be an outlier.
  func seconds(of kernels: [KernelCase], on team: ThreadTeam) -> [Double] {
    var times = [[Duration]](repeating: [], count: kernels.count)
    for run in 0...runs {
      for (index, kernel) in kernels.enumerated() {
        eviction.run(on: team)
        kernel.writeMaps()
        let duration = clock.measure { kernel.run(on: team) }
        // The first run has page faults.
        if run > 0 { times[index].append(duration) }
      }
    }
    return times.map { $0.sorted()[runs / 4] / .seconds(1) }
  }

  /// Seconds of the fastest of many runs.
  func fastest(_ count: Int, _ body: () -> Void) -> Double {
    ((0..<count).map { _ in clock.measure(body) }.min() ?? .zero) / .seconds(1)
  }
}
