import ArgumentParser
import DepthBase
import MonocularDepth
import SystemEssentials
import WeightsFiles

/// `depth weights`: lists, describes and verifies weights.
struct Weights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weights",
    abstract: "List, download, inspect, verify or calibrate weights.",
    subcommands: [
      ListWeights.self, FetchWeights.self, Info.self, Verify.self, CalibrateWeights.self,
    ])

  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract: "Print a weights file's metadata.",
      discussion: """
        Checks the name and shape of every tensor, but does not read its values. If DEPTH_WEIGHTS \
        names several files, prints the metadata of each.
        """)

    @Argument(
      help: "An HDF5, safetensors or .pth file, or 'default'.", completion: .file())
    var file = "default"
    @Option(help: "What published weights were trained on; see 'depth predict --help'.")
    var weightsKind: WeightsKind?
    @Flag(help: "Print one JSON object per file. Not with --layers.")
    var json = false
    @Flag(help: "Print the network's layers, their shapes and parameters instead of the metadata.")
    var layers = false

    func validate() throws {
      guard !(json && layers) else { throw ValidationError("--layers excludes --json") }
    }

    func run() throws {
      let (selection, reports) = try WeightsRequest(names: [file]).loading {
        ($0, try $0.files.map { try WeightsReport($0, kind: weightsKind) })
      }
      let texts = try zip(selection.paths, reports).map { path, report in
        if layers { return "\(report.structure)" }
        return json ? try jsonLine(WeightsRecord(file: path, report)) : report.text(file: path)
      }
      try Console.write(texts.joined(separator: json ? "" : "\n"))
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Check that weights files are complete and undamaged.",
      discussion: """
        Reads every value and runs the network once. Compares a published file with the digest under which it was published, \
        and with the SHA-256 in FILE.sha256, which 'depth weights fetch' writes for files of ZipDepth.
        """)

    @Argument(
      help: "HDF5, safetensors or .pth files, or 'default'.", completion: .file())
    var files = ["default"]
    @Option(help: "What published weights were trained on; see 'depth predict --help'.")
    var weightsKind: WeightsKind?

    func run() throws {
      var (failures, hasTemporary) = (0, false)
      for file in files {
        var lines = ""
        do {
          let (selection, reports) = try WeightsRequest(names: [file]).loading {
            ($0, try $0.files.map { try WeightsReport.verify($0, kind: weightsKind) })
          }
          for (path, report) in zip(selection.paths, reports) {
            lines +=
              "\(path.escapingControls): complete, \(report.tensors) tensors, SHA-256 \(report.sha256)\(report.origin)\n"
          }
        } catch {
          failures += 1
          hasTemporary = hasTemporary || (error as? DepthError)?.isTemporary == true
          Console.report(error)
        }
        // A full disk is not an error of the weights, so its exit status differs.
        try Console.write(lines)
      }
      if failures > 0 { throw hasTemporary ? RunStatus.tryAgain : .failure }
    }
  }
}
