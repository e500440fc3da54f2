import ArgumentParser
import LocalHTTP

extension ParsableArguments {
  /// The options of a command line from the parameters of a request: `?focus=1.8m` is `--focus 1.8m`, and `?fill` or
  /// `?fill=true` is `--fill`.
  ///
  /// - Parameters:
  ///   - others: Parameters that are not options.
  ///   - excluded: Options that requests do not have.
  /// - Throws: `HTTPRefusal` with status 400 and what is wrong with a parameter.
  static func parse(
    _ head: HTTPRequestHead, besides others: Set<String>, without excluded: Set<String> = []
  ) throws -> Self {
    let options = OptionTable(of: self, without: excluded)
    var arguments: [String] = []
    var known: Set<String> = []
    for parameter in head.query {
      let (name, value) = (parameter.name, parameter.value)
      guard known.insert(name).inserted else {
        throw HTTPRefusal(.badRequest, "the parameter \(name) is given twice, expected once")
      }
      if others.contains(name) { continue }
      guard let kind = options.kinds[name] else {
        let hint = options.nearest(to: name).map { ". Did you mean '\($0)'?" } ?? ""
        throw HTTPRefusal(.badRequest, "the parameter \(name) is not known\(hint)")
      }
      switch (kind, value) {
      case (.flag, _): if try parameter.isOn { arguments.append("--\(name)") }
      case (.value, ""):
        throw HTTPRefusal(.badRequest, "the parameter \(name) is empty, expected a value")
      case (.value, _): arguments.append("--\(name)=\(value)")
      }
    }
    do { return try parse(arguments) } catch {
      let text = message(for: error).split(separator: "\n").first.map(String.init)
      throw HTTPRefusal(.badRequest, text ?? "a parameter is wrong")
    }
  }
}

extension HTTPRequestHead.Parameter {
  /// Whether a parameter that is on or off is on: `?fill` or `?fill=true`.
  ///
  /// - Throws: `HTTPRefusal` with status 400.
  var isOn: Bool {
    get throws {
      switch value {
      case "", "true": return true
      case "false": return false
      default:
        throw HTTPRefusal(
          .badRequest, "the parameter \(name) is '\(value)', expected true or false")
      }
    }
  }
}

/// Parameters of `/v1/depth`.
struct DepthQuery: ParsableArguments {
  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var correction: CorrectionQuery
  @OptionGroup var png: CompressionOptions
}
