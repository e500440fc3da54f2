import DepthErrors
import DepthImages
import DepthPhotos
import DepthRefinement
import Foundation
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

@testable import MonocularDepth

/// Values as JSON: stable keys, the value back, and the checks of initializers.
@Suite(.offPool) struct CodableTests {
  /// A value with the JSON that it must have, in this version and later ones.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Value: Codable & Equatable & Sendable>(_ value: Value, _ json: String) {
      testDescription = json
      check = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode([value]), as: UTF8.self)
        #expect(text == "[\(json)]")
        #expect(try JSONDecoder().decode([Value].self, from: Data(text.utf8)) == [value])
      }
    }
  }

  static let values: [Case] = {
    var stereo = StereoOptions()
    stereo.amount = .metric(
      MetricParallax(baseline: 0.5, focalLength: .fieldOfView(60), screenDistance: 2))
    stereo.convergence = nil
    stereo.edgeDilation = .init(across: 2, down: 1)
    stereo.renderer = .shiftAndFix
    stereo.threads = 3
    return [
      Case(
        ImageLimits(maximumPixels: 9, maximumBytes: 5), #"{"maximum_bytes":5,"maximum_pixels":9}"#),
      Case(ImageLimits(maximumPixels: 9), #"{"maximum_pixels":9}"#),
      Case(
        Camera(width: 640, height: 480, focalLength: 525),
        #"{"focal_length_px":525,"height":480,"width":640}"#),
      Case(Camera.FocalLength.photo, #""photo""#),
      Case(Camera.FocalLength.pixels(525), #"{"pixels":525}"#),
      Case(Camera.FocalLength.equivalent35mm(26), #"{"equivalent_35mm":26}"#),
      Case(DepthMap.Unit.metres, #""metres""#),
      Case(DepthMap.Unit.normalized(near: .black), #""normalized-black""#),
      Case(PixelFormat.bgra, #""bgra""#),
      Case(PixelFormat.nv12(.bt709Limited), #""nv12-bt709-limited""#),
      Case(RefinementMethod.none, #"{"name":"none"}"#),
      Case(
        RefinementMethod.gaussian(GaussianFilter(radius: 3, sigma: 1.5)),
        #"{"filter":{"radius":3,"sigma":1.5},"name":"gaussian"}"#),
      Case(
        RefinementMethod.bilateral(BilateralFilter(radius: 3, sigmaSpatial: 2, sigmaRange: 0.5)),
        #"{"filter":{"radius":3,"sigma_range":0.5,"sigma_spatial":2},"name":"bilateral"}"#),
      Case(
        JointFilter(
          passes: 2, sigmaSpatial: 1.5, sigmaRange: 0.25, upsamplingSigma: 0.5, edgeTolerance: 1,
          sharpening: 2, backProjection: 0.75, detail: 0.125),
        #"{"back_projection":0.75,"detail":0.125,"edge_tolerance":1,"passes":2,"sharpening":2,"#
          + #""sigma_range":0.25,"sigma_spatial":1.5,"upsampling_sigma":0.5}"#),
      Case(OutputResolution.photo, #""photo""#),
      Case(OutputResolution.size(height: 480, width: 640), #""640x480""#),
      Case(
        StereoOptions(),
        #"{"amount":{"shift":0.01},"balance":0.5,"convergence":0.5,"frame_edges":"fill","#
          + #""hole_filling":"blended","linear_in":"disparity","renderer":"ordered-warp"}"#),
      Case(
        stereo,
        #"{"amount":{"metric":{"baseline_m":0.5,"focal_length":{"field_of_view":60},"#
          + #""screen_distance_m":2}},"balance":0.5,"convergence":"automatic","#
          + #""edge_dilation":{"across":2,"down":1},"frame_edges":"fill","hole_filling":"blended","#
          + #""linear_in":"disparity","renderer":"scanline-shiftAndFix","threads":3}"#),
      Case(StereoFormat.anaglyph(.greenMagenta), #""anaglyph-green-magenta""#),
      Case(StereoFormat.quilt(columns: 8, rows: 6), #""quilt""#),
      Case(StereoFormat.quilt(columns: 5, rows: 9), #""quilt-5x9""#),
      Case(
        StereoOutput(),
        #"{"animation_delay_s":0.12,"animation_views":2,"animation_width":1280,"lossless":false,"#
          + #""metadata":"without-location","png_compression":"default","quality":92,"#
          + #""quilt_spread":2,"quilt_width":4096}"#),
      Case(ImageFileFormat.png, #""png""#),
      Case(
        ImageFileFormat.jpeg(quality: 80, chroma: .full), #"{"chroma":"full","jpeg_quality":80}"#),
      Case(ColorMap.inferno, #""inferno""#),
      Case(DepthFileFormat.npy, #""npy""#),
      Case(MetadataPolicy.essential, #""essential""#),
      Case(
        DepthFileMetadata(unit: .metres, software: "x", near: 1, far: 2),
        #"{"far_m":2,"near_m":1,"software":"x","unit":"metres"}"#),
      Case(
        WeightsSelection(files: [URL(filePath: "/a b.h5")], averagesMirrored: true),
        #"{"averages_mirrored":true,"files":["/a b.h5"]}"#),
      Case(
        DepthCalibration(
          scale: 2, shift: 0.5, weightsSHA256: "ab",
          residuals: [
            .init(point: .init(x: 1, y: 2, metres: 4), predicted: 3, calibrated: 4.5)
          ], refinement: .joint),
        #"{"format":"depth-calibration","points":[{"calibrated_m":4.5,"error_m":0.5,"metres":4,"#
          + #""predicted_m":3,"x":1,"y":2}],"refinement":"joint","scale":2,"shift":0.5,"version":1,"#
          + #""weights_sha256":"ab"}"#),
      Case(DepthCalibration.KnownPoint(x: 1, y: 2, metres: 4), #"{"metres":4,"x":1,"y":2}"#),
      Case(
        PhotoCamera(
          of: Image(height: 1, width: 1, pixels: [0, 0, 0]),
          camera: .init(width: 4, height: 3, focalLength: 2)),
        #"{"camera":{"focal_length_px":2,"height":3,"width":4},"source":"given"}"#),
      Case(DepthError.Code.noDepth, #""noDepth""#),
    ]
  }()

  @Test(arguments: values) func keysAreStableAndValuesComeBack(_ value: Case) throws {
    try value.check()
  }

  @Test func missingKeysTakeTheirDefaults() throws {
    func decoded<Value: Decodable>(_: Value.Type, _ json: String) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }
    #expect(try decoded(JointFilter.self, "{}") == JointFilter())
    #expect(try decoded(BilateralFilter.self, "{}") == BilateralFilter())
    #expect(try decoded(GaussianFilter.self, "{}") == GaussianFilter())
    #expect(try decoded(StereoOptions.self, "{}") == StereoOptions())
    #expect(try decoded(StereoOutput.self, "{}") == StereoOutput())
    #expect(try decoded(ImageLimits.self, "{}") == ImageLimits())
    #expect(try decoded(RefinementMethod.self, #"{"name": "joint"}"#) == .joint(JointFilter()))
    let soft = try decoded(RefinementMethod.self, #"{"name": "joint", "filter": {"detail": 0.2}}"#)
    #expect(soft == .joint(JointFilter(detail: 0.2)))
  }

  /// JSON that makes no sense for a type, and what the error says.
  static let nonsense: [(type: any (Decodable & Sendable).Type, json: String, text: String)] = [
    (ImageLimits.self, #"{"maximum_pixels": 0}"#, "maximum_pixels is 0, expected 1 or more"),
    (
      ImageLimits.self, #"{"maximumPixels": 5}"#,
      "has the key 'maximumPixels', expected maximum_pixels"
    ),
    (Camera.self, #"{"width": 0, "height": 4, "focal_length_px": 3}"#, "expected 1 or more pixels"),
    (Camera.self, #"{"width": 4, "height": 4, "focal_length_px": -3}"#, "more than 0 pixels"),
    (Camera.FocalLength.self, #"{"pixels": 1, "field_of_view": 2}"#, "has 2 keys"),
    (Camera.FocalLength.self, #""exif""#, "the focal length is 'exif', expected photo"),
    (DepthMap.Unit.self, #""feet""#, "the unit is 'feet', expected metres"),
    (RefinementMethod.self, #"{"name": "none", "filter": {}}"#, "has a filter, expected no filter"),
    (JointFilter.self, #"{"detail": 2}"#, "the filter's detail is 2.0, expected 0 to 1"),
    (JointFilter.self, #"{"sigma": 2}"#, "has the key 'sigma'"),
    (BilateralFilter.self, #"{"radius": -1}"#, "the filter's radius is -1"),
    (GaussianFilter.self, #"{"sigma": 0}"#, "the filter's sigma is 0.0"),
    (OutputResolution.self, #""0x7""#, "the resolution is '0x7'"),
    (StereoOptions.self, #"{"balance": 2}"#, "balance is 2.0, expected 0 to 1"),
    (StereoOptions.self, #"{"threads": 0}"#, "the number of threads is 0"),
    (StereoOptions.self, #"{"amount": {"shift": 0.3}}"#, "shift is 0.3"),
    (StereoOptions.self, #"{"convergence": 1.5}"#, "convergence is 1.5"),
    (StereoOptions.self, #"{"edge_dilation": {"across": 65, "down": 0}}"#, "edge dilation is 65"),
    (StereoOptions.self, #"{"renderer": "fast"}"#, "the renderer is 'fast'"),
    (
      MetricParallax.self, #"{"focal_length": "photo", "screen_distance_m": 0}"#,
      "screen_distance_m is 0.0"
    ),
    (StereoFormat.self, #""quilt-0x4""#, "the format is 'quilt-0x4'"),
    (StereoOutput.self, #"{"quality": 101}"#, "quality is 101, expected 1 to 100"),
    (ImageFileFormat.self, #"{"jpeg_quality": 0}"#, "jpeg_quality is 0"),
    (MetadataPolicy.self, #""none""#, "the metadata to keep is 'none'"),
    (WeightsSelection.self, #"{"files": []}"#, "the number of weights files is 0"),
    (
      DepthCalibration.KnownPoint.self, #"{"x": 1, "y": 1, "metres": -1}"#,
      "the distance at 1,1 is -1.0 m"
    ),
    (
      DepthCalibration.self,
      #"{"format": "depth-calibration", "version": 2, "scale": 1, "shift": 0}"#,
      "is depth-calibration version 2"
    ),
    (
      DepthCalibration.self,
      #"{"format": "depth-calibration", "version": 1, "scale": -1, "shift": 0}"#,
      "expected a positive and a finite number"
    ),
  ]

  @Test(arguments: nonsense.indices) func nonsenseIsAnErrorThatSaysWhatWasExpected(_ index: Int)
    throws
  {
    let (type, json, text) = Self.nonsense[index]
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(type, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription.contains(text), "\(context.debugDescription)")
  }
}
