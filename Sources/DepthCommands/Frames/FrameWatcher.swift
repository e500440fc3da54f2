import DepthBase
import DepthErrors
import DepthImages
import DepthVideo
import MonocularDepth
import ProximityAlerts

/// The watcher of `depth watch`: events of each frame.
struct FrameWatcher {
  let frames: FramePipeline
  var monitor: ProximityMonitor
  /// Rows of the scan; `nil` without one.
  let scanRows: ClosedRange<Double>?
  /// The scan of the last frame.
  private(set) var scan: ColumnScan?

  var estimation: MapEstimation { frames.estimation }

  init(
    estimation: MapEstimation, smoothing: TemporalSmoothing, monitor: ProximityMonitor,
    scanRows: ClosedRange<Double>?, tellsNotes: Bool = false
  ) {
    (self.monitor, self.scanRows) = (monitor, scanRows)
    frames = FramePipeline(
      estimation, smoothing: smoothing, threads: estimation.estimator.threads,
      tell: tellsNotes ? FramePipeline.tell : nil)
  }

  /// The map of a frame of which no depth is known, which is what BLIND is for.
  private func unseen(_ frame: Image) -> DepthMap {
    let (height, width) = estimation.estimator.outputSize(height: frame.height, width: frame.width)
    return .empty(height: height, width: width)
  }

  /// Events of a frame.
  ///
  /// - Parameter name: What errors call it.
  mutating func observe(
    _ image: Image, named name: String, at time: Double
  ) throws -> [ProximityEvent] {
    var (depth, image) = (unseen(image), image)
    do {
      let frame = try frames.depth(of: image, named: name)
      depth = try frame.finished(
        by: estimation, call: CallContext(threads: estimation.estimator.threads))
      image = frame.image
    } catch let error as DepthError where error.code == .noDepth {}
    if let scanRows {
      let camera = try namingFailures(of: name) {
        try PhotoCamera(
          of: image, estimation.options.camera, training: estimation.estimator.training)
      }
      scan = ColumnScan(depth, camera: camera.camera, rows: scanRows)
    }
    return try monitor.observe(depth, at: time)
  }
}

/// The line of an event.
struct EventRecord: Encodable {
  let event, zone, rule: String
  let time: Double
  @OrNull private(set) var frame: Int?
  @OrNull private(set) var nearestM: Double?
  @OrNull private(set) var share: Double?
  @OrNull private(set) var secondsToContact: Double?
  /// Seconds from the frame's arrival to this event; `nil` before the first frame.
  @OrNull private(set) var age: Double?
  /// Frames that have been dropped for newer ones so far.
  let dropped: Int

  init(_ event: ProximityEvent, rule: String, frame: Int?, age: Double?, dropped: Int) {
    (self.event, zone, self.rule) = (event.kind.rawValue, event.zone, rule)
    (time, self.dropped) = (event.time.rounded(toDigits: 3), dropped)
    self.frame = frame
    nearestM = event.nearest.map { $0.rounded(toDigits: 3) }
    share = event.share.map { $0.rounded(toDigits: 3) }
    secondsToContact = event.secondsToContact.map { $0.rounded(toDigits: 3) }
    self.age = age.map { $0.rounded(toDigits: 3) }
  }

  /// The same values for a program that is run; empty where nothing is known.
  var environment: [(name: String, value: String)] {
    func text(_ value: (some LosslessStringConvertible)?) -> String {
      value.map { String($0) } ?? ""
    }
    return [
      ("DEPTH_EVENT", event), ("DEPTH_ZONE", zone), ("DEPTH_TIME", text(time)),
      ("DEPTH_FRAME", text(frame)), ("DEPTH_NEAREST_M", text(nearestM)),
      ("DEPTH_SHARE", text(share)), ("DEPTH_SECONDS_TO_CONTACT", text(secondsToContact)),
      ("DEPTH_AGE", text(age)), ("DEPTH_DROPPED", text(dropped)),
    ]
  }
}

/// The line of a scan: the fields of ROS's `LaserScan` beside the frame's number and time.
struct ScanRecord: Encodable {
  let event = "scan"
  let frame: Int
  let time, angleMin, angleMax, angleIncrement, timeIncrement, rangeMin, rangeMax: Double
  let ranges: [Double?]
  let intensities: [Double] = []

  init(_ scan: ColumnScan, frame: Int, time: Double) {
    self.frame = frame
    self.time = time.rounded(toDigits: 3)
    (angleMin, angleMax) = (scan.angleMin, scan.angleMax)
    angleIncrement = scan.angleIncrement
    ranges = scan.ranges.map { $0?.rounded(toDigits: 3) }
    // All columns are of one moment.
    timeIncrement = 0
    // Those of rooms; readers discard what is outside, so other weights and calibrations widen them.
    let known = ranges.compactMap(\.self)
    (rangeMin, rangeMax) = (known.reduce(0.1, min), known.reduce(20, max))
  }
}
