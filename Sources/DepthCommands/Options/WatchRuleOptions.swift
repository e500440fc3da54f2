public import ArgumentParser
public import ProximityAlerts

/// The alert rule of `depth watch`.
struct WatchRuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Rule that alerts: metres or near-half.",
      discussion: """
        metres alerts if more than --share of a zone is nearer than --near. near-half alerts if more than 35 % of \
        the picture lies in the nearer half of the picture's own depth range, at any distance; --near, --share and \
        --zone are errors with it.
        """,
      valueName: "name"))
  var rule: ProximityRule.Kind = .metres

  @Option(
    help: ArgumentHelp(
      "Distance below which a pixel is near, such as 80cm or 1.5m, at most 100m; 0.8m by default.",
      valueName: "length"), transform: Length.argument)
  var near: Length?

  @Option(
    help: ArgumentHelp(
      """
      Share of near pixels, among the pixels of a zone that have a depth, above which the zone alerts, 0 to 1; \
      0.1 by default.
      """,
      valueName: "share"))
  var share: Double?

  @Option(
    help: ArgumentHelp(
      """
      Zone of the picture: upper, lower, left, center or right; or a name, and three or more corners x,y as shares of \
      width and height from the top left. May be repeated.
      """,
      discussion: """
        upper and lower are halves, left, center and right are thirds. Another example, \
        door:0.2,0,0.6,0,0.6,1,0.2,1, is as high as the picture and reaches from 20 % to 60 % of its width. If no zone is given, the zones are the left, center and right third.
        """,
      valueName: "name[:x,y,…]"), transform: ProximityZone.argument)
  var zone: [ProximityZone] = []

  @Option(
    help: ArgumentHelp(
      "How long a zone must alert before the event 'enter', such as 0.2s or 200ms.",
      valueName: "time"))
  var enterTime = Seconds(seconds: 0.2)

  @Option(
    help: ArgumentHelp(
      """
      How long a zone must be clear without a break before the event 'leave'. With --rule metres, it is clear if the \
      share of its pixels nearer than 1.15 times --near is at most half of --share.
      """,
      valueName: "time"))
  var leaveTime = Seconds(seconds: 0.5)

  @Option(
    help: ArgumentHelp(
      "Share of a zone's pixels that must have a depth, 0 to 1. With fewer, the zone is blind.",
      valueName: "share"))
  var validShare = 0.3

  @Option(
    help: ArgumentHelp(
      "Time without a frame after which all zones are blind, 0.01s to 86400s.", valueName: "time"))
  var sourceTimeout = Seconds(seconds: 2)

  func validate() throws {
    try check("--share", share, in: 0...1)
    try check("--valid-share", validShare, in: 0...1)
    // A timeout of zero would keep a processor busy until the next frame.
    try check("--source-timeout", sourceTimeout.seconds, in: 0.01...86400, unit: "s")
    if let near, near.metres > 100 {
      throw ValidationError("--near is \(near.metres) m, expected up to 100 m")
    }
    if rule != .metres, let option = metreOptions.first {
      throw ValidationError("\(option) requires --rule metres, found --rule \(rule.rawValue)")
    }
    var names: Set<String> = []
    for zone in zone {
      guard names.insert(zone.name).inserted else {
        throw ValidationError("--zone \(zone.name) is given twice, expected once")
      }
      guard zone.hasArea else {
        throw ValidationError("--zone \(zone.name) has no area, expected corners that enclose one")
      }
    }
  }

  /// The given options that apply only to a rule in metres.
  private var metreOptions: [String] {
    optionNames(["--near": near != nil, "--share": share != nil, "--zone": !zone.isEmpty])
  }

  var monitor: ProximityMonitor {
    var rule = ProximityRule()
    rule.kind = self.rule
    if let near { rule.near = near.metres }
    if let share { rule.share = share }
    rule.enterTime = enterTime.seconds
    rule.leaveTime = leaveTime.seconds
    rule.validShare = validShare
    return ProximityMonitor(rule: rule, zones: zone.isEmpty ? ProximityZone.thirds : zone)
  }
}

extension ProximityRule.Kind: ExpressibleByArgument {}

extension ProximityZone: ArgumentWord {
  static let expected =
    "upper, lower, left, center or right, or a name with three or more corners such as door:0.2,0,0.6,0,0.6,1"

  init?(word: String) { self.init(word) }
}

/// A time such as `2s`, `200ms` or `2`, at most a day.
struct Seconds: ArgumentWord, ExpressibleByArgument {
  static let expected = "a time such as 2s or 200ms, at most 86400s"
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(word: String) {
    guard let time = Quantity(word, units: ["ms": 1000, "s": 1], bare: 1),
      (0...86400).contains(time.value)
    else { return nil }
    seconds = time.value
  }

  var defaultValueDescription: String { "\(seconds)s" }
}

/// Shares of the picture's height, such as `0.3:0.7`.
struct RowSpan: ArgumentWord {
  static let expected = "two shares of the picture's height from the top, such as 0.3:0.7"
  let rows: ClosedRange<Double>

  init?(word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let top = parts[0], let bottom = parts[1], top >= 0, bottom <= 1,
      top < bottom
    else { return nil }
    rows = top...bottom
  }
}
