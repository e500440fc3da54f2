import ThreadTeams

/// Times kernels as a network runs them: weights in memory, since it reads them once a photo, and maps as
/// fresh as the layer before leaves them.
struct KernelTimer {
  private let eviction: CacheEviction
  let runs: Int
  private let clock = ContinuousClock()

  /// Bytes that displace what a last-level cache holds.
  private static let evictedBytes = 64 << 20

  init(runs: Int) {
    eviction = CacheEviction(bytes: Self.evictedBytes)
    self.runs = runs
  }

  /// Seconds of every kernel, run in turn so that a slow moment hits all of them alike.
  ///
  /// The lower quartile of the runs: what else the machine does can only add to a time, and the very
  /// fastest run is an accident too.
  func seconds(of kernels: [KernelCase], on team: ThreadTeam) -> [Double] {
    var times = [[Duration]](repeating: [], count: kernels.count)
    for run in 0...runs {
      for (index, kernel) in kernels.enumerated() {
        eviction.run(on: team)
        kernel.writeMaps()
        let duration = clock.measure { kernel.run(on: team) }
        // The first run takes memory from the system.
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
