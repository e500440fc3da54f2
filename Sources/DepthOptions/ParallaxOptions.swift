public import ArgumentParser
package import DepthImages
import PhotoRuns
public import ViewSynthesis

/// How far points move between the eyes.
package struct ParallaxOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Largest shift in each eye, as 1% or 0.01 of the width.", valueName: "share"))
  package var shift: Share?

  @Option(
    help: ArgumentHelp("Distance between the eyes: 63mm, 6.3cm, 0.063m.", valueName: "length"))
  package var baseline: Length?

  @Option(
    help: ArgumentHelp(
      "Distance of the plane that appears at the screen, for --baseline.", valueName: "length"))
  package var screenDistance: Length?

  @Option(
    help: ArgumentHelp(
      "Depth that appears at the screen: 0 (farthest) to 1 (nearest), or auto for the subject.",
      valueName: "share"
    )
  )
  package var convergence: Convergence?

  @Option(
    help: ArgumentHelp(
      "Which view the photo is: 0 the left one, 1 the right one; at 0.5 both are rendered.",
      valueName: "share"))
  package var balance = 0.5

  @Option(
    help: ArgumentHelp(
      "Renderer: warp, gather (J. Zimandl's), or one of his scan-line variants.",
      discussion: """
        gather searches the row for the source of each pixel, one pixel at a time. Where several depths meet, \
        it may stop too early; gaps repeat the background, and colors are mixed from two neighbors. The \
        scan-line variants (shiftAndFix, gapsInOneLoop, frontPixelLast) move whole pixels. Films and streams need \
        warp.
        """, valueName: "name"))
  package var renderer: Renderer = .warp

  @Option(help: ArgumentHelp("Fill holes with blended or stretched background.", valueName: "name"))
  package var holeFilling: StereoOptions.HoleFilling = .blended

  @Option(
    help: ArgumentHelp(
      "Left and right frame edges: fill (like holes), crop, or flat (no parallax at the edges).",
      valueName: "name"))
  package var frameEdges: StereoOptions.FrameEdges = .fill

  @Option(
    help: ArgumentHelp(
      """
      Let near surfaces grow in the depth map by A pixels to each side and D pixels up and down, such as 2x1; 0x0 is off.
      """,
      valueName: "AxD"))
  package var dilation: Dilation?

  @Option(
    help: ArgumentHelp(
      "Largest parallax between the eyes, such as 3% of the width; a picture that exceeds it gets less parallax everywhere.",
      valueName: "share"))
  package var maxParallax: Share?

  package enum Renderer: String, ExpressibleByArgument, CaseIterable {
    case warp, gather, shiftAndFix, gapsInOneLoop, frontPixelLast

    package var renderer: StereoRenderer {
      switch self {
      case .warp: .orderedWarp
      case .gather: .gather
      case .shiftAndFix: .shiftAndFix
      case .gapsInOneLoop: .gapsInOneLoop
      case .frontPixelLast: .frontPixelLast
      }
    }
  }

  package func validate() throws {
    let metric = [baseline != nil, screenDistance != nil]
    if shift != nil, metric.contains(true) {
      throw ValidationError("--shift and --baseline exclude each other, expected one")
    }
    if metric.contains(true), screenDistance == nil {
      throw ValidationError("--screen-distance is missing, expected one with --baseline")
    }
    if let maxParallax, !(0.0001...1).contains(maxParallax.value) {
      throw ValidationError("--max-parallax is \(maxParallax.value), expected 0.01% to 100%")
    }
    if !(0...1).contains(balance) {
      throw ValidationError("--balance is \(balance), expected 0 to 1")
    }
  }

  /// The options as words of a ``Recipe``.
  package var words: [String] {
    var words = [
      screenDistance.map { "baseline=\(baseline?.metres ?? 0.063) screen-distance=\($0.metres)" }
        ?? "shift=\(shift?.value ?? 0.01)",
      "balance=\(balance)", "renderer=\(renderer.rawValue)", "hole-filling=\(holeFilling.rawValue)",
      "frame-edges=\(frameEdges.rawValue)",
    ]
    if let convergence {
      words.append("convergence=\(convergence.share.map { "\($0)" } ?? "auto")")
    }
    if let maxParallax { words.append("max-parallax=\(maxParallax.value)") }
    if let dilation { words.append("dilation=\(dilation.value.across)x\(dilation.value.down)") }
    return words
  }

  /// - Parameter focalLength: The camera that took the photo.
  package func options(focalLength: Camera.FocalLength?, threads: Int?) -> StereoOptions {
    var options = StereoOptions()
    if let screenDistance {
      options.amount = .metric(
        MetricParallax(
          baseline: baseline?.metres ?? 0.063, focalLength: focalLength ?? .photo,
          screenDistance: screenDistance.metres))
    } else {
      options.amount = .shift(shift?.value ?? 0.01)
    }
    if let convergence { options.convergence = convergence.share }
    options.balance = balance
    options.renderer = renderer.renderer
    options.holeFilling = holeFilling
    options.frameEdges = frameEdges
    options.edgeDilation = dilation?.value
    options.largestParallax = maxParallax?.value
    options.threads = threads
    return options
  }
}

extension StereoOptions.HoleFilling: ExpressibleByArgument {}
extension StereoOptions.FrameEdges: ExpressibleByArgument {}

/// `1%` or `0.01`.
package struct Share: ExpressibleByArgument {
  package let value: Double

  package init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? String(argument.dropLast()) : argument), number.isFinite
    else { return nil }
    value = isPercent ? number / 100 : number
  }
}

/// `63mm`, `6.3cm`, `2.5m` or metres without a unit.
package struct Length: ExpressibleByArgument {
  package let metres: Double

  package init?(argument: String) {
    // Parts of a metre: a quotient has the digits that were typed, a product with 0.01 may have fifteen.
    let units = [("mm", 1000.0), ("cm", 100), ("m", 1)]
    let (unit, parts) = units.first { argument.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Double(argument.dropLast(unit.count)), number.isFinite, number > 0
    else { return nil }
    metres = number / parts
  }

  package var defaultValueDescription: String { "\(metres)m" }
}

/// A share of the depth range, or `auto`.
package struct Convergence: ExpressibleByArgument {
  /// `nil` for the subject's depth.
  package let share: Double?

  package init?(argument: String) {
    if argument == "auto" {
      share = nil
    } else if let number = Double(argument), (0...1).contains(number) {
      share = number
    } else {
      return nil
    }
  }
}

/// `2x1`.
package struct Dilation: ExpressibleByArgument {
  package let value: StereoOptions.EdgeDilation

  package init?(argument: String) {
    guard let pixels = Grid(argument, counts: 0...64) else { return nil }
    value = .init(across: pixels.columns, down: pixels.rows)
  }
}
