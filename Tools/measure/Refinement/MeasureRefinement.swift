import ArgumentParser
import DepthImages
import DepthRefinement
import Foundation

/// Runs the refinement on NumPy files, for `Scripts/measure-refinement.py`, and times it.
struct MeasureRefinement: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refinement",
    subcommands: [Run.self, Quality.self, Time.self, Compare.self])
}

/// Parameters that all commands share; those not given keep their defaults.
struct MethodOptions: ParsableArguments {
  @Option(help: "none, bilateral, gaussian or joint.") var method = "joint"
  @Option(help: "Threads to use.") var threads = 2
  @Option(help: "Passes of the joint filter.") var passes: Int?
  @Option(help: "Spatial sigma of the joint filter.") var sigmaSpatial: Float?
  @Option(help: "Range sigma of the joint filter.") var sigmaRange: Float?
  @Option(help: "Edge tolerance of the joint filter.") var edgeTolerance: Float?
  @Option(help: "Sharpening of the joint filter.") var sharpening: Float?
  @Option(help: "Back-projection of the joint filter.") var backProjection: Float?
  @Option(help: "Range sigma of the joint filter's upsampling.") var upsamplingSigma: Float?
  @Option(help: "Detail of the joint filter, 0…1.") var detail: Float?

  func resolved() throws -> RefinementMethod {
    guard let name = RefinementMethod.Name(rawValue: method) else {
      throw ValidationError("no method is called \(method)")
    }
    guard name == .joint else { return RefinementMethod(name) }
    var filter = JointFilter()
    filter.passes = passes ?? filter.passes
    filter.sigmaSpatial = sigmaSpatial ?? filter.sigmaSpatial
    filter.sigmaRange = sigmaRange ?? filter.sigmaRange
    filter.edgeTolerance = edgeTolerance ?? filter.edgeTolerance
    filter.sharpening = sharpening ?? filter.sharpening
    filter.backProjection = backProjection ?? filter.backProjection
    filter.upsamplingSigma = upsamplingSigma ?? filter.upsamplingSigma
    filter.detail = detail ?? filter.detail
    return .joint(filter)
  }
}

extension MeasureRefinement {
  /// Refines every `NAME-depth.npy` of a folder with its `NAME-photo.npy`.
  struct Run: ParsableCommand {
    @OptionGroup var options: MethodOptions
    @Argument(help: "Folder of NAME-photo.npy (h × w × 3 bytes) and NAME-depth.npy (metres).")
    var input: String
    @Argument(help: "Folder that gets NAME.npy.") var output: String

    func run() throws {
      let method = try options.resolved()
      let suffix = "-depth.npy"
      for file in try FileManager.default.contentsOfDirectory(atPath: input).sorted()
      where file.hasSuffix(suffix) {
        let name = String(file.dropLast(suffix.count))
        let depth = try NumPyArray<Float>(path: "\(input)/\(file)")
        let photo = try NumPyArray<UInt8>(path: "\(input)/\(name)-photo.npy")
        let map = DepthMap(
          height: depth.shape[0], width: depth.shape[1], unit: .metres, values: depth.elements)
        let image = Image(
          height: photo.shape[0], width: photo.shape[1], pixels: photo.elements)
        let result = try map.refined(guidedBy: image, method: method, threads: options.threads)
        try NumPyArray(shape: [result.height, result.width], elements: result.values)
          .write(path: "\(output)/\(name).npy")
      }
    }
  }
}
