import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import DepthRefinement
import Foundation
import PictureFiles
import Testing
import ViewSynthesis
import _TestSupport

@testable import MonocularDepth

@Suite struct WeightsLocationTests {
  private static let file = "fcrn18-nyu-int8.h5"
  private static let second = "fcrn-lite2-nyu-int8.h5"

  /// The program's folder is `bin` of a folder, into which files are put.
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
    let selection = try WeightsLocation.selection(
      named: [name], environment: environment, folders: places)
    return selection.files
      .map { $0.path(percentEncoded: false).replacing(folder.path + "/", with: "") }
      .joined(separator: " ")
  }

  @Test func theResourceComesFirstThenTheFoldersOfTheProgram() throws {
    let places = [
      "bin/swift-depth_DepthWeights.resources/", "bin/Weights/", "share/swift-depth/Weights/",
    ].map { $0 + Self.second }
    for index in places.indices {
      #expect(try found(Array(places[index...]), named: "compact") == places[index])
    }
  }

  @Test func aNameMayStandForSeveralFiles() throws {
    let files = [Self.file, Self.second].map { "bin/Weights/" + $0 }
    #expect(try found(files) == files.joined(separator: " "))
    let error = #expect(throws: DepthError.self) { try found([files[0]]) }
    #expect(error?.code == .missingWeights && error?.file == Self.second)
    #expect(error?.description.contains("the weights 'default' are not installed") == true)
  }

  /// Anybody may write to `/tmp`, a program below it must not load what is planted there.
  @Test func foldersAboveAreNotTrusted() throws {
    for planted in ["Weights/" + Self.file, "bin/" + Self.file, Self.file] {
      let error = #expect(throws: DepthError.self) { try found([planted]) }
      let text = error?.description ?? ""
      #expect(text.contains("looked in") && text.contains("bin/Weights"), "\(text)")
      #expect(text.contains("share/swift-depth/Weights") && text.contains(".resources"), "\(text)")
    }
  }

  @Test func weightsThatAreFetchedHaveNames() throws {
    let name = "depth-anything-v2-metric-indoor-small"
    let (exact, small) = ("bin/Weights/\(name)-float32.h5", "bin/Weights/\(name)-int8.h5")
    #expect(try found([small], named: name) == small)
    #expect(try found([small, exact], named: name) == exact)
    let error = #expect(throws: DepthError.self) {
      try found(["Weights/\(name)-int8.h5"], named: name)
    }
    #expect(error?.code == .missingWeights)
    #expect(error?.description.contains("'Scripts/fetch-weights.sh \(name)' writes") == true)
    // A path is a path.
    #expect(try found([], named: "./\(name)").hasSuffix(name))
    #expect(try found([], named: "\(name).h5").hasSuffix("\(name).h5"))
  }

  @Test func theEnvironmentIsNamed() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], to: "w.h5")
    #expect(try found([], environment: file) == file)
    let installed = [Self.file, Self.second].map { "bin/Weights/" + $0 }
    #expect(try found(installed, environment: "") == installed.joined(separator: " "))
    let error = #expect(throws: DepthError.self) { try found([], environment: "/no/such.h5") }
    #expect(error?.description.hasPrefix("DEPTH_WEIGHTS=/no/such.h5: no such file") == true)
    let other = try folder.write([1], to: "v.h5")
    #expect(try found([], environment: "\(file):\(other)") == "\(file) \(other)")
    // A file that is given is taken, whatever the environment says.
    #expect(try found([], environment: "/no/such.h5", named: "x.h5").hasSuffix("x.h5"))
  }

  /// In tests the executable is the runner, beside which the build puts the resources.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"] == nil))
  func theTestsOwnWeightsAreTheResource() throws {
    for file in try WeightsSelection(named: "default").files {
      let folder = file.deletingLastPathComponent().lastPathComponent
      #expect(folder.hasPrefix("swift-depth_DepthWeights"))
    }
  }

  @Test func everyErrorIsASentence() {
    let errors: [any Error] = [
      DepthError.unreadable(file: "w.h5", reason: "is empty"),
      DepthError.noPixels(file: "a.png", width: 0, height: 1), DepthError.focalLengthUnknown,
      DepthError.noUnit(for: "a depth photo"), DepthError.noPoints,
      DepthError.invalidArgument(name: "n", found: "0", expected: "1 to 3"),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }
}
