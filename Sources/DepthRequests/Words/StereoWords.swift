package import StereoPhotos
package import ViewSynthesis

/// A stereo format by one of its names.
package struct StereoFormatWord: RequestWord {
  package static var expected: String { StereoFormat.all.map(\.name).joined(separator: ", ") }
  package let word: String
  package let format: StereoFormat

  package init(_ format: StereoFormat) { (word, self.format) = (format.name, format) }

  package init?(word: String) {
    guard let format = StereoFormat(name: word) else { return nil }
    (self.word, self.format) = (word, format)
  }
}

/// A stereo format whose views are in one picture, as films have them.
package struct FilmFormatWord: RequestWord {
  package static var expected: String {
    StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
  }
  package let word: String
  package let format: StereoFormat

  package init?(word: String) {
    guard let format = StereoFormat(name: word), format.isOnePicture else { return nil }
    (self.word, self.format) = (word, format)
  }
}

/// `warp`, `gather` and `shiftAndFix`: the last word of a renderer's name.
package struct RendererWord: RequestWord {
  package static var expected: String { listed(names) }
  package static var names: [String] { StereoRenderer.allCases.map(name) }
  package let renderer: StereoRenderer
  package var word: String { Self.name(renderer) }

  package init?(word: String) {
    guard let renderer = StereoRenderer.allCases.first(where: { Self.name($0) == word })
    else { return nil }
    self.renderer = renderer
  }

  private static func name(_ renderer: StereoRenderer) -> String {
    renderer.rawValue.split(separator: "-").last.map(String.init) ?? renderer.rawValue
  }
}

/// A share of the disparity range, or `auto`.
package struct Convergence: RequestWord {
  package static let expected = "0 to 1, or auto"
  package let word: String
  /// `nil` for the subject's depth.
  package let share: Double?

  package init?(word: String) {
    if word == "auto" {
      share = nil
    } else if let number = Double(word), (0...1).contains(number) {
      share = number
    } else {
      return nil
    }
    self.word = word
  }
}

/// `0.5:6`, metres.
package struct PictureSpan: RequestWord {
  package static let expected = "two distances in metres such as 0.5:6, the nearer one first"
  package let word: String
  /// 1 / metres, black to white.
  package let disparities: ClosedRange<Float>

  package init?(word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
    guard parts.count == 2, let near = parts[0], let far = parts[1], near > 0, far > near,
      far.isFinite
    else { return nil }
    (self.word, disparities) = (word, 1 / far...1 / near)
  }
}
