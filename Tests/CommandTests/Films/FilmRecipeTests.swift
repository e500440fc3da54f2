import Foundation
import Testing
import _TestSupport

@testable import DepthCommands
@testable import FilmFiles
@testable import MonocularDepth

/// The settings in the record of a film's segments.
@Suite struct FilmRecipeTests {
  /// Two requests that differ in every field. Films may refuse these combinations.
  private static let requests = [
    """
    {"stereo": "sbs-half", "depth": false, "colorMap": "gray", "pictureRange": "0.5:6", "steady": "gated",
    "depthEvery": 1,
    "effect": {"effect": "haze", "focus": "nearest", "focusAt": "1,2", "is16Bit": false,
    "lens": {"style": "lens", "aperture": "f/2", "lens": "50mm", "radius": "1%", "blades": 0,
    "rotation": 0},
    "shape": {"slope": 1, "width": 1, "scaling": "joint", "from": "1m", "to": "2m", "soft": "1cm"}, "haze": {"density": 1, "strength": 0},
    "camera": {"focalLength": "26mm", "fov": 60},
    "picture": {"quality": 1, "compression": "fast", "keepLocation": false, "stripMetadata": false}},
    "parallax": {"shift": "1%", "baseline": "63mm", "screenDistance": "1m", "renderer": "warp",
    "convergence": "auto", "balance": 0.5, "holeFilling": "blended", "frameEdges": "fill", "dilation": "1x1",
    "maxParallax": "1%"}}
    """,
    """
    {"stereo": "tb-half", "depth": true, "colorMap": "inferno", "pictureRange": "0.5:7", "steady": "none",
    "depthEvery": 2,
    "effect": {"effect": "blur", "focus": "subject", "focusAt": "1,3", "is16Bit": true,
    "lens": {"style": "mask", "aperture": "f/3", "lens": "60mm", "radius": "2%", "blades": 5,
    "rotation": 1},
    "shape": {"slope": 2, "width": 2, "scaling": "bicubic", "from": "0.1", "to": "0.2", "soft": "0.3"}, "haze": {"density": 2, "strength": 1},
    "camera": {"focalLength": "27mm", "fov": 61},
    "picture": {"quality": 2, "compression": "small", "keepLocation": true, "stripMetadata": true}},
    "parallax": {"shift": "2%", "baseline": "64mm", "screenDistance": "2m", "renderer": "gather",
    "convergence": "0.5", "balance": 0, "holeFilling": "stretched", "frameEdges": "flat", "dilation": "2x1",
    "maxParallax": "2%"}}
    """,
  ]

  private func recipes() throws -> [FilmRecipe] {
    let requests = try Self.requests.map {
      try JSONDecoder().decode(FilmRequest.self, from: Data($0.utf8))
    }
    var first = FilmRecipe(
      request: requests[0], encoder: EncoderSettings(quality: 1, preset: "fast"),
      excerpt: FilmExcerpt(start: 1, duration: 1), preview: 1, segment: 1,
      weights: WeightsRequest(names: ["a"], inputSize: 1, kind: .allCases[0]),
      calibration: CalibrationFile(DepthCalibration(scale: 1, shift: 0)))
    var second = FilmRecipe(
      request: requests[1], encoder: EncoderSettings(codec: "ffv1", quality: 2, preset: "slow"),
      excerpt: FilmExcerpt(start: 2, duration: 2), preview: 2, segment: 2,
      weights: WeightsRequest(names: ["b"], mirrored: true, inputSize: 2, kind: .allCases[1]),
      calibration: CalibrationFile(DepthCalibration(scale: 2, shift: 0)))
    (first.weights.precision, second.weights.precision) = (.float32, .int8)
    (first.weights.metres, second.weights.metres) = ("a", "b")
    (first.weights.tokens, second.weights.tokens) = (500, 1800)
    return [first, second]
  }

  /// The stored values inside a value, by path. Words and lists are texts.
  private func leaves(_ value: Any, _ path: String = "") -> [String: String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      guard let some = mirror.children.first else { return [path: "nothing"] }
      return leaves(some.value, path)
    case .struct where !mirror.children.isEmpty:
      if let word = value as? any RequestWord { return [path: word.word] }
      if value is CalibrationFile { return [:] }
      return mirror.children.reduce(into: [:]) { all, child in
        all.merge(leaves(child.value, "\(path)/\(child.label ?? "")")) { $1 }
      }
    default: return [path: "\(value)"]
    }
  }

  /// Leaves of JSON by path.
  private func encoded(_ value: Any, _ path: String = "") -> [String: String] {
    guard let object = value as? [String: Any] else { return [path: "\(value)"] }
    return object.reduce(into: [:]) { all, field in
      all.merge(encoded(field.value, "\(path)/\(field.key)")) { $1 }
    }
  }

  /// A new field of the recipe or of a value inside needs two values in `requests`.
  @Test("every setting of a film is encoded in its recipe") func everySettingIsEncoded() throws {
    let recipes = try recipes()
    let stored = recipes.map { leaves($0) }
    let texts = try recipes.map {
      encoded(try JSONSerialization.jsonObject(with: JSONEncoder().encode($0)))
    }
    #expect(stored[0].count > 40)
    for (path, value) in stored[0] {
      #expect(value != "nothing" && stored[1][path] != "nothing", "\(path) has no value")
      #expect(value != stored[1][path], "\(path) has one value")
      let found = try #require(texts[0][path], "\(path) is not encoded")
      #expect(found != texts[1][path], "\(path) is encoded alike")
    }
  }

  /// Settings of a run outside the recipe change no byte of its film.
  @Test("only known settings of a run are outside the recipe")
  func otherSettingsAreKnownToChangeNothing() throws {
    let settings = FilmBatch.Settings(
      recipe: try recipes()[0], overwrite: false, isQuiet: false, threads: 1,
      limits: .init())
    #expect(
      Mirror(reflecting: settings).children.map { $0.label ?? "" } == [
        "recipe", "overwrite", "isQuiet", "replacesOutdated", "threads", "limits",
      ])
  }

  @Test("each calibration number is encoded") func everyNumberOfACalibrationIsEncoded() throws {
    let calibration = DepthCalibration(scale: 1, shift: 0)
    let changes: [(inout DepthCalibration) -> Void] = [
      { $0.mapUnit = .relativeDisparity }, { $0.scale = 2 }, { $0.shift = 1 },
      { $0.weightsIdentifier = "a" },
      { $0.refinement = .allCases.first { $0 != calibration.refinement }! },
      { $0.relativeFocalLength = 1 },
      {
        $0.residuals = [
          .init(point: .init(x: 1, y: 1, metres: 1), predicted: 1, calibrated: 1)
        ]
      }, { $0.fit = .init(points: 1, leftOut: 0, rms: 0, medianError: 0) },
    ]
    #expect(Mirror(reflecting: calibration).children.count == changes.count)
    let text = try jsonLine(CalibrationFile(calibration))
    for (index, change) in changes.enumerated() {
      var changed = calibration
      change(&changed)
      #expect(try jsonLine(CalibrationFile(changed)) != text, "change \(index)")
    }
  }

  @Test("different programs have different digests") func theProgramIsToldFromAnother() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 300_000)
    func digest(_ bytes: [UInt8]) throws -> String {
      try ProgramFile.digest(of: folder.write(bytes, to: "program"))
    }
    let first = try digest(bytes)
    #expect(try digest(bytes) == first)
    #expect(try digest(bytes + [7]) != first)
    for place in [0, 262_144, 299_999] {
      var other = bytes
      other[place] = 8
      #expect(try digest(other) != first, "byte \(place)")
    }
    #expect(try ProgramFile.digest() == ProgramFile.digest())
  }

  @Test("programs, weights and recipe are in the fingerprint", .withFFmpeg)
  func theProgramsAreInTheFingerprint() throws {
    let recipe = try recipes()[0]
    let (estimator, tools) = (try DepthEstimator(), try FFmpeg())
    let fingerprint = try recipe.fingerprint(by: estimator, tools)
    for text in [
      Version.text, try ProgramFile.digest(), tools.version, try estimator.weightsIdentifier(),
      try jsonLine(recipe),
    ] {
      #expect(!text.isEmpty && fingerprint.contains(text), "\(text)")
    }
  }
}
