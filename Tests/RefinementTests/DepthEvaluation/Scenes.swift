import DepthBase
import DepthErrors
import DepthEvaluation
import DepthImages
import _TestSupport

/// Made-up frames of a stepped wall, and predictions of 0.6 to 1.6 times the truth.
enum Scenes {
  static func truth(height: Int, width: Int, seed: String = "truth", holes: Bool = false)
    -> DepthMap
  {
    let noise = CounterStream(seed)
    return DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { i in
        let (y, x) = (i / width, i % width)
        if holes, noise[i] % 7 == 0 { return [0, .nan, .infinity, -1][Int(noise[i + 1] % 4)] }
        let step = Float((y / 5 + x / 6) % 4) * 2.5
        return 0.5 + step + Float(noise[i]) * 0x1p-24
      })
  }

  /// - Parameter zeros: Whether some values are 0, negative or NaN.
  static func prediction(of truth: DepthMap, seed: String = "prediction", zeros: Bool = false)
    -> [Float]
  {
    let noise = CounterStream(seed)
    return truth.values.indices.map { i in
      if zeros, noise[i] % 11 == 0 { return [0, -2, .nan][Int(noise[i + 1] % 3)] }
      let base = truth.hasValue(truth.values[i]) ? truth.values[i] : 3
      return base * (0.6 + Float(noise[i]) * 0x1p-24)
    }
  }

  static func frame(_ name: String, height: Int = 24, width: Int = 32, holes: Bool = false)
    throws -> EvaluationFrame
  {
    try EvaluationFrame(
      name: name, photo: testImage(height: height, width: width),
      truth: truth(height: height, width: width, seed: name, holes: holes))
  }

  /// Frames in memory. Frames whose names begin with "bad" cannot be read.
  struct Dataset: EvaluationDataset {
    var path = "memory"
    var frameNames: [String]
    var incomplete: [SkippedFrame] = []
    var files: [String] { [] }

    func frame(_ index: Int) throws -> EvaluationFrame {
      let name = frameNames[index]
      if name.hasPrefix("bad") { throw DepthError.unknownScale(file: name) }
      return try Scenes.frame(name)
    }
  }

  /// A predictor of 0.6 to 1.6 times the truth.
  static let predictor = Predictor(name: "forgetful") { frame, framing in
    DepthMap(
      height: frame.truth.height, width: frame.truth.width, unit: .metres,
      values: prediction(of: frame.truth, seed: "\(frame.name) \(framing)"))
  }
}

extension DepthComparison {
  /// Compares whole maps, row by row.
  init(
    _ prediction: [Double], truth: [Float], width: Int, in region: DepthRegion,
    isa: InstructionSet = .current
  ) {
    self.init(truth: truth, width: width, in: region, isa: isa)
    let rows = (0..<prediction.count / width).map {
      Array(prediction[$0 * width..<($0 + 1) * width])
    }
    for (y, row) in rows.enumerated() { add(row: y, row, above: rows[max(y - 1, 0)]) }
  }
}
