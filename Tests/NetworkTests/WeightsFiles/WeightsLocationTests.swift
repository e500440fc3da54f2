import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import WeightsFiles

@Suite struct WeightsLocationTests {
  private static let file = "fcrn-lite2-nyu-int8.h5"

  /// The paths of found weights, relative to a folder with `files` whose `bin` has the program.
  private func found(
    _ files: [String], environment: String? = nil, named name: String = "default"
  ) throws -> String {
    let folder = try TemporaryFolder()
    for file in files {
      let path = folder.path(file)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      _ = try folder.write([1], to: file)
    }
    let places = WeightsLocation.folders(
      besideExecutable: URL(filePath: folder.path("bin/program")))
    return try WeightsLocation.files(
      named: [name], environment: environment, folders: places,
      userFolder: URL(filePath: folder.path("data"))
    )
    .map { $0.path(percentEncoded: false).replacing(folder.path + "/", with: "") }
    .joined(separator: " ")
  }

  @Test("weights in the resource come before weights beside the program")
  func theResourceComesFirstThenTheFoldersOfTheProgram() throws {
    let places = [
      "bin/swift-depth_DepthWeights.resources/", "bin/Weights/", "share/swift-depth/Weights/",
    ].map { $0 + Self.file }
    for index in places.indices {
      for name in ["default", "compact"] {
        #expect(try found(Array(places[index...]), named: name) == places[index])
      }
    }
    let error = #expect(throws: DepthError.self) { try found([]) }
    #expect(error?.code == .missingWeights && error?.file == Self.file)
    #expect(error?.description.contains("the weights 'default' are not installed") == true)
  }

  /// Anybody may write to `/tmp`, and may plant weights there for a program below `/tmp`.
  @Test("weights in folders above the program are unused") func foldersAboveAreNotTrusted() throws {
    for planted in ["Weights/" + Self.file, "bin/" + Self.file, Self.file] {
      let error = #expect(throws: DepthError.self) { try found([planted]) }
      let text = error?.description ?? ""
      #expect(text.contains("looked in") && text.contains("bin/Weights"), "\(text)")
      #expect(text.contains("share/swift-depth/Weights") && text.contains(".resources"), "\(text)")
    }
  }

  @Test("installed weights come before fetched weights")
  func weightsThatAreFetchedHaveNames() throws {
    let name = "depth-anything-v2-metric-indoor-small"
    let file = "depth_anything_v2_metric_hypersim_vits.pth"
    let installed = "bin/Weights/\(file)"
    #expect(try found([installed], named: name) == installed)
    let error = #expect(throws: DepthError.self) { try found(["Weights/\(file)"], named: name) }
    #expect(error?.code == .missingWeights)
    #expect(
      error?.message.hasPrefix("these weights are not installed, expected \(file) in /") == true
        && error?.message.hasSuffix("/data") == true)
    #expect(error?.cause as? SettingAtFault == .weightsToFetch(name))
    // Installed weights have precedence if both files exist.
    let fetched = "data/\(file)"
    #expect(try found([fetched], named: name) == fetched)
    #expect(try found([installed, fetched], named: name) == installed)
    // A path is not searched as a name.
    #expect(try found([], named: "./\(name)").hasSuffix(name))
    #expect(try found([], named: "\(name).h5").hasSuffix("\(name).h5"))
  }

  /// The test changes the working folder, so it has a separate process.
  @Test("a file with a network's name is read instead of the network")
  func aFileNamedAsANetworkIsThatFile() async {
    await #expect(processExitsWith: .success) {
      let name = "depth-anything-v2-small"
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("data"), withIntermediateDirectories: true)
      _ = try folder.write([1], to: "data/depth_anything_v2_vits.pth")
      #expect(chdir(folder.path) == 0)
      func file() throws -> String? {
        try WeightsLocation.files(
          named: [name], environment: nil, folders: [],
          userFolder: URL(filePath: folder.path("data"))
        ).first?.lastPathComponent
      }
      #expect(try file() == "depth_anything_v2_vits.pth")
      _ = try folder.write([1], to: name)
      #expect(try file() == name)
    }
  }

  /// Other users may put weights into a folder in which they may write.
  @Test("weights that others may change are unused") func foldersOfOthersAreNotTrusted() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([1], to: "depth_anything_v2_vits.pth")
    let url = URL(filePath: folder.path)
    chmod(folder.path, 0o755)
    #expect(WeightsLocation.distrust(of: url) == nil)
    for mode: mode_t in [0o775, 0o757] {
      chmod(folder.path, mode)
      #expect(WeightsLocation.distrust(of: url)?.hasSuffix("other users may write to it") == true)
      let error = #expect(throws: DepthError.self) {
        try WeightsLocation.files(
          named: ["depth-anything-v2-small"], environment: nil, folders: [], userFolder: url)
      }
      #expect(error?.code == .missingWeights)
      #expect(error?.description.contains("not used, as other users may write to it") == true)
    }
    #expect(WeightsLocation.distrust(of: URL(filePath: folder.path("missing"))) == nil)
    // The user owns the folder, but anybody may write to the file.
    chmod(folder.path, 0o755)
    for (mode, isTrusted) in [(0o666, false), (0o620, false), (0o644, true)] as [(mode_t, Bool)] {
      chmod(folder.path("depth_anything_v2_vits.pth"), mode)
      let files = try? WeightsLocation.files(
        named: ["depth-anything-v2-small"], environment: nil, folders: [], userFolder: url)
      #expect((files != nil) == isTrusted)
    }
  }

  @Test("DEPTH_WEIGHTS_FOLDER, XDG_DATA_HOME and HOME set the user's folder")
  func theUsersFolderIsThatOfTheEnvironment() {
    func folder(_ environment: [String: String]) -> String? {
      WeightsLocation.userFolder(environment)?.path(percentEncoded: false)
    }
    let home = ["HOME": "/home/a"]
    #expect(folder(home) == "/home/a/.local/share/swift-depth")
    #expect(folder(["XDG_DATA_HOME": "/data"].merging(home) { $1 }) == "/data/swift-depth")
    // The XDG specification says that relative paths are ignored.
    #expect(
      folder(["XDG_DATA_HOME": "data"].merging(home) { $1 }) == "/home/a/.local/share/swift-depth")
    #expect(folder(["DEPTH_WEIGHTS_FOLDER": "/w", "XDG_DATA_HOME": "/data"]) == "/w")
    #expect(folder([:]) == nil)
  }

  @Test("each of the fifteen published networks has a name and an address")
  func publishedNamesAndAddresses() throws {
    let all = PublishedNetwork.all
    #expect(Set(all.map(\.name)).count == 15 && Set(all.map(\.content)).count == 15)
    for network in all {
      guard case .sha256(let digest, _) = network.content else { continue }
      #expect(digest.count == 64)
      let isMoGe = network.name.hasPrefix("moge-2")
      #expect(network.path.hasSuffix(isMoGe ? "/model.pt" : "/resolve/main/\(network.file)"))
    }
    let small = PublishedNetwork.named("moge-2-small")
    #expect(
      small?.summary == "140 MB, MIT, metres, normals, mask and field of view of any photo")
    #expect(small?.file == "moge-2-vits-normal.pt")
    #expect(
      small?.path
        == "moge-2-vits-normal/resolve/679230677b4d282c6f304189a93e98e14f085902/model.pt")
    let outdoor = PublishedNetwork.named("depth-anything-v2-metric-outdoor-large")
    #expect(
      outdoor?.path
        == "Depth-Anything-V2-Metric-VKITTI-Large/resolve/main/depth_anything_v2_metric_vkitti_vitl.pth"
    )
    #expect(outdoor?.summary == "1.3 GB, CC-BY-NC-4.0: not for commercial use, metres up to 80")
    for name in ["zipdepth", "zipdepth-npu"] {
      let network = try #require(PublishedNetwork.named(name))
      #expect(
        "\(network.address)/\(network.path)"
          == "https://github.com/fabiotosi92/ZipDepth/raw/a302e5437bc58f15c4efd41d3e8222bf24f7d470/checkpoints/\(network.file)"
      )
      #expect(
        network.summary
          == "at most 28 MB, MIT, taught by Depth Anything V2 Large (CC-BY-NC-4.0), disparity up to scale and shift, no metres"
      )
      #expect(try found(["data/\(network.file)"], named: name) == "data/\(network.file)")
      #expect(throws: DepthError.self) { try found([], named: name) }
    }
  }

  @Test("DEPTH_WEIGHTS takes precedence over installed weights")
  func theEnvironmentIsNamed() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], to: "w.h5")
    #expect(try found([], environment: file) == file)
    let installed = "bin/Weights/" + Self.file
    #expect(try found([installed], environment: "") == installed)
    #expect(try found([installed], environment: file, named: "compact") == installed)
    let error = #expect(throws: DepthError.self) { try found([], environment: "/no/such.h5") }
    #expect(error?.description.hasPrefix("DEPTH_WEIGHTS=/no/such.h5: no such file") == true)
    let other = try folder.write([1], to: "v.h5")
    #expect(try found([], environment: "\(file):\(other)") == "\(file) \(other)")
    // A file from the caller takes precedence over the environment.
    #expect(try found([], environment: "/no/such.h5", named: "x.h5").hasSuffix("x.h5"))
  }

  /// The executable of tests is the runner, and the build puts the resources beside it.
  @Test(
    "tests use the default weights of the resource",
    .enabled(if: ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"] == nil))
  func theTestsOwnWeightsAreTheResource() throws {
    for file in try WeightsLocation.files(named: ["default"]) {
      let folder = file.deletingLastPathComponent().lastPathComponent
      #expect(folder.hasPrefix("swift-depth_DepthWeights"))
    }
  }
}
