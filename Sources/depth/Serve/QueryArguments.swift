import ArgumentParser
import LocalHTTP

extension ParsableArguments {
  /// The options of a command line from the parameters of a request: `?focus=1.8m` is `--focus 1.8m`.
  ///
  /// - Parameter others: Parameters that are not options.
  /// - Throws: `HTTPRefusal` with status 400 and what the command line would say.
  static func parse(_ head: HTTPRequestHead, besides others: Set<String>) throws -> Self {
    var arguments: [String] = []
    for parameter in head.query where !others.contains(parameter.name) {
      let name = parameter.name
      let isName = name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
      guard isName, name.first?.isLetter == true, !["help", "version"].contains(name) else {
        throw HTTPRefusal(.badRequest, "the parameter \(name) is not known")
      }
      arguments.append(
        parameter.value.isEmpty ? "--\(name)" : "--\(name)=\(parameter.value)")
    }
    do { return try parse(arguments) } catch {
      let text = message(for: error)
      throw HTTPRefusal(
        .badRequest, String(text.split(separator: "\n").first ?? "a parameter is wrong"))
    }
  }
}

/// Parameters of `/v1/depth`.
struct DepthQuery: ParsableArguments {
  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var png: CompressionOptions
}
