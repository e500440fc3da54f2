public import ArgumentParser
public import DepthEffects

/// The depth that an effect picks out.
struct FocusOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Depth in focus: a share of the disparity range from 0 (farthest) to 1 (nearest), a distance such as 1.8m or \
      180cm, or nearest (the nearest object). This option or --focus-at is required.
      """,
      valueName: "depth"))
  var focus: FocusOption?

  @Option(
    help: ArgumentHelp(
      """
      Focus on the depth at this pixel: column and row, counted from 0 at the top left. For one photo; not with \
      --focus.
      """,
      valueName: "x,y"))
  var focusAt: PixelOption?

  func validate() throws {
    if focus != nil, focusAt != nil {
      throw ValidationError("--focus and --focus-at exclude each other, expected one")
    }
    if focus == nil, focusAt == nil {
      throw ValidationError("no focus, expected --focus or --focus-at")
    }
    if case .normalized(let share) = focus?.value, !(0...1).contains(share) {
      throw ValidationError(
        "--focus is \(share), expected 0 to 1, or a distance with its unit as 1.8m")
    }
  }

  var wanted: DepthFocus { focusAt?.value ?? focus?.value ?? .normalized(0.5) }
}

/// `0.75`, `1.8m`, `180cm`, `900mm` or `nearest`.
struct FocusOption: ExpressibleByArgument {
  let value: DepthFocus

  init?(argument: String) {
    if argument == "nearest" {
      value = .nearest
    } else if let share = Double(argument) {
      guard share.isFinite else { return nil }
      value = .normalized(share)
    } else {
      guard let length = Length(argument: argument) else { return nil }
      value = .metres(length.metres)
    }
  }
}

/// `320,240`.
struct PixelOption: ExpressibleByArgument {
  let value: DepthFocus

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x >= 0, y >= 0 else { return nil }
    value = .point(x: x, y: y)
  }
}

/// The shape of the mask.
struct MaskOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Steepness of the mask's edges: on both sides of --width, the mask falls from 1 to 0 over 1/slope of the \
      disparity range. 0.01 to 10000; 4 by default.
      """,
      valueName: "number"))
  var slope: Double?
  @Option(
    help: ArgumentHelp(
      """
      Width of the range around the focus in which the mask is 1, as a share of the disparity range; 0.1 \
      by default.
      """,
      valueName: "share"))
  var width: Double?
  @Option(
    help: ArgumentHelp(
      """
      For a depth map smaller than the photo: joint (the default) enlarges the map along the photo's edges, then \
      computes the mask; bicubic computes the mask, then enlarges it.
      """,
      valueName: "name"))
  var scaling: FocusMask.Scaling?

  func validate() throws {
    try check("--slope", slope, in: 0.01...10_000)
    try check("--width", width, in: 0...10)
  }

  /// Names of the options that were given.
  var given: [String] {
    optionNames(["--slope": slope != nil, "--width": width != nil, "--scaling": scaling != nil])
  }

  var mask: FocusMask {
    FocusMask(slope: slope ?? 4, width: width ?? 0.1, scaling: scaling ?? .joint)
  }
}

extension FocusMask.Scaling: ExpressibleByArgument {}
