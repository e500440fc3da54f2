import DepthBase
import DepthEvaluation
import DepthImages
import DepthNetworks
import HDF5Files
import WeightsFiles

/// HDF5 files, described in a child process or by this package's own reader.
extension FuzzTarget {
  /// Values of one tensor that are read; a file may claim far more than it holds.
  private static let largestTensor = 1 << 16

  private var describer: HDF5Describer { self == .weightsReader ? .reader : .inThisBuild }

  func readWeights(_ bytes: [UInt8]) throws {
    guard let refusal = try refusal({ try readArchive(bytes) }) else { return }
    // A changed byte is mostly refused for the checksum: what is behind that must hold too.
    guard bytes.starts(with: WeightsBlock.magic), bytes.count > WeightsBlock.count else {
      throw refusal
    }
    let rest = Array(bytes.dropFirst(WeightsBlock.count))
    try readArchive(WeightsBlock.bytes(for: rest) + rest)
  }

  private func readArchive(_ bytes: [UInt8]) throws {
    let archive = try HDF5WeightArchive(bytes: bytes.span, name: "fuzz", describer: describer)
    try archive.verifyDigest()
    for name in archive.attributeNames { _ = archive.attributeDescription(name) }
    var failure: (any Error)?
    for (name, shape) in archive.shapes.sorted(by: { $0.key < $1.key }).prefix(16) {
      let count = shape.reduce(1, *)
      guard count <= Self.largestTensor else { continue }
      let refused = try refusal {
        try require(archive.elements(of: name).count == count, "elements")
        if let rows = shape.first, rows > 0 {
          let part = try archive.elements(of: name, rows: rows - 1..<rows)
          try require(part.count == count / rows, "elements of a row")
        }
        _ = try archive.factors(of: name)
        let layer = String(name.prefix { $0 != "/" })
        _ = (try archive.inputScale(of: layer), try archive.residualScale(of: layer))
      }
      failure = refused ?? failure
    }
    if let failure { throw failure }
    _ = try? DepthAnythingConfiguration(archive)
    _ = try FCRNConfiguration(archive)
  }

  func readPublishedWeights(_ bytes: [UInt8]) throws {
    guard let file = try ArrayFile(RandomAccessFile(bytes: bytes.span, name: "fuzz")) else {
      throw Refused()
    }
    for (name, array) in file.arrays {
      guard array.count <= Self.largestTensor else { continue }
      try require(file.floats(name, array).count == array.count, "values")
    }
  }

  func readLabelledSet(_ bytes: [UInt8]) throws {
    let file = try unsafe bytes.withUnsafeBytes { try unsafe HDF5File(bytes: $0, name: "fuzz") }
    let frames = try NYULabelledSet(file, split: .all, depthScale: 1000)
    for index in Set([0, frames.frameNames.count - 1]) {
      let frame = try frames.frame(index)
      try require(
        frame.photo.pixels.count == frame.photo.height * frame.photo.width * 3, "pixels")
      try require(
        (frame.truth.height, frame.truth.width) == (frame.photo.height, frame.photo.width), "sizes")
    }
  }
}
