import DepthErrors
import DepthImages
import DepthRefinement
import Foundation
import PictureFiles
import Synchronization
import Testing
import _TestSupport

@testable import DepthEvaluation

@Suite struct EvaluationTests {
  private let names = ["bad one", "e", "d", "c", "b", "a"]

  @Test("an evaluation is equal on any number of workers")
  func theNumbersDoNotDependOnTheWorkers() throws {
    let evaluator = Evaluator(
      [Scenes.predictor], protocols: EvaluationProtocol.allCases, scalesMedian: true)
    #expect(evaluator.rows.count == 10)  // median and aligned modify the maps
    let runs = try [1, 2, 4].map {
      try Evaluation(evaluator, on: Scenes.Dataset(frameNames: names), workers: $0)
    }
    for run in runs {
      #expect(run.frames.map(\.name) == ["e", "d", "c", "b", "a"])
      #expect(run.frames.map(\.errors) == runs[0].frames.map(\.errors))
      #expect(run.skipped.map(\.name) == ["bad one"])
      for row in run.rows.indices {
        #expect(run.metrics(ofRow: row) == runs[0].metrics(ofRow: row))
      }
    }
  }

  @Test("progress counts each frame once") func everyFrameIsReportedOnce() throws {
    let seen = Seen()
    _ = try Evaluation(
      Evaluator([Scenes.predictor], protocols: [.laina]), on: Scenes.Dataset(frameNames: names),
      workers: 3
    ) { done, name in seen.numbers.withLock { $0.append(done) } }
    #expect(seen.numbers.withLock { $0 } == [1, 2, 3, 4, 5, 6])
  }

  private final class Seen: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  @Test("a predictor is called once for each framing") func aPredictorSeesEachFramingOnce() throws {
    let calls = Seen()
    let counting = Predictor(name: "counting") { frame, framing in
      calls.numbers.withLock { $0.append(framing == .whole ? 0 : 1) }
      return frame.truth
    }
    let evaluator = Evaluator(
      [counting], protocols: [.fullFrame, .laina, .eigen, .perImage], scalesMedian: true)
    let errors = try evaluator.errors(on: Scenes.frame("a"))
    #expect(calls.numbers.withLock { $0.sorted() } == [0, 1])
    #expect(errors.allSatisfy { DepthMetrics($0).rel < 1e-6 && $0.clamped == 0 })
  }

  @Test("an evaluation without a measured frame is an error") func nothingMeasuredIsAnError() {
    let error = #expect(throws: DepthError.self) {
      try Evaluation(
        Evaluator([Scenes.predictor], protocols: [.laina]),
        on: Scenes.Dataset(frameNames: ["bad"]), workers: 2)
    }
    #expect(error.map { "\($0)" }?.contains("no frame could be measured") == true)
  }

  @Test("predictions are read from a folder by name") func predictionsComeFromFilesToo() throws {
    let folder = try TemporaryFolder()
    let frame = try Scenes.frame("a")
    try frame.truth.write(to: URL(filePath: folder.path("a.npy")))
    let evaluator = Evaluator(
      [Predictor(folder: URL(filePath: folder.path))], protocols: [.eigen])
    #expect(DepthMetrics(try evaluator.errors(on: frame)[0]).rel == 0)
    let other = try Scenes.frame("b")
    #expect(throws: DepthError.self) { try evaluator.errors(on: other) }
    try frame.truth.write(to: URL(filePath: folder.path("a_depth.pfm")))
    #expect(
      throws: DepthError.severalPartners(
        file: "a", found: [folder.path("a_depth.pfm"), folder.path("a.npy")].reversed())
    ) { try evaluator.errors(on: frame) }
  }

  @Test("predictions without a unit use the scale of the data set")
  func predictionsHaveTheScaleOfTheDataSet() throws {
    let folder = try TemporaryFolder()
    let frame = try Scenes.frame("a")
    let (height, width) = (frame.truth.height, frame.truth.width)
    let levels = (0..<height * width).map { UInt8($0 % 200 + 1) }
    // A gray picture has no unit.
    let gray = Image(height: height, width: width, pixels: levels.flatMap { [$0, $0, $0] })
    try gray.write(to: URL(filePath: folder.path("a.png")))
    let url = URL(filePath: folder.path)
    #expect(throws: DepthError.unknownScale(file: url.appending(path: "a.png").relativePath)) {
      try Predictor(folder: url)(frame, .whole)
    }
    let map = try Predictor(folder: url, depthScale: 25)(frame, .whole)
    #expect(map.unit == .metres && map.values.count == levels.count)
    #expect(zip(map.values, levels).allSatisfy { abs($0 - Float($1) / 25) < 1e-5 })
  }

  /// Every protocol except `aligned` converts disparity to metres. `aligned` fits disparity.
  @Test("predicted disparity becomes metres except in aligned")
  func predictionsMayBeDisparity() throws {
    let folder = try TemporaryFolder()
    let frame = try Scenes.frame("a")
    let depths = DepthMap(
      height: 24, width: 32, unit: .metres, values: Scenes.prediction(of: frame.truth))
    let file = URL(filePath: folder.path("a.png"))
    try depths.inDisparity().write(to: file)
    let disparity = try DepthMap(contentsOf: file)
    let plain = Predictor(folder: URL(filePath: folder.path))
    let errors = try Evaluator([plain], protocols: [.perImage, .aligned]).errors(on: frame)
    #expect(
      try errors[0]
        == FrameErrors(of: disparity.inMetres(), truth: frame.truth, under: .perImage, name: ""))
    #expect(
      try errors[1] == FrameErrors(of: disparity, truth: frame.truth, under: .aligned, name: ""))
    #expect(try plain(frame, .whole).unit == .disparity)
    #expect(try plain.refined(by: .joint)(frame, .whole).unit == .metres)
  }

  /// A prediction rotated by 90° would be stretched over the frame without a message.
  @Test("a prediction rotated by 90° is refused") func aPredictionOnItsSideIsRefused() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path("a.npy"))
    try Scenes.truth(height: 32, width: 24).write(to: url)
    func errors() throws -> [FrameErrors] {
      try Evaluator([Predictor(folder: URL(filePath: folder.path))], protocols: [.perImage])
        .errors(on: Scenes.frame("a"))
    }
    #expect(
      throws: DepthError.liesOnItsSide(
        file: url.relativePath, found: "24×32", truth: "32×24")
    ) { try errors() }
    // The network's proportions may differ from the photo's proportions.
    try Scenes.truth(height: 16, width: 20).write(to: url)
    #expect(try errors().count == 1)
  }

  @Test("refinement is guided by the photo that the predictor saw")
  func refinementSeesWhatThePredictorSaw() throws {
    let frame = try Scenes.frame("a", height: 48, width: 64)
    let small = Scenes.truth(height: 12, width: 16)
    let plain = Predictor(name: "net") { _, _ in small }
    let refined = plain.refined(by: .joint)
    #expect(refined.name == "net + joint")
    let whole = try refined(frame, .whole)
    #expect(whole.height == 48 && whole.width == 64)
    #expect(try whole.values == small.refined(guidedBy: frame.photo).values)
    let cropped = try refined(frame, .halvedAndCropped)
    #expect(cropped.height == 228 && cropped.width == 304)
  }

  @Test("the sheet shows the frames with the largest errors") func theWorstFramesAreDrawn() throws {
    let dataset = Scenes.Dataset(frameNames: names)
    let evaluator = Evaluator([Scenes.predictor], protocols: [.fullFrame])
    let evaluation = try Evaluation(evaluator, on: dataset, workers: 2)
    let worst = evaluation.worst(3)
    let errors = evaluation.frames.map { DepthMetrics($0.errors[0]).rel }.sorted(by: >)
    #expect(worst.map { DepthMetrics($0.errors[0]).rel } == Array(errors.prefix(3)))
    #expect(evaluation.worst(9).count == 5)
    let sheet = try ContactSheet.image(of: worst, in: dataset, by: evaluator)
    #expect(sheet.height == 720 && sheet.width == 1280)
  }

  @Test("a strip of the sheet is at most 3840 pixels wide") func theSheetStaysSmall() throws {
    let truth = DepthMap(
      height: 1, width: 20_000, unit: .metres, values: [Float](repeating: 2, count: 20_000))
    let frame = try EvaluationFrame(
      name: "", photo: testImage(height: 1, width: 20_000), truth: truth)
    let strip = ContactSheet.strip(frame, truth)
    #expect(strip.height == 240 && strip.width == 4 * 960)
  }

  @Test("the colors of a strip mark missing truth and zero error")
  func theSheetShowsHolesGreyAndNoErrorBlack() throws {
    var values = [Float](repeating: 2, count: 12)
    values[0] = 0
    values[11] = 4
    let truth = DepthMap(height: 3, width: 4, unit: .metres, values: values)
    let frame = try EvaluationFrame(
      name: "", photo: testImage(height: 3, width: 4), truth: truth)
    let strip = ContactSheet.strip(frame, truth)
    #expect(strip.height == 240 && strip.width == 1280)
    func pixel(_ y: Int, _ x: Int) -> [UInt8] {
      Array(strip.pixels[(y * 1280 + x) * 3..<(y * 1280 + x) * 3 + 3])
    }
    #expect(pixel(2, 322) == [128, 128, 128])  // no truth
    #expect(pixel(200, 970) == Array(ColorMap.inferno.colors.prefix(3)))  // no error
    #expect(pixel(238, 638) == Array(ColorMap.turbo.colors.prefix(3)))  // the farthest
  }
}

@Suite struct MedianTests {
  @Test(
    "the median is the middle value, or the mean of two middle values",
    arguments: [1, 2, 3, 10, 1001, 1002])
  func medianIsTheMiddleOfTheSorted(count: Int) {
    let noise = CounterStream("median")
    let values = (0..<count).map { Double(noise[$0] % 4096) / 512 + 0.001 }
    let sorted = values.sorted()
    let expected =
      count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    #expect(median(of: values) == expected)
  }
}
