package import ArgumentParser
package import DepthOptions
package import LocalHTTP
import PhotoRuns

/// Options without a value, which may be `true` or `false` as in a request of `depth worker`.
private let queryFlags = PredictionRequest.flags.union(["lossless"])

extension ParsableArguments {
  /// The options of a command line from the parameters of a request: `?focus=1.8m` is `--focus 1.8m`.
  ///
  /// - Parameter others: Parameters that are not options.
  /// - Throws: `HTTPRefusal` with status 400 and what the command line would say.
  package static func parse(_ head: HTTPRequestHead, besides others: Set<String>) throws -> Self {
    var arguments: [String] = []
    for parameter in head.query where !others.contains(parameter.name) {
      let name = parameter.name
      let isName = name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
      guard isName, name.first?.isLetter == true, !["help", "version"].contains(name) else {
        throw HTTPRefusal(.badRequest, "the parameter \(name) is not known")
      }
      switch parameter.value {
      case "": arguments.append("--\(name)")
      case "true" where queryFlags.contains(name): arguments.append("--\(name)")
      case "false" where queryFlags.contains(name):
        // Refused as any other name where there is no such option.
        _ = try options(["--\(name)"], unknownOnly: true)
      default: arguments.append("--\(name)=\(parameter.value)")
      }
    }
    guard let options = try options(arguments, unknownOnly: false) else {
      throw HTTPRefusal(.badRequest, "a parameter is wrong")
    }
    return options
  }

  /// - Parameter unknownOnly: Whether only a name that is no option is refused; `nil` for other faults then.
  private static func options(_ arguments: [String], unknownOnly: Bool) throws -> Self? {
    do { return try parse(arguments) } catch {
      let text = message(for: error).split(separator: "\n").first.map(String.init)
      if unknownOnly, text?.hasPrefix("Unknown option") != true { return nil }
      throw HTTPRefusal(.badRequest, text ?? "a parameter is wrong")
    }
  }
}

/// Parameters of `/v1/depth`.
package struct DepthQuery: ParsableArguments {
  package init() {}

  @OptionGroup package var camera: CameraOptions
  @OptionGroup package var refinement: RefinementOptions
  @OptionGroup package var confidence: ConfidenceOptions
  @OptionGroup package var correction: CorrectionQuery
  @OptionGroup package var png: CompressionOptions
}
