import DepthImages
import Foundation
import HDF5Files
import PictureFiles
import Testing
import _TestSupport

/// Commands under system limits of threads, memory and file length.
@Suite struct LimitsTests {
  /// A wrapper under which no process of this user gets a second thread.
  ///
  /// The limit does not apply to root, so root's tests run as an unused user.
  private static let oneThread: [String]? = {
    let limited = ["bash", "-c", "ulimit -u 1 && exec \"$0\" \"$@\""]
    let user = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups"]
    let wrapper = geteuid() == 0 ? user + limited : limited
    // `setpriv` or that user's access to the program may be missing.
    let works = try? depthTool.run(["--version"], wrapper: wrapper).status == 0
    return works == true ? wrapper : nil
  }()

  /// A photo that any user may read.
  private func readablePhoto(in folder: TemporaryFolder) throws -> String {
    try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "photo.jpg")
  }

  @Test("one thread is enough to predict", .enabled(if: oneThread != nil, "needs setpriv and bash"))
  func oneThreadIsEnough() throws {
    let folder = try TemporaryFolder()
    let photo = try readablePhoto(in: folder)
    let arguments = [
      "predict", photo, "-o", "-", "--format", "pfm", "--threads", "4", "--fov", "63",
    ]
    let expected = try runDepth(arguments)
    let found = try depthTool.run(arguments, wrapper: try #require(Self.oneThread))
    #expect(found.status == 0 && !found.wasKilled && found.errors == "", "\(found.errors)")
    #expect(found.output == expected.output)
  }

  /// A black 1-bit PNG of 180 kB with 15 000 × 15 000 pixels, as repeats of one zero.
  private static let growing: [UInt8] = {
    let side = 15_000
    let count = side * (1 + side / 8)
    var (bytes, buffer, bits): ([UInt8], UInt32, UInt32) = ([0x78, 0x9C], 0, 0)
    func put(_ code: UInt32, _ length: UInt32) {
      buffer |= code << bits
      bits += length
      while bits >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: buffer))
        buffer >>= 8
        bits -= 8
      }
    }
    put(0b011, 3)  // the last block, fixed codes
    put(0b0000_1100, 8)  // literal 0, bit-reversed
    for _ in 0..<(count - 1) / 258 {
      put(0b1010_0011, 8)  // length 258, bit-reversed
      put(0, 5)  // distance 1
    }
    for _ in 0..<(count - 1) % 258 { put(0b0000_1100, 8) }
    put(0, 7)  // end of block
    put(0, 7)
    // Adler-32 of zeros is 1 and the number of zeros modulo 65521.
    bytes += bigEndian(UInt32(count % 65_521) << 16 | 1)
    let header = bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [1, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", bytes) + chunk("IEND", [])
  }()

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
  }

  @Test("a photo that needs too much memory stops no other photo")
  func aPhotoThatNeedsTooMuchFailsAloneAndTheNextIsDone() throws {
    let folder = try TemporaryFolder()
    let growing = try folder.write(Self.growing, to: "growing.png")
    let outcome = try depthTool.run(
      ["predict", growing, livingRoom, "--output-dir", folder.path, "--quiet"],
      wrapper: ["prlimit", "--as=1536000000"])
    #expect(outcome.status == 1 && !outcome.wasKilled)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    let line = #/depth: .*growing.png: needs about \S+ GB of memory, \S+ [GM]B are available\n/#
    #expect(try line.wholeMatch(in: outcome.errors) != nil, "\(outcome.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["growing.png", "living-room_depth.png"])
  }

  @Test("memory for sizes in options is checked") func sizesInOptionsAreCheckedToo() throws {
    let folder = try TemporaryFolder()
    let wide = folder.path("wide.png")
    try Image(height: 1000, width: 8192, pixels: [UInt8](repeating: 99, count: 8_192_000 * 3))
      .write(to: URL(fileURLWithPath: wide))
    let output = folder.path("out.png")
    for (arguments, name) in [
      (["predict", livingRoom, "-o", output, "--resolution", "12000x12000"], "living-room.jpg"),
      (
        ["stereo", wide, "-o", output, "--format", "wiggle", "--views", "64", "--animation-width"]
          + ["8192"], "wide.png"
      ),
      (["benchmark", "--size", "8192x8192"], "8192×8192"),
    ] {
      let outcome = try depthTool.run(arguments, wrapper: ["prlimit", "--as=1536000000"])
      #expect(outcome.status == 1 && !outcome.wasKilled && outcome.errorLines.count == 1)
      #expect(
        outcome.errors.contains(name) && outcome.errors.contains("needs about"),
        "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  @Test("weights with a huge input size are refused") func weightsOfHugeInputsAreRefused() throws {
    let folder = try TemporaryFolder()
    let weights = GeneratedWeights(widthDivisor: 2)
    var attributes = weights.attributes
    attributes["input_height"] = .integers([1024])
    attributes["input_width"] = .integers([2048])
    let path = folder.path("huge.h5")
    try writeHDF5(weights, attributes: attributes, to: path)
    let outcome = try depthTool.run(
      ["predict", livingRoom, "--weights", path, "-o", folder.path("out.png")],
      wrapper: ["prlimit", "--as=400000000"])
    #expect(outcome.status == 1 && !outcome.wasKilled && outcome.errorLines.count == 1)
    #expect(
      outcome.errors.contains(": needs about"), "\(outcome.errors)")
    // This size exceeds every trained network, and is refused with any memory.
    attributes["input_height"] = .integers([8192])
    try writeHDF5(weights, attributes: attributes, to: path)
    let refused = try runDepth(
      ["predict", livingRoom, "--weights", path, "-o", folder.path("out.png")])
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(
      refused.errors.contains("'input_height' is 8192, expected an integer in 32...2048"),
      "\(refused.errors)")
  }

  @Test("photos and outputs of too many pixels are refused") func pixelsAreLimited() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.png")
    for arguments in [
      ["predict", livingRoom, "--max-pixels", "307199"],
      ["stereo", livingRoom, "--max-pixels", "307199"],
      ["predict", livingRoom, "--resolution", "30000x30000"],
    ] {
      let outcome = try runDepth(arguments + ["-o", output])
      #expect(outcome.status == 1 && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("pixels, expected at most"), "\(outcome.errors)")
    }
    let allowed = try runDepth(
      ["predict", livingRoom, "--max-pixels", "307200", "-o", output])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try runDepth(["predict", livingRoom, "--max-pixels", "0"]).status == 64)
  }

  @Test("an endless file is refused by its name") func endlessPhotosAreRefused() throws {
    let folder = try TemporaryFolder()
    for (arguments, name) in [
      (["predict", "/dev/zero"], "/dev/zero"), (["stereo", "/dev/zero"], "/dev/zero"),
      (["refine", livingRoom, "/dev/zero"], "/dev/zero"),
      (["predict", livingRoom, "--calibration", "/dev/zero"], "/dev/zero"),
    ] {
      let outcome = try depthTool.run(
        arguments + ["-o", folder.path("out.png")], wrapper: ["prlimit", "--as=1536000000"])
      #expect(outcome.status == 1 && !outcome.wasKilled && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains(name), "\(outcome.errors)")
    }
  }

  /// The disk is full when the second eye's file is written.
  @Test("stereo leaves the files of both eyes or none") func stereoLeavesBothEyesOrNone() throws {
    let folder = try TemporaryFolder()
    let (left, right) = (folder.path("v_L.png"), folder.path("v_R.png"))
    func length(_ path: String) throws -> Int { try TemporaryFolder.bytes(of: path).count }
    func stereo(_ shift: String, wrapper: [String] = []) throws -> CommandLineTool.Outcome {
      let command = [
        "stereo", livingRoom, "--format", "left-right", "--shift=\(shift)", "-o",
        folder.path("v.png"), "--overwrite",
      ]
      return try wrapper.isEmpty ? runDepth(command) : depthTool.run(command, wrapper: wrapper)
    }
    #expect(try stereo("2%").status == 0)
    // A negative shift exchanges the views, so that the right view is the longer file.
    let shift = try length(left) < length(right) ? "2%" : "-2%"
    #expect(try stereo(shift).status == 0)
    let limit = try length(left)
    try #require(try length(right) > limit)
    let (oldLeft, oldRight) = ([UInt8]("old left".utf8), [UInt8]("old right".utf8))
    for isReplacing in [true, false] {
      for (path, old) in [(left, oldLeft), (right, oldRight)] {
        _ = try TemporaryFolder.remove(path)
        if isReplacing { try Data(old).write(to: URL(fileURLWithPath: path)) }
      }
      let outcome = try stereo(shift, wrapper: ["prlimit", "--fsize=\(limit)"])
      #expect(outcome.status == 1 && !outcome.wasKilled, "\(outcome.errors)")
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("v_R.png"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == (isReplacing ? ["v_L.png", "v_R.png"] : []))
      if isReplacing {
        #expect(try TemporaryFolder.bytes(of: left) == oldLeft)
        #expect(try TemporaryFolder.bytes(of: right) == oldRight)
      }
    }
  }

  /// The disk is full when the picture is written, after map and confidence.
  @Test("predict leaves all files or none") func predictLeavesAllFilesOrNone() throws {
    let folder = try TemporaryFolder()
    let names = ["d.png", "c.png", "v.png"]
    func predict(wrapper: [String] = []) throws -> CommandLineTool.Outcome {
      let command = [
        "predict", livingRoom, "--refine", "none", "-o", folder.path("d.png"), "--view",
        folder.path("v.png"), "--confidence", folder.path("c.png"), "--overwrite",
      ]
      return try wrapper.isEmpty ? runDepth(command) : depthTool.run(command, wrapper: wrapper)
    }
    #expect(try predict().status == 0)
    let lengths = try names.map { try TemporaryFolder.bytes(of: folder.path($0)).count }
    let limit = max(lengths[0], lengths[1])
    try #require(lengths[2] > limit)
    for isReplacing in [true, false] {
      for name in names {
        _ = try TemporaryFolder.remove(folder.path(name))
        if isReplacing { _ = try folder.write(Array("old \(name)".utf8), to: name) }
      }
      let outcome = try predict(wrapper: ["prlimit", "--fsize=\(limit)"])
      #expect(outcome.status == 1 && !outcome.wasKilled, "\(outcome.errors)")
      #expect(outcome.errors.contains("v.png"), "\(outcome.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == (isReplacing ? names.sorted() : []))
      for name in names where isReplacing {
        #expect(try TemporaryFolder.bytes(of: folder.path(name)) == Array("old \(name)".utf8))
      }
    }
  }
}
