import DepthBase
import DepthErrors
import DepthImages
import DepthVideo
import MonocularDepth
import ProximityAlerts

/// The frame analysis of `depth watch`, which produces events.
struct FrameWatcher {
  let frames: FramePipeline
  var monitor: ProximityMonitor
  /// Rows of the scan; `nil` if no scan is made.
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

  /// A map without depth, for a frame whose depth is unknown. The map causes a BLIND event.
  private func unseen(_ frame: Image) -> DepthMap {
    let (height, width) = estimation.estimator.outputSize(height: frame.height, width: frame.width)
    return .empty(height: height, width: width)
  }

  /// Processes a frame and returns its events.
  ///
  /// - Parameter name: The frame's name in errors.
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

/// The JSON line of an event.
struct EventRecord: Encodable {
  let event, zone, rule: String
  let time: Double
  @OrNull private(set) var frame: Int?
  @OrNull private(set) var nearestM: Double?
  @OrNull private(set) var share: Double?
  @OrNull private(set) var secondsToContact: Double?
  /// Seconds from the frame's arrival to this event; `nil` before the first frame.
  @OrNull private(set) var age: Double?
  /// Number of frames that were dropped so far because a newer frame arrived.
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

  /// The values as environment variables for a program. Unknown values are empty.
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

/// The JSON line of a scan, with the fields of ROS's `LaserScan` and with the frame's number and time.
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
    // All columns were captured at the same time.
    timeIncrement = 0
    // The initial limits suit rooms. Readers discard ranges beyond the limits, so ranges outside rooms widen the
    // limits.
    let known = ranges.compactMap(\.self)
    (rangeMin, rangeMax) = (known.reduce(0.1, min), known.reduce(20, max))
  }
}
