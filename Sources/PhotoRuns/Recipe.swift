import AtomicFiles
package import DepthPipeline
import FileChecksums
package import MonocularDepth
import PictureFiles
import SystemEssentials

/// What files are made with: the program's version, the command, the weights and every option that changes
/// a result. The number of threads and the names of files are no part of it.
///
/// As text, `swift-depth 0.2.0 stereo shift=0.01 … photo=70412 depth=1228817-9ae0b2c3`: the photo's length is at the
/// end, and the length and the CRC-32 of a depth file, since all PFM files of one size have one length. The text is inside
/// the files (``FileNote``), or in ``MadeFiles`` where they have no room.
package struct Recipe: Hashable, Sendable {
  private let words: [String]

  /// - Parameters:
  ///   - command: Name of the command.
  ///   - options: Words of the form `name=value`.
  package init(_ command: String, _ options: [String]) {
    words = [Version.text, command] + options
  }

  /// What the maps of a pipeline are made with.
  package init(of pipeline: DepthPipeline) throws {
    self.init(
      "predict",
      try pipeline.estimator.words + pipeline.settings.words + pipeline.camera.words
        + (pipeline.calibration?.words ?? []))
  }

  /// The text for one output.
  ///
  /// - Parameters:
  ///   - details: Options that matter to this output only.
  ///   - inputs: What ``inputs(photo:depthFile:)`` says of its photo.
  package func text(details: [String], inputs: [String]) -> String {
    (words + details + inputs).joined(separator: " ").escapingNonASCII
  }

  /// What identifies a photo and its depth file. The depth file is read.
  ///
  /// - Parameters:
  ///   - photo: Path of the photo; standard input has no length.
  ///   - depthFile: Path of the depth file that goes with it.
  package static func inputs(photo: String, depthFile: String?) -> [String] {
    func length(_ path: String) -> String {
      path == "-" ? "-" : FileFacts(of: URL(filePath: path)).map { "\($0.bytes)" } ?? "-"
    }
    return ["photo=\(length(photo))"]
      + (depthFile.map { ["depth=\(length($0))\(checksum(of: $0))"] } ?? [])
  }

  /// A dash and the CRC-32 of a file; empty for standard input, and where the file cannot be read.
  private static func checksum(of path: String) -> String {
    let url = URL(filePath: path)
    guard path != "-", FileFacts(of: url) != nil else { return "" }
    var checksum: UInt32 = 0
    do {
      try InputFile.forEachPiece(of: url) {
        checksum = CRC32.checksum($0[...], after: checksum)
      }
    } catch { return "" }
    return "-" + String(checksum, radix: 16)
  }

  /// The text for an output of a photo in memory.
  package func text(photoBytes: Int) -> String {
    (words + ["photo=\(photoBytes)"]).joined(separator: " ").escapingNonASCII
  }
}

extension DepthEstimator {
  /// The estimator as words of a ``Recipe``.
  package var words: [String] {
    get throws {
      ["weights=\(try weightsSHA256())"]
        + (precision == .float32 ? [] : ["precision=\(precision.rawValue)"])
    }
  }
}

extension DepthCalibration {
  /// The calibration as a word of a ``Recipe``.
  package var words: [String] {
    get throws { ["calibration=\(CRC32.checksum(try encoded()[...]))"] }
  }
}

extension String {
  /// The text with every character that is not a visible one of ASCII, or a space, as `?`: text chunks hold
  /// no others.
  fileprivate var escapingNonASCII: String {
    String(
      decoding: utf8.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
