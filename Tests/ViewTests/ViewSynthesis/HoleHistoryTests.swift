import DepthBase
import DepthImages
import SystemEssentials
import Testing

@testable import ViewSynthesis

/// Views of films: held spans, and the filling of holes.
@Suite struct HoleHistoryTests {
  private let height = 24
  private let width = 96
  private let call = CallContext(threads: 1)

  /// A wall with a gray level for each column, and a box before the wall.
  private func frame(box: Range<Int>, noise: Int = 0) -> (photo: Image, depth: DepthMap) {
    var pixels: [UInt8] = []
    var depths: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        let isBox = box.contains(x)
        let level =
          isBox ? 250 : (x * 5 + y * 3) % 190 + ((x + y + noise) * 7919 % 5) * (noise > 0 ? 1 : 0)
        pixels += [UInt8](repeating: UInt8(level), count: 3)
        depths.append(isBox ? 1 : 4)
      }
    }
    return (
      Image(height: height, width: width, pixels: pixels),
      DepthMap(height: height, width: width, unit: .metres, values: depths)
    )
  }

  private var options: StereoOptions {
    var options = StereoOptions()
    options.amount = .shift(0.04)
    options.edgeDilation = .off
    return options
  }

  private func views(
    _ frame: (photo: Image, depth: DepthMap), held: DepthSpan? = nil
  ) throws -> FilmViews {
    try frame.photo.filmViews(
      depth: frame.depth, options: options, held: held, showsParallax: true,
      limits: ImageLimits(), call: call)
  }

  @Test("views of a film's frame equal a photo's", arguments: [0.0, 0.3, 0.5, 1.0], [0.04, -0.04])
  func viewsOfAFrameAreThoseOfAPhoto(balance: Double, shift: Double) throws {
    let frame = frame(box: 30..<50)
    var options = options
    (options.balance, options.amount) = (balance, .shift(shift))
    let pair = try frame.photo.stereoPair(depth: frame.depth, options: options)
    for showsParallax in [true, false] {
      let views = try frame.photo.filmViews(
        depth: frame.depth, options: options, held: nil, showsParallax: showsParallax,
        limits: ImageLimits(), call: call)
      #expect(views.pair == pair)
      // The map's span changes nothing.
      let span = try #require(frame.depth.span(for: options, threads: 1))
      let held = try frame.photo.filmViews(
        depth: frame.depth, options: options, held: span, showsParallax: showsParallax,
        limits: ImageLimits(), call: call)
      #expect(held.pair == pair)
    }
  }

  @Test("each pixel has the parallax of the shown point") func parallaxIsOfTheShownPoint() throws {
    let views = try views(frame(box: 30..<50))
    let pixels = views.pair.left.pixels
    let holes = views.pair.leftHoles.values
    #expect(holes.contains { $0 != 0 })
    for pixel in holes.indices {
      let isNear = views.left[pixel] > 128
      #expect(isNear == (holes[pixel] == 0 && pixels[pixel * 3] > 230), "\(pixel)")
    }
  }

  @Test("a hole shows the wall that earlier frames showed") func holesShowWhatWasThere() throws {
    var history = HoleHistory()
    let empty = try views(frame(box: 0..<0))
    // The wall has the same parallax in both frames.
    let span = DepthSpan(near: 1, far: 0.25)
    let wall = try views(frame(box: 0..<0), held: span)
    _ = history.filled(wall, isStill: false)
    let covered = try views(frame(box: 40..<60), held: span)
    let filled = history.filled(covered, isStill: true)
    var count = 0
    for pixel in covered.pair.leftHoles.values.indices
    where covered.pair.leftHoles.values[pixel] != 0 {
      count += 1
      for channel in 0..<3 {
        let at = pixel * 3 + channel
        #expect(filled.left.pixels[at] == wall.pair.left.pixels[at])
      }
    }
    #expect(count > 50)
    // All other pixels come from the frame.
    for pixel in covered.pair.leftHoles.values.indices
    where covered.pair.leftHoles.values[pixel] == 0 {
      #expect(filled.left.pixels[pixel * 3] == covered.pair.left.pixels[pixel * 3])
    }
    // A moving camera discards the history.
    let moved = history.filled(covered, isStill: false)
    #expect(moved == covered.pair)
    #expect(empty.pair.leftHoles.share == 0)
  }

  @Test("a passing box never fills a hole behind it") func passingThingsLeaveNoGhost() throws {
    let span = DepthSpan(near: 1, far: 0.25)
    var history = HoleHistory()
    var count = 0
    for position in stride(from: 20, to: 50, by: 3) {
      let views = try views(frame(box: position..<position + 16), held: span)
      let pair = history.filled(views, isStill: position > 20)
      for pixel in views.pair.leftHoles.values.indices
      where views.pair.leftHoles.values[pixel] != 0 {
        count += 1
        #expect(pair.left.pixels[pixel * 3] < 230)
      }
    }
    #expect(count > 100)
  }

  @Test("a history halves the flicker of invented colors") func inventedColorsAreSteady() throws {
    let span = DepthSpan(near: 1, far: 0.25)
    var history = HoleHistory()
    var (plain, steady): ([[UInt8]], [[UInt8]]) = ([], [])
    for noise in 1...12 {
      let views = try views(frame(box: 40..<60, noise: noise), held: span)
      let pair = history.filled(views, isStill: noise > 1)
      let holes = views.pair.leftHoles.values.indices.filter {
        views.pair.leftHoles.values[$0] != 0
      }
      plain.append(holes.map { views.pair.left.pixels[$0 * 3] })
      steady.append(holes.map { pair.left.pixels[$0 * 3] })
    }
    func flicker(_ frames: [[UInt8]]) -> Double {
      zip(frames.dropFirst(4), frames.dropFirst(5)).reduce(0) { sum, pair in
        zip(pair.0, pair.1).reduce(sum) { $0 + pow(Double($1.0) - Double($1.1), 2) }
      }.squareRoot()
    }
    #expect(flicker(plain) > 0)
    #expect(flicker(steady) <= 0.5 * flicker(plain))
  }

  @Test("a restored history continues like the original") func memoryGoesOn() throws {
    let span = DepthSpan(near: 1, far: 0.25)
    var history = HoleHistory()
    _ = history.filled(try views(frame(box: 30..<40), held: span), isStill: false)
    var again = HoleHistory(history.saved)
    for position in [40, 50] {
      let views = try views(frame(box: position..<position + 12), held: span)
      #expect(history.filled(views, isStill: true) == again.filled(views, isStill: true))
    }
    #expect(history.saved == again.saved)
    var saved = history.saved
    #expect(saved.isConsistent)
    saved.right?.known.removeLast()
    #expect(!saved.isConsistent)
  }

  @Test("a held span follows slowly and jumps at cuts") func spansFollowSlowlyAndJumpAtCuts() {
    var follower = SpanFollower(framesPerSecond: 25)
    #expect(follower.next(nil, isCut: false) == nil)
    let first = DepthSpan(near: 1, far: 0.2, plane: 0.5)
    #expect(follower.next(first, isCut: false) == first)
    let second = DepthSpan(near: 2, far: 0.1, plane: 1)
    var held = first
    for _ in 0..<25 { held = follower.next(second, isCut: false) ?? held }
    #expect(abs(held.near - 1.9) < 1e-9 && abs(held.far - 0.11) < 1e-9)
    #expect(abs((held.plane ?? 0) - 0.95) < 1e-9)
    #expect(follower.next(nil, isCut: false) == held)
    #expect(follower.next(second, isCut: true) == second)
    // After a cut to a frame without depth, the next frame has a new span.
    #expect(follower.next(nil, isCut: true) == nil)
    #expect(follower.next(first, isCut: false) == first)
  }

  @Test("a moving camera discards the history without views")
  func framesWithoutViewsForgetOnlyWhenTheCameraMoves() throws {
    var history = HoleHistory()
    _ = history.filled(try views(frame(box: 30..<50)), isStill: false)
    let known = history.saved
    history.skip(isStill: true)
    #expect(known != HoleHistory().saved && history.saved == known)
    history.skip(isStill: false)
    #expect(history.saved == HoleHistory().saved)
  }

  @Test("a limit scales parallax and keeps the screen") func parallaxHasALimit() throws {
    let frame = frame(box: 30..<50)
    var options = options
    let free = try Parallax(of: frame.photo, depth: frame.depth, options: options, threads: 1)
    options.largestParallax = 0.02
    let held = try Parallax(of: frame.photo, depth: frame.depth, options: options, threads: 1)
    #expect(abs(held.line.largest - 0.02 * Double(width)) < 1e-9)
    #expect(abs(held.line.offset / held.line.scale - free.line.offset / free.line.scale) < 1e-9)
    options.largestParallax = 0.5
    let loose = try Parallax(of: frame.photo, depth: frame.depth, options: options, threads: 1)
    #expect(loose.line.scale == free.line.scale)
    options.largestParallax = 0
    #expect(throws: (any Error).self) {
      try Parallax(of: frame.photo, depth: frame.depth, options: options, threads: 1)
    }
  }

  /// Each eye's history uses that eye's parallax, even if a negative shift exchanges the eyes.
  @Test("a negative shift exchanges the eyes with their parallax")
  func exchangedEyesKeepTheirParallax() throws {
    let frame = frame(box: 30..<50)
    func views(_ shift: Double, _ convergence: Double) throws -> FilmViews {
      var options = options
      (options.amount, options.convergence) = (.shift(shift), convergence)
      return try frame.photo.filmViews(
        depth: frame.depth, options: options, held: nil, showsParallax: true,
        limits: ImageLimits(), call: call)
    }
    let (plain, turned) = (try views(0.04, 0.2), try views(-0.04, 0.2))
    #expect(plain.left != plain.right)
    #expect(turned.left == plain.right && turned.right == plain.left)
    // Steps are equal on both sides of the screen. Both sides must fit into a byte.
    #expect(try views(0.1, 0.2).step == views(0.1, 0.8).step)
    #expect(try views(0.1, 0.2).step > views(0.1, 0.5).step)
  }
}
