import DepthErrors
import ViewSynthesis

/// The last word of a renderer's name: `warp`, `gather` or `shiftAndFix`.
struct RendererWord: RequestWord {
  static var expected: String { listed(names) }
  static var names: [String] { StereoRenderer.allCases.map(name) }
  let renderer: StereoRenderer
  var word: String { Self.name(renderer) }

  init?(word: String) {
    guard let renderer = StereoRenderer.allCases.first(where: { Self.name($0) == word })
    else { return nil }
    self.renderer = renderer
  }

  private static func name(_ renderer: StereoRenderer) -> String {
    renderer.rawValue.split(separator: "-").last.map(String.init) ?? renderer.rawValue
  }
}
