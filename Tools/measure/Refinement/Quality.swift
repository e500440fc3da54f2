import ArgumentParser
import DepthImages
import DepthRefinement
import Foundation

extension MeasureRefinement {
  /// Prints edges and flatness of every method, and of several details of `joint`, on the frames of a folder.
  struct Quality: ParsableCommand {
    @OptionGroup var options: MethodOptions
    @Option(
      parsing: .upToNextOption, help: "Methods to measure; joint:0.3 is joint at that detail.")
    var methods = ["none", "gaussian", "bilateral", "joint"]
    @Argument(
      help:
        "Folder of NAME-photo.npy (bytes), NAME-depth.npy and NAME-truth.npy (metres, 0 = unknown)."
    )
    var folder: String

    func run() throws {
      var rows = [String: [RefinementScores]]()
      let suffix = "-truth.npy"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let names = files.filter { $0.hasSuffix(suffix) }.map { $0.dropLast(suffix.count) }
      for name in names {
        let frame = try Frame(path: "\(folder)/\(name)")
        for method in methods {
          let map = try frame.map.refined(
            guidedBy: frame.photo, method: resolved(method), resolution: .photo,
            threads: options.threads)
          rows[method, default: []].append(
            RefinementScores(of: Plane(map), against: frame.truth))
        }
      }
      print("\(names.count) frames\n" + Self.header)
      for method in methods { print(Self.line(method, rows[method] ?? [])) }
    }

    private func resolved(_ method: String) throws -> RefinementMethod {
      var options = options
      let parts = method.split(separator: ":")
      options.method = String(parts.first ?? "")
      if parts.count == 2 { options.detail = Float(parts[1]) }
      return try options.resolved()
    }

    static let header =
      "method           rel     rms      δ1  edge m      F1  fine %    corr plane % wobble px"

    /// Means over frames that have the number; roots of means for the squares.
    static func line(_ method: String, _ rows: [RefinementScores]) -> String {
      func mean(_ value: (RefinementScores) -> Double) -> Double {
        let numbers = rows.map(value).filter { !$0.isNaN }
        return numbers.isEmpty ? .nan : numbers.reduce(0, +) / Double(numbers.count)
      }
      let fine: Double = 100 * mean { $0.fine }.squareRoot()
      let plane: Double = 100 * mean { $0.plane }.squareRoot()
      let wobble: Double = mean { $0.wobble }.squareRoot()
      let numbers: [Double] = [
        mean { $0.rel }, mean { $0.rms }, mean { $0.delta1 }, mean { $0.edge },
        mean { $0.boundaryF1 }, fine, mean { $0.correlation }, plane, wobble,
      ]
      let name = method.padding(toLength: 12, withPad: " ", startingAt: 0)
      return numbers.reduce(name) { $0 + String(format: "  %.4f", $1) }
    }
  }
}

/// A photo, the map to refine and the truth.
private struct Frame {
  let photo: Image
  let map: DepthMap
  let truth: TruthFrame

  init(path: String) throws {
    let depth = try NumPyArray<Float>(path: path + "-depth.npy")
    let pixels = try NumPyArray<UInt8>(path: path + "-photo.npy")
    let known = try NumPyArray<Float>(path: path + "-truth.npy")
    photo = Image(height: pixels.shape[0], width: pixels.shape[1], pixels: pixels.elements)
    map = DepthMap(
      height: depth.shape[0], width: depth.shape[1], unit: .metres, values: depth.elements)
    let depths = known.elements.map(Double.init)
    truth = TruthFrame(
      depth: Plane(height: known.shape[0], width: known.shape[1], values: depths),
      luminance: Plane(luminanceOf: photo))
  }
}

extension Plane {
  fileprivate init(_ map: DepthMap) {
    self.init(height: map.height, width: map.width, values: map.values.map(Double.init))
  }

  /// Of encoded red, green and blue, 0…1.
  init(luminanceOf photo: Image) {
    let (bytes, weights) = (photo.pixels, [0.299, 0.587, 0.114])
    var values = [Double](repeating: 0, count: photo.height * photo.width)
    for i in bytes.indices { values[i / 3] += weights[i % 3] * Double(bytes[i]) / 255 }
    self.init(height: photo.height, width: photo.width, values: values)
  }
}
