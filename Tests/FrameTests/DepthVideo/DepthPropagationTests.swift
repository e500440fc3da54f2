import DepthImages
import Testing

@testable import DepthVideo

/// Depth that moves with the photo, and recognition of cuts and still frames.
@Suite struct DepthPropagationTests {
  private let height = 48
  private let width = 64

  /// A textured wall, moved by `pan` pixels, and a box on it.
  private func photo(pan: Int, box: Int? = nil, seed: Int = 0) -> Image {
    var pixels: [UInt8] = []
    for y in 0..<4 * height {
      for x in 0..<4 * width {
        let (u, v) = ((x + pan + 4000) / 12, y / 12)
        var level = UInt8((u &* 7919 &+ v &* 104_729) % 140 + 40)
        if seed > 0 { level = UInt8(255 - (u &* 613 &+ v &* 389) % 60) }
        if let box, (box..<box + 80).contains(x), (40..<120).contains(y) {
          level = UInt8(((x - box) / 10 * 37 + y / 10 * 59) % 60 + 190)
        }
        pixels += [level, level, level]
      }
    }
    return Image(height: 4 * height, width: 4 * width, pixels: pixels)
  }

  private func map(_ value: (_ y: Int, _ x: Int) -> Float) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { value($0 / width, $0 % width) })
  }

  @Test("depth follows a pan and a moving box", arguments: [0, 16, -24])
  func depthMovesWithThePhoto(pan: Int) throws {
    var propagation = DepthPropagation()
    let before = map { y, x in
      (10..<30).contains(y) && (10..<30).contains(x) ? 1 : 3 + Float(x) / 64
    }
    #expect(propagation.moved(to: photo(pan: 0)) == nil)
    propagation.keep(before, photo: photo(pan: 0, box: 40))
    // The motions of two frames add up.
    _ = propagation.moved(to: photo(pan: pan / 2, box: 56))
    let found = propagation.moved(to: photo(pan: pan, box: 72))
    let moved = try #require(found)
    var wrong = 0
    for y in 2..<height - 2 {
      for x in 10..<width - 10 {
        let isBox = (10..<30).contains(y) && (18..<38).contains(x)
        let from = min(max(x + pan / 4, 0), width - 1)
        let wanted: Float = isBox ? 1 : 3 + Float(from) / 64
        // The uncovered wall takes the depth of similar pixels.
        let wasHidden = (10..<30).contains(y) && (8..<20).contains(x)
        if !wasHidden, abs(moved.values[y * width + x] - wanted) > 0.1 { wrong += 1 }
      }
    }
    #expect(wrong < 100, "\(wrong)")
  }

  @Test("a still frame keeps its depth") func stillFramesKeepTheirDepth() throws {
    var propagation = DepthPropagation()
    let depth = map { y, x in Float(1 + (x * y) % 7) }
    propagation.keep(depth, photo: photo(pan: 0))
    #expect(propagation.moved(to: photo(pan: 0)) == depth)
  }

  @Test("restored states of motion and filter give equal depth") func savedStatesContinue() throws {
    var propagation = DepthPropagation()
    propagation.keep(map { _, x in Float(x + 1) }, photo: photo(pan: 0))
    _ = propagation.moved(to: photo(pan: 8))
    var again = DepthPropagation(propagation.saved)
    #expect(again.saved == propagation.saved)
    #expect(again.moved(to: photo(pan: 16)) == propagation.moved(to: photo(pan: 16)))
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(map { _, _ in 2 }, photo: photo(pan: 0))
    _ = try filter.filtered(map { _, x in 2 + Float(x % 3) / 50 }, photo: photo(pan: 2))
    var other = TemporalDepthFilter()
    other.restore(filter.saved)
    let next = map { y, _ in 2 + Float(y % 5) / 40 }
    #expect(
      try other.filtered(next, photo: photo(pan: 4))
        == filter.filtered(next, photo: photo(pan: 4)))
  }

  @Test("a damaged state of motion or filter is refused") func damagedStatesAreRefused() throws {
    var propagation = DepthPropagation()
    propagation.keep(map { _, x in Float(x + 1) }, photo: photo(pan: 0))
    let moved = try #require(propagation.saved)
    #expect(moved.isConsistent)
    for damage: (inout DepthPropagation.Saved) -> Void in [
      { $0.depth.removeLast() }, { $0.luma.removeLast() }, { $0.height = .max }, { $0.width = 0 },
      { ($0.height, $0.width) = (-$0.height, -$0.width) }, { $0.vectors = [.min, 0] },
    ] {
      var saved = moved
      damage(&saved)
      #expect(!saved.isConsistent)
    }
    var filter = TemporalDepthFilter()
    _ = try filter.filtered(map { _, _ in 2 }, photo: photo(pan: 0))
    let running = try #require(filter.saved)
    #expect(running.isConsistent)
    for damage: (inout TemporalDepthFilter.Saved) -> Void in [
      { $0.logDepth.removeLast() }, { $0.openness.removeLast() }, { $0.photo.removeLast() },
      { $0.height = .max }, { ($0.height, $0.width) = (-$0.height, -$0.width) },
    ] {
      var saved = running
      damage(&saved)
      #expect(!saved.isConsistent)
    }
  }

  @Test("cuts and still frames of a film are recognized") func cutsAndStillnessAreRecognized() {
    var motion = FilmMotion()
    #expect(motion.next(photo(pan: 0)).isCut)
    for box in stride(from: 10, to: 40, by: 5) {
      #expect(motion.next(photo(pan: 0, box: box)) == .init(isCut: false, isStill: true))
    }
    #expect(motion.next(photo(pan: 0, seed: 1)) == .init(isCut: true, isStill: false))
    #expect(motion.next(photo(pan: 0, seed: 1)) == .init(isCut: false, isStill: true))
    // A slow pan becomes visible over several frames.
    var stills = 0
    for pan in 1...30 { stills += motion.next(photo(pan: pan, seed: 1)).isStill ? 1 : 0 }
    #expect(stills < 30)
  }
}
