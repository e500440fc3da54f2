// The code of the comments and the article of ProximityAlerts; a test compares them.
import DepthEstimation
import ProximityAlerts

func watching(_ frames: [Image], by estimator: DepthEstimator) throws {
  var rule = ProximityRule()
  rule.near = 1.2  // metres
  rule.share = 0.05  // of a zone's pixels

  var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
  for (index, frame) in frames.enumerated() {
    let depth = try estimator.depth(of: frame, options: .unrefined)
    for event in try monitor.observe(depth, at: Double(index) / 15) {
      print(event.kind, event.zone)
    }
  }

  rule.kind = .nearHalf
}

func guarding(
  _ camera: AsyncStream<(photo: Image, time: Double)>, by estimator: DepthEstimator
) async throws {
  let options = DepthOptions(camera: .focalLength(.fieldOfView(78)), refinement: .none)
  var filter = TemporalDepthFilter()
  var rule = ProximityRule()
  rule.near = 1.2  // metres
  var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
  for await (photo, time) in camera {
    let network = try await estimator.depth(of: photo, options: options)
    let depth = try filter.filtered(network, photo: photo)
    for event in try monitor.observe(depth, at: time) {
      print(event.kind, event.zone, event.secondsToContact ?? 0)
    }
  }
}

func zones() -> [ProximityZone] {
  let door = ProximityZone(name: "door", corners: [[0.2, 0], [0.6, 0], [0.6, 1], [0.2, 1]])
  let zones = ProximityZone.thirds + [door]
  return zones
}

func reacting(to event: ProximityEvent, stop: () -> Void) {
  if event.kind == .enter { print(event.zone, event.nearest ?? 0, event.secondsToContact ?? 0) }

  if event.kind == .blind { stop() }
}

func scanning(_ depth: DepthMap, _ photo: Image) {
  let scan = ColumnScan(depth, camera: PhotoCamera(of: photo).camera, rows: 0.4...0.6)
  print(scan.ranges.compactMap { $0 }.min() ?? 0)
}
