import Foundation
import Testing
import _TestSupport

@testable import HDF5Files
@testable import NeuralEngine
@testable import WeightsFiles

/// Activation scales that are added to an existing weights file.
@Suite struct AddedScalesTests {
  static let layers = [
    CalibratedLayer(layer: "a", inputScale: 0.125, residualScale: nil),
    CalibratedLayer(layer: "b", inputScale: 0.5, residualScale: 0.75),
  ]

  private func file(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("w.h5")
    let writer = try HDF5Writer(path: path, hasBlock: true)
    try writer.set("format_version", .integers([2]))
    for layer in ["a", "b"] {
      try writer.write(
        (0..<150).map { Int8(truncatingIfNeeded: 7 * $0) }, shape: [3, 50], to: "\(layer)/kernel")
      try writer.write(testValues(3), shape: [3], to: "\(layer)/scale")
    }
    try writer.write([0.25] as [Float], shape: [1], to: "b/activation_scale")
    return path
  }

  /// The archive of a new file with scales and checksums.
  private func added(to path: String, in folder: TemporaryFolder) throws -> HDF5WeightArchive {
    try HDF5WeightArchive.write(
      Self.layers, attributes: [("int8_delta1_loss", 0.001)], into: path, name: "w.h5")
    let rest = Array(try TemporaryFolder.bytes(of: path).dropFirst(WeightsBlock.count))
    return try HDF5WeightArchive(
      path: folder.write(WeightsBlock.bytes(for: rest) + rest, to: "calibrated.h5"))
  }

  @Test("adding scales to a weights file changes nothing else") func nothingElseChanges() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let before = try HDF5WeightArchive(path: path)
    let kernels = try ["a/kernel", "b/kernel"].map { try before.elements(of: $0) }
    let archive = try added(to: path, in: folder)
    #expect(archive.shapes == before.shapes)
    #expect(try ["a/kernel", "b/kernel"].map { try archive.elements(of: $0) } == kernels)
    #expect(try archive.inputScale(of: "a") == 0.125)
    #expect(try archive.residualScale(of: "a") == nil)
    #expect(try archive.inputScale(of: "b") == 0.5)
    #expect(try archive.residualScale(of: "b") == 0.75)
    #expect(archive.numbers("int8_delta1_loss") == [0.001])
    try archive.verifyDigest()
  }

  @Test("added scales replace older scales") func scalesAreReplaced() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    _ = try added(to: path, in: folder)
    let archive = try added(to: path, in: folder)
    #expect(try archive.inputScale(of: "b") == 0.5)
    let file = try HDF5File(path: folder.path("calibrated.h5"))
    for path in ["a/kernel", "a/activation_scale", "b/residual_scale"] {
      guard case .contiguous(let offset) = try file.dataset(path).layout else {
        Issue.record("\(path) is not contiguous")
        continue
      }
      #expect(offset % 64 == 0, "\(path) begins at \(offset)")
    }
  }

  @Test("an error names the missing layer of a scale")
  func missingGroupIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    #expect {
      try HDF5WeightArchive.write(
        [CalibratedLayer(layer: "zz", inputScale: 1, residualScale: nil)], attributes: [],
        into: path, name: "w.h5")
    } throws: { "\($0)".contains("'zz/activation_scale' cannot be written") }
  }
}
