import DepthBase
import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands
@testable import DepthVideo
@testable import FrameStreams

/// Frames in concurrent steps equal calls in turn.
@Suite struct FramePipelineTests {
  private static let estimation = Result {
    MapEstimation(
      try DepthEstimator(.compact, threads: 1), options: .unrefined)
  }

  /// Frames of a picture that gets brighter. The frame `damaged` cannot be decoded.
  private static func frames(_ count: Int, damaged: Int? = nil) throws -> [EncodedFrame] {
    try (0..<count).map { index in
      let photo = TestPhoto.image()
      let image = Image(
        height: photo.height, width: photo.width,
        pixels: photo.pixels.map { UInt8(min(255, Int($0) + 9 * index)) })
      var bytes = try image.encoded(as: .jpeg(quality: 90))
      if index == damaged {
        for at in 2..<bytes.count - 2 where at % 3 == 0 { bytes[at] = 0 }
      }
      return EncodedFrame(
        index: index, arrival: .now, name: "frame \(index)", content: .jpeg(bytes),
        limits: ImageLimits())
    }
  }

  /// Finishes each frame's map.
  private struct Maker: FrameMaker {
    let estimation: MapEstimation

    func output(of frame: FrameDepth, steps: OrderedSteps) throws -> DepthMap {
      try steps.run(1) {}
      return try frame.finished(by: estimation, call: CallContext(threads: 1))
    }

    func skip(_ steps: OrderedSteps) throws { try steps.run(1) {} }
  }

  private func maps(
    _ frames: FramePipeline, of encoded: [EncodedFrame], workers: Int
  ) throws -> [DepthMap?] {
    let next = Mutex(0)
    let maps = Mutex<[DepthMap?]>([])
    let maker = Maker(estimation: frames.estimation)
    try FrameWorkers<EncodedFrame, DepthMap?>(
      next: {
        next.withLock { index in
          defer { index += 1 }
          return index < encoded.count ? encoded[index] : nil
        }
      },
      work: { try frames.output(of: $0, number: $0.index, steps: $1, by: maker) },
      deliver: { map in maps.withLock { $0.append(map) } }
    ).run(threads: workers)
    return maps.withLock(\.self)
  }

  @Test("frames in steps give the maps of calls in turn", arguments: [1, 3])
  func stepsAreThoseOneAfterAnother(workers: Int) throws {
    let estimation = try Self.estimation.get()
    let encoded = try Self.frames(5, damaged: 2)
    let found = try maps(
      FramePipeline(estimation, smoothing: .gated, threads: 1), of: encoded, workers: workers)
    var filter = try #require(TemporalSmoothing.gated.temporalFilter)
    for (index, frame) in encoded.enumerated() {
      guard index != 2 else {
        #expect(found[index] == nil)
        continue
      }
      let image = try frame.image()
      let estimate = try estimation.estimate(
        of: image, named: frame.name, call: CallContext(threads: 1))
      let steady = try filter.filtered(estimate.depth, photo: image)
      #expect(found[index]?.values == steady.values, "frame \(index)")
    }
  }

  /// Between estimates, depth moves with the picture. Still parts keep the last estimate.
  @Test("depth is estimated for every nth frame") func depthIsEstimatedForEveryNthFrame() throws {
    let estimation = try Self.estimation.get()
    let still = try Self.frames(1)
    let encoded = (0..<4).map { index in
      EncodedFrame(
        index: index, arrival: .now, name: "frame \(index)", content: still[0].content,
        limits: ImageLimits())
    }
    let found = try maps(
      FramePipeline(estimation, smoothing: .none, threads: 1, findsMotion: true, depthEvery: 3),
      of: encoded, workers: 2
    ).map { try #require($0) }
    let estimate = try estimation.estimate(
      of: still[0].image(), named: "still", call: CallContext(threads: 1)
    ).depth
    #expect(found[0].values == estimate.values && found[3].values == estimate.values)
    for map in found[1...2] {
      for (value, known) in zip(map.values, estimate.values) {
        #expect(abs(value - known) < 0.01 * known)
      }
    }
  }

  @Test(
    "the estimates of the first second decide on the camera",
    arguments: [(1, 30), (3, 10)])
  func estimatesOfASecondDecide(depthEvery: Int, deciding: Int) throws {
    let frames = FramePipeline(
      try Self.estimation.get(), smoothing: .gated, threads: 1, findsMotion: true,
      framesPerSecond: 30, depthEvery: depthEvery)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let saved = String(decoding: try encoder.encode(frames.saved), as: UTF8.self)
    #expect(saved.contains("\"deciding\":\(deciding),"), "\(saved)")
  }

  @Test("a restored pipeline gives equal maps") func savedStateGivesEqualMaps() throws {
    let estimation = try Self.estimation.get()
    let encoded = try Self.frames(4)
    func frames() -> FramePipeline {
      FramePipeline(estimation, smoothing: .gated, threads: 1, findsMotion: true)
    }
    let whole = try maps(frames(), of: encoded, workers: 1)
    let (first, second) = (frames(), frames())
    _ = try maps(first, of: Array(encoded[..<2]), workers: 1)
    second.restore(first.saved)
    let rest = try maps(second, of: Array(encoded[2...]), workers: 1)
    #expect(rest.map { $0?.values } == whole[2...].map { $0?.values })
  }

  @Test("the frame after a cut is estimated") func theFirstFrameAfterACutIsEstimated() throws {
    let estimation = try Self.estimation.get()
    let photo = TestPhoto.image()
    let other = Image(
      height: photo.height, width: photo.width, pixels: photo.pixels.reversed().map { 255 - $0 })
    let encoded = try [photo, other, other].enumerated().map { index, image in
      EncodedFrame(
        index: index, arrival: .now, name: "frame \(index)",
        content: .jpeg(try image.encoded(as: .jpeg(quality: 90))), limits: ImageLimits())
    }
    let found = try maps(
      FramePipeline(estimation, smoothing: .none, threads: 1, findsMotion: true, depthEvery: 4),
      of: encoded, workers: 1)
    for index in 0..<2 {
      let estimate = try estimation.estimate(
        of: encoded[index].image(), named: "frame", call: CallContext(threads: 1))
      #expect(found[index]?.values == estimate.depth.values, "frame \(index)")
    }
    for (value, known) in zip(found[2]?.values ?? [], found[1]?.values ?? []) {
      #expect(abs(value - known) < 0.01 * known)
    }
  }
}
