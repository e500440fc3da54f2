// A server's inner part: clients send photos, one estimator answers all of them.
//   ConcurrentServer PHOTO [PHOTOS]      PHOTOS is the number of photos of the memory test, 200 by default
//
// Prints a table and ends with status 1 when a bar is missed: bits that differ, a cancelled call that goes on for
// long, memory that grows. Throughput is printed; `STRICT=1` makes it a bar too, on an idle machine.
import DepthEstimation
import Foundation

var failures = 0

@MainActor func row(_ what: String, _ bar: String, _ measured: String, _ isMet: Bool) {
  print("\(isMet ? "ok  " : "FAIL") \(what): \(measured), asked \(bar)")
  if !isMet { failures += 1 }
}

/// Photos per second of some tasks that share an estimator.
func throughput(_ estimator: DepthEstimator, photo: Image, tasks: Int, count: Int) async throws
  -> (rate: Double, maps: Set<[Float]>)
{
  let clock = ContinuousClock()
  let start = clock.now
  let maps = try await withThrowingTaskGroup(of: Set<[Float]>.self) { group in
    for _ in 0..<tasks {
      group.addTask {
        var maps: Set<[Float]> = []
        for _ in 0..<count / tasks { maps.insert(try await estimator.depth(of: photo).values) }
        return maps
      }
    }
    return try await group.reduce(into: Set<[Float]>()) { $0.formUnion($1) }
  }
  return (Double(count) / ((clock.now - start) / .seconds(1)), maps)
}

/// Milliseconds from cancelling a task until its call has ended, the longest of several moments.
func cancellation(_ work: @escaping @Sendable () async throws -> Void) async throws -> Double {
  let clock = ContinuousClock()
  var longest = Duration.zero
  for delay in stride(from: 0, to: 60, by: 3) {
    let task = Task { try await work() }
    try await Task.sleep(for: .milliseconds(delay))
    let start = clock.now
    task.cancel()
    _ = await task.result
    longest = max(longest, clock.now - start)
  }
  return longest / .milliseconds(1)
}

/// Resident bytes of this process.
func residentBytes() -> Int {
  let pages =
    (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
    .split(separator: " ").compactMap { Int($0) } ?? []
  return pages.count > 1 ? pages[1] * 4096 : 0
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let photos = Int(arguments.count > 2 ? arguments[2] : "200"), photos > 0
else {
  print("usage: ConcurrentServer PHOTO [PHOTOS]")
  exit(64)
}

do {
  let data = try Data(contentsOf: URL(filePath: arguments[1]))
  let limits = ImageLimits(maximumPixels: 20_000_000, maximumBytes: 2_000_000_000)
  let estimator = try await DepthEstimator.load()
  let photo = try await estimator.withoutBlocking {
    try Image(decoding: Array(data), name: "photo", limits: limits)
  }

  // One task, then four: the processors are shared, and nobody's map changes by a bit.
  _ = try await throughput(estimator, photo: photo, tasks: 4, count: 8)
  var ratios: [Double] = []
  var maps: Set<[Float]> = []
  for _ in 0..<5 {
    let one = try await throughput(estimator, photo: photo, tasks: 1, count: 24)
    let four = try await throughput(estimator, photo: photo, tasks: 4, count: 24)
    ratios.append(four.rate / one.rate)
    maps.formUnion(one.maps.union(four.maps))
  }
  let ratio = ratios.sorted()[2]
  let isStrict = ProcessInfo.processInfo.environment["STRICT"] == "1"
  row(
    "throughput of 4 tasks to 1", ".95", String(format: "%.2f", ratio), ratio >= 0.95 || !isStrict)
  row("different maps of one photo", "1", "\(maps.count)", maps.count == 1)

  // A client hangs up.
  let depth = try estimator.depth(of: photo, options: .unrefined)
  let bound = isStrict ? 50.0 : 1000
  let calls: [(name: String, work: @Sendable () async throws -> Void)] = [
    ("an estimate", { while true { _ = try await estimator.depth(of: photo) } }),
    ("joint refinement", { while true { _ = try await depth.refined(guidedBy: photo) } }),
    (
      "bilateral filter",
      { while true { _ = try await depth.refined(guidedBy: photo, method: .bilateral(.init())) } }
    ),
    ("a stereo pair", { while true { _ = try await photo.stereoPair(depth: depth) } }),
    ("loading", { while true { _ = try await DepthEstimator.load() } }),
  ]
  for call in calls {
    let milliseconds = try await cancellation(call.work)
    row(
      "cancelling \(call.name), \(photo.width)×\(photo.height)", "50 ms",
      String(format: "%.1f ms", milliseconds), milliseconds <= bound)
  }

  // Requests of all kinds, eight clients at a time.
  func serve(_ requests: Range<Int>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in requests {
        if request - requests.lowerBound >= 8 { try await group.next() }
        group.addTask {
          let photo = try await estimator.withoutBlocking {
            try Image(decoding: Array(data), name: "request \(request)", limits: limits)
          }
          let depth = try await estimator.depth(of: photo, options: DepthOptions(limits: limits))
          _ = try await estimator.withoutBlocking { try depth.encoded(as: .png) }
        }
      }
      try await group.waitForAll()
    }
  }
  let warmUp = max(photos / 10, 32)
  try await serve(0..<warmUp)
  let before = residentBytes()
  try await serve(0..<photos)
  let growth = Double(residentBytes() - before) / 1e6
  row(
    "growth of memory over \(photos) photos", "flat",
    String(format: "%+.1f MB of %.0f MB", growth, Double(before) / 1e6),
    growth < max(0.1 * Double(before) / 1e6, 20))
} catch {
  print(error.localizedDescription)
  exit(1)
}
exit(failures == 0 ? 0 : 1)
