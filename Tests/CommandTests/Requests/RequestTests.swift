import DepthImages
import DepthRefinement
import Foundation
import FrameStreams
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis

@testable import DepthCommands

/// Common rules of all requests.
@Suite struct RequestTests {
  static let all: [any Request.Type] = [
    CameraRequest.self, RefinementRequest.self, MapRequest.self, DepthRequest.self,
    ViewRequest.self, PictureRequest.self, ParallaxRequest.self, StereoRequest.self,
    LensRequest.self, MaskRequest.self, HazeRequest.self, EffectRequest.self, ShapeRequest.self,
    ExportRequest.self, FilmRequest.self, StreamRequest.self,
  ]

  @Test("names of a request's fields are unique", arguments: all.indices)
  func namesAreUnique(index: Int) {
    let names = Self.all[index].fields.map { dashed($0.name) }
    #expect(Set(names).count == names.count)
    #expect(!names.isEmpty)
  }

  @Test("requests survive JSON with their defaults", arguments: all.indices)
  func valuesSurviveJSON(index: Int) throws {
    func check<Value: Request>(_ type: Value.Type) throws {
      let data = try JSONEncoder().encode(Value())
      #expect(try JSONDecoder().decode(type, from: data) == Value())
    }
    try check(Self.all[index])
  }

  @Test("words of a request survive JSON as typed") func wordsSurviveJSON() throws {
    var request = StereoRequest()
    request.parallax.shift = Share(word: "1.5%")
    request.camera.focalLength = FocalLengthWord(word: "26mm")
    request.format = try #require(StereoFormatWord(word: "tab"))
    let data = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(StereoRequest.self, from: data) == request)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""shift":"1.5%""#) && text.contains(#""format":"tab""#))
  }

  @Test("fields unlike their defaults count as given") func givenFieldsDifferFromTheirDefaults() {
    var request = EffectRequest()
    #expect(request.givenFields.isEmpty)
    request.lens.blades = 5
    request.camera.fov = 60
    #expect(request.givenFields == ["blades", "fov"])
  }

  @Test(
    "names of parameters have dashes",
    arguments: [
      ("focalLength", "focal-length"), ("fov", "fov"), ("is16Bit", "16-bit"),
      ("maxParallax", "max-parallax"), ("minConfidence", "min-confidence"),
    ])
  func namesHaveDashes(field: String, name: String) {
    #expect(dashed(field) == name)
  }

  /// A rule must not send users to an option that the command lacks.
  private func check<Value: Request>(_ changes: [(inout Value) -> Void]) {
    let names = Set(Value.fields.map(\.name))
    for (index, change) in changes.enumerated() {
      var request = Value()
      change(&request)
      do {
        try request.check()
        Issue.record("change \(index) of \(Value.self) is not refused")
      } catch {
        #expect(!error.fields.isEmpty, "\(error)")
        for field in error.fields { #expect(names.contains(field), "\(error)") }
      }
    }
  }

  @Test("a broken rule of cameras names fields of the request") func rulesOfCameras() {
    let changes: [(inout CameraRequest) -> Void] = [
      { $0.fov = 180 },
      {
        $0.fov = 60
        $0.focalLength = FocalLengthWord(word: "exif")
      },
    ]
    check(changes)
  }

  @Test("a broken rule of maps names fields of the request") func rulesOfMaps() {
    let changes: [(inout DepthRequest) -> Void] = [
      { $0.map.refinement.detail = 2 },
      {
        $0.map.refinement.detail = 0.5
        $0.map.refinement.refine = .none
      },
      { $0.map.refinement.resolution = MapSize(word: "40000x10") },
      { $0.map.minConfidence = .nan },
      { $0.map.calibrationFactor = 0 },
    ]
    check(changes)
  }

  @Test("a broken rule of stereo photos names fields of the request") func rulesOfStereoPhotos() {
    let changes: [(inout StereoRequest) -> Void] = [
      {
        $0.parallax.shift = Share(word: "1%")
        $0.parallax.baseline = Length(word: "63mm")
      },
      { $0.parallax.baseline = Length(word: "63mm") },
      { $0.parallax.shift = Share(word: "26%") },
      { $0.parallax.maxParallax = Share(word: "0") },
      {
        $0.parallax.screenDistance = Length(word: "2m")
        $0.parallax.convergence = Convergence(word: "0.5")
      },
      { $0.parallax.balance = -1 },
      {
        $0.parallax.renderer = RendererWord(word: "gather")
        $0.parallax.balance = 0
      },
      { $0.views = 4 },
      { $0.animationWidth = 8 },
      { $0.quilt = .init(columns: 2, rows: 2) },
      {
        $0.format = StereoFormatWord(.wiggle)
        $0.parallax.balance = 0
      },
      { $0.picture.quality = 101 },
      {
        $0.picture.keepLocation = true
        $0.picture.stripMetadata = true
      },
      { $0.picture.compression = .fast },
    ]
    check(changes)
  }

  @Test("a broken rule of effects names fields of the request") func rulesOfEffects() {
    let changes: [(inout EffectRequest) -> Void] = [
      {
        $0.effect = .mask
        $0.lens.blades = 5
        $0.focus = FocusWord(word: "nearest")
      },
      {
        $0.effect = .haze
        $0.focus = FocusWord(word: "nearest")
      },
      {
        $0.effect = .haze
        $0.shape.slope = 3
      },
      {
        $0.effect = .spotlight
        $0.haze.density = 0.1
        $0.focus = FocusWord(word: "nearest")
      },
      { $0.effect = .blur },
      {
        $0.effect = .blur
        $0.focus = FocusWord(word: "1.5")
      },
      {
        $0.effect = .blur
        $0.focus = FocusWord(word: "0.5")
        $0.shape.width = 0.2
      },
      {
        $0.effect = .blur
        $0.is16Bit = true
        $0.focus = FocusWord(word: "0.5")
      },
    ]
    check(changes)
  }

  @Test("a broken rule of exports names fields of the request") func rulesOfExports() {
    let changes: [(inout ExportRequest) -> Void] = [
      {
        $0.format = .html
        $0.kind = .mesh
      },
      {
        $0.format = .ply
        $0.lossless = true
      },
      {
        $0.kind = .cloud
        $0.shape.simplify = 1
      },
      {
        $0.format = .obj
        $0.kind = .cloud
      },
      { $0.quality = 0 },
      {
        $0.shape.flyingPixels = .keep
        $0.shape.edgeThreshold = 0.1
      },
    ]
    check(changes)
  }

  @Test("a broken rule of films names fields of the request") func rulesOfFilms() {
    let changes: [(inout FilmRequest) -> Void] = [
      { _ in },
      {
        $0.depth = true
        $0.effect.effect = .blur
      },
      {
        $0.depth = true
        $0.parallax.balance = 0
      },
      {
        $0.depth = true
        $0.effect.lens.blades = 3
      },
      {
        $0.effect.effect = .mask
        $0.pictureRange = DisplayRange(word: "1:2")
      },
      {
        $0.stereo = FilmFormatWord(word: "sbs")
        $0.parallax.frameEdges = .crop
      },
      {
        $0.depth = true
        $0.depthEvery = 61
      },
    ]
    check(changes)
  }

  @Test("a broken rule of streams names fields of the request") func rulesOfStreams() {
    let changes: [(inout StreamRequest) -> Void] = [
      { $0.colorMap = .gray },
      {
        $0.to = .float32
        $0.pictureRange = DisplayRange(word: "1:2")
      },
    ]
    check(changes)
  }
}
