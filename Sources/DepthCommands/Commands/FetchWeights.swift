import ArgumentParser
import DepthErrors
import SystemEssentials
import WeightsFiles

/// `depth weights fetch`: downloads a published network to the user's folder of weights.
struct FetchWeights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Download a published network, to be used by its name.",
    discussion: """
      Downloads a network of Depth Anything V2, ZipDepth or MoGe-2 with curl and checks its digest; 'depth weights list' shows the names. \
      The file is for --weights NAME, or for DEPTH_WEIGHTS=NAME, which makes it the default. A download that was \
      stopped is resumed by the same command. This is the only command that connects to the internet.

      The folder is $XDG_DATA_HOME/swift-depth or ~/.local/share/swift-depth, unless the environment variable \
      DEPTH_WEIGHTS_FOLDER names another. DEPTH_WEIGHTS_URL names a mirror of \(PublishedNetwork.depthAnything); \
      Documentation/Networks.md has the places of the other networks' files in it.
      """)

  @Argument(
    help: "The network, such as depth-anything-v2-metric-indoor-small.",
    completion: .list(PublishedNetwork.all.map(\.name)))
  var name: String

  @Option(
    help: ArgumentHelp(
      "Use this copy of the published file instead of downloading it.", valueName: "file"),
    completion: .file())
  var from: String?

  @Flag(help: "Print no progress on standard error.")
  var quiet = false

  func validate() throws {
    guard PublishedNetwork.named(name) == nil else { return }
    let names = PublishedNetwork.all.map(\.name)
    let hint = nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
    throw ValidationError(
      "there is no network '\(name)'; \(hint ?? "'depth weights list' shows the names")"
        .escapingControls)
  }

  func run() throws {
    guard let network = PublishedNetwork.named(name) else { preconditionFailure("checked above") }
    guard let folder = WeightsLocation.userFolder() else {
      throw DepthError.unwritable(
        file: "the folder for weights",
        reason: "is unknown without a home folder, expected it in DEPTH_WEIGHTS_FOLDER")
    }
    let mirror = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS_URL"] ?? ""
    let file = try WeightsDownload(
      network, folder: folder, address: mirror.isEmpty ? network.address : mirror,
      isQuiet: quiet
    ).run(from: from)
    try Console.write(file.path(percentEncoded: false).escapingControls + "\n")
  }
}
