import DepthErrors
import DepthEvaluation
import DepthImages
import HDF5Files
import Testing
import _TestSupport

@Suite struct ProtocolTests {
  @Test("laina framing equals the published script's by checksum")
  func theLainaFramingIsThatOfThePublishedScript() throws {
    let framed = Framing.halvedAndCropped.photo(
      testImage(height: 480, width: 640), inputHeight: 228, inputWidth: 304)
    let name = "nyu_input_228x304_crc32"
    guard
      case .integers(let crc) = try #require(
        Golden.protocol().attributes(named: [name])[name])
    else {
      Issue.record("the golden checksum is no integer")
      return
    }
    #expect(Int(crc32(framed.pixels)) == crc[0])
  }

  @Test("laina framing crops an upright photo upright") func anUprightPhotoIsCroppedUpright() {
    let framed = Framing.halvedAndCropped.photo(
      testImage(height: 640, width: 480), inputHeight: 228, inputWidth: 304)
    #expect(framed.height == 304 && framed.width == 228)
    let whole = testImage(height: 50, width: 70)
    #expect(Framing.whole.photo(whole, inputHeight: 228, inputWidth: 304) == whole)
  }

  /// The comparison includes borders.
  @Test(
    "an upright photo and a rotated copy are framed alike",
    arguments: [(640, 480, 228, 304), (640, 480, 240, 320), (500, 300, 228, 304)])
  func anUprightPhotoIsFramedAsOneOnItsSide(
    height: Int, width: Int, inputHeight: Int, inputWidth: Int
  ) {
    func onItsSide(_ photo: Image) -> Image {
      var pixels: [UInt8] = []
      for x in 0..<photo.width {
        for y in 0..<photo.height {
          let start = 3 * (y * photo.width + x)
          pixels += photo.pixels[start..<start + 3]
        }
      }
      return Image(height: photo.width, width: photo.height, pixels: pixels)
    }
    let photo = testImage(height: height, width: width)
    func framed(_ photo: Image) -> Image {
      Framing.halvedAndCropped.photo(photo, inputHeight: inputHeight, inputWidth: inputWidth)
    }
    let upright = framed(photo)
    #expect((upright.height, upright.width) == (inputWidth, inputHeight))
    #expect(onItsSide(upright) == framed(onItsSide(photo)))
  }

  @Test("the eigen protocol crops to rows 45…471 and columns 41…601")
  func eigenCropsWhatItsFollowersCrop() {
    let region = EvaluationProtocol.eigen.region(height: 480, width: 640)
    #expect(region.rows == 45..<471)
    #expect(region.columns == 41..<601)
    #expect(!region.isMeasured(10) && region.isMeasured(9.99) && !region.isMeasured(0.001))
    let half = EvaluationProtocol.eigen.region(height: 240, width: 320)
    #expect(half.rows == 23..<236)
    #expect(half.columns == 21..<301)
    for other in EvaluationProtocol.allCases where other != .eigen {
      #expect(other.region(height: 480, width: 640).rows == 0..<480)
      #expect(other.region(height: 480, width: 640).isMeasured(30))
    }
  }

  /// The truth has holes, and the prediction has zeros.
  @Test("each protocol equals the formulas", arguments: EvaluationProtocol.allCases, [false, true])
  func everyProtocolEqualsTheDefinition(evaluation: EvaluationProtocol, scales: Bool) throws {
    let (height, width) = (48, 64)
    let names = ["a", "b", "c"]
    var frames: [FrameErrors] = []
    var pooled: (found: [Double], wanted: [Double]) = ([], [])
    var each: [ReferenceMetrics] = []
    for name in names {
      let truth = Scenes.truth(height: height, width: width, seed: name, holes: name != "a")
      let map = DepthMap(
        height: height, width: width, unit: .metres,
        values: Scenes.prediction(of: truth, seed: name + "p", zeros: name != "b"))
      let prediction = map.values.map(Double.init)
      frames.append(
        try FrameErrors(
          of: map, truth: truth, under: evaluation, scalesMedian: scales, name: name))

      // The crop is computed by hand.
      let isEigen = evaluation == .eigen
      let kept = (0..<height * width).filter { i in
        let (y, x, depth) = (i / width, i % width, truth.values[i])
        guard depth > 0, depth.isFinite else { return false }
        // A tenth of the crop 45…471 and 41…601 of 480 × 640, rounded.
        return !isEigen || (5..<47).contains(y) && (4..<60).contains(x) && depth < 10
      }
      let wanted = kept.map { Double(truth.values[$0]) }
      var found = kept.map { prediction[$0] > 0.001 ? prediction[$0] : 0.001 }
      if evaluation == .aligned {
        found = ReferenceAlignment.depths(found, wanted)
      } else if scales || evaluation == .median {
        let ratio = middle(wanted) / middle(found)
        found = found.map { max($0 * ratio, 0.001) }
      }
      if isEigen { found = found.map { min($0, 10) } }
      pooled.found += found
      pooled.wanted += wanted
      each.append(ReferenceMetrics(found, wanted))
      #expect(frames.last?.pixels == kept.count)
      #expect(frames.last?.clamped == prediction.count { !($0 > 0) })
    }
    let averages = evaluation != .laina && evaluation != .fullFrame
    let metrics =
      averages ? DepthMetrics(averaging: frames) : DepthMetrics(pooling: frames)
    let mean = each[0].all.indices.map { k in each.map { $0.all[k] }.reduce(0, +) / 3 }
    var expected = averages ? mean : ReferenceMetrics(pooled.found, pooled.wanted).all
    expected[7] = mean[7]
    expectClose(
      metrics.named.dropLast().map(\.value), expected, absolute: 1e-9, evaluation.rawValue)
  }

  private func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }

  @Test(
    "every protocol stretches a small map to the truth's size",
    arguments: EvaluationProtocol.allCases, [false, true])
  func smallMapsAreStretched(evaluation: EvaluationProtocol, scales: Bool) throws {
    let truth = Scenes.truth(height: 48, width: 64, seed: "large", holes: true)
    let small = Scenes.truth(height: 12, width: 17, seed: "small")
    var rows = BilinearRows(small.values, height: 12, width: 17, toHeight: 48, width: 64)
    let large = DepthMap(
      height: 48, width: 64, unit: .metres, values: rows.all().map(Float.init))
    let errors = try [small, large].map {
      DepthMetrics(
        try FrameErrors(
          of: $0, truth: truth, under: evaluation, scalesMedian: scales, name: ""))
    }
    expectClose(
      errors[0].named.map(\.value), errors[1].named.map(\.value), absolute: 1e-5,
      evaluation.rawValue)
  }

  @Test("median scaling removes the scale") func medianScalingForgivesTheScale() throws {
    let truth = Scenes.truth(height: 20, width: 30)
    let tripled = DepthMap(
      height: 20, width: 30, unit: .metres, values: truth.values.map { $0 * 3 })
    let errors = try FrameErrors(
      of: tripled, truth: truth, under: .fullFrame, scalesMedian: true, name: "")
    #expect(DepthMetrics(errors).rel < 1e-6)
  }

  @Test("a frame without truth in the protocol's range is refused")
  func aFrameWithoutTruthIsRefused() throws {
    let blind = DepthMap(
      height: 4, width: 4, unit: .metres, values: [Float](repeating: 0, count: 16))
    #expect(throws: DepthError.noTruth(frame: "dark", protocol: "laina")) {
      try FrameErrors(of: blind, truth: blind, under: .laina, name: "dark")
    }
    let far = DepthMap(
      height: 4, width: 4, unit: .metres, values: [Float](repeating: 11, count: 16))
    #expect(throws: DepthError.noTruth(frame: "hall", protocol: "eigen")) {
      try FrameErrors(of: far, truth: far, under: .eigen, scalesMedian: true, name: "hall")
    }
  }
}
