public import ArgumentParser
public import ViewSynthesis

/// On the command line `warp`, `gather` and `shiftAndFix`: the last word of the library's name.
extension StereoRenderer: ExpressibleByArgument {
  var word: String { rawValue.split(separator: "-").last.map(String.init) ?? rawValue }

  /// A renderer by its name on the command line.
  public init?(argument: String) {
    guard let renderer = Self.allCases.first(where: { $0.word == argument }) else { return nil }
    self = renderer
  }

  /// The names on the command line.
  public static var allValueStrings: [String] { allCases.map(\.word) }

  /// Empty. Otherwise help would list names that differ from raw values as descriptions.
  public static var allValueDescriptions: [String: String] { [:] }
}

extension StereoOptions.HoleFilling: ExpressibleByArgument {}
extension StereoOptions.FrameEdges: ExpressibleByArgument {}
