import DepthBase
import DepthErrors
import DepthImages
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

@testable import PictureFiles

extension StereoFormat {
  /// Stereo formats that need neither metres nor an encoder.
  static let ofAnyPhoto = all.filter { $0 != .spatial }
}

@Suite struct SpatialPhotoTests {
  static let hasEncoder = (try? HEVCPicture.requireEncoder()) != nil

  private static func options(balance: Double = 0.5) -> StereoOptions {
    var options = StereoOptions()
    options.balance = balance
    options.amount = .metric(
      MetricParallax(baseline: 0.1, focalLength: .pixels(80), screenDistance: 2))
    return options
  }

  /// The payload inside the boxes is arbitrary.
  @Test("a spatial photo has both views, cameras, stereo group and Exif")
  func fileHasBothPicturesTheirCamerasAndTheirGroup() throws {
    var photo = TestPhoto.image(height: 40, width: 60)
    photo.metadata.exif = LocatedPhoto().exif
    let size = [UInt8].fullBox("ispe", [0, 0, 0, 64, 0, 0, 0, 40])
    let contents: [[UInt8]] = [[1, 2, 3, 4, 5], [9, 8, 7]]
    let views = try zip(contents, [-0.0315, 0.0315]).map { content, position in
      var view = HEVCPicture(
        properties: [.box("hvcC", [1, 2, 3]), size, .box("clap", [4])], content: content)
      try view.describe(photo, focalLength: 48, position: position)
      return view
    }
    let found = HEICItems(try HEICFile(views, group: "ster", exifOf: photo).bytes())
    #expect(found.boxes == ["ftyp", "meta", "mdat"])
    #expect(found.primary == 1 && found.items.count == 3)
    let group = try #require(found.groups.first)
    #expect(found.groups.count == 1 && group.type == "ster" && group.items == [1, 2])
    #expect(found.items[group.number] == nil, "a group and an item share a number")
    for (number, content) in zip(1...2, contents) {
      let item = try #require(found.items[number])
      #expect(item.type == "hvc1" && item.content == content)
      #expect(item.properties.map(\.type) == ["hvcC", "ispe", "cmin", "cmex", "clap"])
      #expect(item.properties.map(\.isEssential) == [true, false, false, false, true])
      // 64 columns are compressed, and 60 are shown.
      let intrinsics = try #require(item["cmin"])
      #expect(intrinsics.prefix(4) == [0, 0, 20, 0])
      let shares = HEICItems.integers(intrinsics.dropFirst(4)).map { Double($0) / 0x1p20 }
      #expect(shares == [0.75, 0.46875, 0.5])
      let extrinsics = try #require(item["cmex"])
      #expect(extrinsics.prefix(4) == [0, 0, 0, 0b1111] && extrinsics.count == 4 + 12 + 6)
      #expect(
        HEICItems.integers(extrinsics.dropFirst(4)) == [number == 1 ? -31500 : 31500, 0, 0, 0])
    }
    let exif = try #require(found.items[3])
    #expect(exif.type == "Exif" && exif.content.starts(with: [0, 0, 0, 0] + Array("II*".utf8)))
    #expect(found.references.count == 1)
    let reference = found.references[0]
    #expect(reference.type == "cdsc" && reference.source == 3 && reference.targets == [1])
  }

  @Test("a focal length beyond the range of its box is refused")
  func numbersThatTheBoxesCannotHoldAreRefused() throws {
    var view = HEVCPicture(properties: [], content: [])
    let photo = TestPhoto.image()
    for (focalLength, position) in [(64 * 2048.0, 0.0), (64, 2148)] {
      let error = #expect(throws: DepthError.self) {
        try view.describe(photo, focalLength: focalLength, position: position)
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  /// Compression takes most of the time. The test needs no encoder.
  @Test("a cancelled spatial photo is not compressed") func cancellationEndsTheWork() throws {
    let photo = TestPhoto.image()
    let pair = try photo.stereoPair(depth: TestPhoto.depth(), options: Self.options())
    #expect(throws: CancellationError.self) {
      try pair.spatialPhoto(
        quality: 90, focalLength: 80, baseline: 0.1, balance: 0.5,
        cancellation: Cancellation { true })
    }
  }

  @Test("a spatial photo needs metric parallax and a focal length")
  func shiftAndUnknownCameraAreRefused() throws {
    let photo = TestPhoto.image()
    var options = StereoOptions()
    for expected in ["a share of the width", "focal length"] {
      let error = #expect(throws: DepthError.self) {
        try photo.stereoFiles(as: .spatial, depth: TestPhoto.depth(), options: options)
      }
      #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
      options.amount = .metric(MetricParallax(focalLength: .photo, screenDistance: 1))
    }
  }

  /// The photo is the view of the camera at 0. Points at infinity have no parallax.
  @Test(
    "a reader finds the left view of a spatial photo",
    .enabled(if: hasEncoder, "libheif or its encoder of HEVC is not installed"))
  func readersFindTheLeftView() throws {
    // The size is odd and below a block, so fewer pixels are shown than compressed.
    let photo = TestPhoto.image(height: 45, width: 63)
    let depth = DepthMap(
      height: 45, width: 63, unit: .metres, values: .init(repeating: 4, count: 45 * 63))
    var options = Self.options(balance: 0)
    var output = StereoOutput()
    output.quality = 100
    let file = try photo.stereoFiles(as: .spatial, depth: depth, options: options, output: output)
    #expect(file.map(\.ending) == ["_spatial.heic"])
    let read = try PhotoFile(decoding: file[0].bytes, name: "a.heic")
    #expect(read.notes == ["is a stereo photo (two pictures), but is processed as a single view"])
    let image = try read.image()
    #expect((image.height, image.width) == (45, 63))
    // Chroma has half of the columns.
    let errors = zip(image.pixels, photo.pixels).map { abs(Int($0) - Int($1)) }
    #expect(errors.reduce(0, +) < 4 * errors.count, "\(errors.reduce(0, +))")
    let found = HEICItems(file[0].bytes)
    let positions = (1...2).map { HEICItems.integers(found.items[$0]!["cmex"]!.dropFirst(4))[0] }
    #expect(positions == [0, 100_000])
    // The shown part begins at the first compressed column and row. Offsets are between centers.
    let first = try #require(found.items[1])
    let stored = HEICItems.integers(try #require(first["ispe"]).dropFirst(4))
    #expect(
      HEICItems.integers(try #require(first["clap"]).dropFirst(0))
        == [63, 1, 45, 1, 63 - stored[0], 2, 45 - stored[1], 2])
    // 80 pixels · 0.1 m / 4 m = 2, so column 20 of the photo is column 18 of the right view.
    options.amount = .metric(
      MetricParallax(baseline: 0.1, focalLength: .pixels(80), screenDistance: .infinity))
    let pair = try photo.stereoPair(depth: depth, options: options)
    let row = 3 * 63 * 3
    #expect(pair.right.pixels[row + 3 * 18] == photo.pixels[row + 3 * 20])
  }

  @Test(
    "libheif finds both views and their cameras",
    .enabled(if: hasEncoder, "libheif or its encoder of HEVC is not installed"),
    .enabled(if: ExternalReader.pillowHEIF.isInstalled, "pillow-heif is not installed"))
  func libheifOfTodayFindsBothViewsAndTheirCameras() throws {
    let photo = TestPhoto.image(height: 96, width: 128)
    let file = try photo.stereoFiles(
      as: .spatial, depth: TestPhoto.depth(height: 96, width: 128), options: Self.options())[0]
    let said = try ExternalReader.pillowHEIF.run(
      [
        "-c",
        Self.script, "FILE",
      ], on: file.bytes, named: "a.heic")
    let lines = said.split(separator: "\n")
    #expect(lines.first == "ster 1 2")
    #expect(lines.dropFirst().count == 2)
    for line in lines.dropFirst() {
      #expect(line == "128 96 80.0 80.0 64.0 48.0 1 0 0 0 1 0 0 0 1", "\(said)")
    }
  }

  /// libheif prints the group, and each picture's size, focal lengths, principal point and
  /// rotation.
  private static let script = """
    import glob, os, sys
    from ctypes import *
    import pillow_heif
    heif = CDLL(glob.glob(os.path.join(os.path.dirname(pillow_heif.__file__), "../pillow_heif.libs/libheif*"))[0])
    class Error(Structure):
        _fields_ = [("code", c_int), ("subcode", c_int), ("message", c_char_p)]
    class Group(Structure):
        _fields_ = [("id", c_uint32), ("type", c_uint32), ("entities", POINTER(c_uint32)), ("count", c_uint32)]
    for name in ["context_alloc"]:
        getattr(heif, "heif_" + name).restype = c_void_p
    heif.heif_context_get_entity_groups.restype = POINTER(Group)
    for name in ["context_read_from_file", "context_get_image_handle", "image_handle_get_camera_intrinsic_matrix",
                 "image_handle_get_camera_extrinsic_matrix", "camera_extrinsic_matrix_get_rotation_matrix"]:
        getattr(heif, "heif_" + name).restype = Error
    context = c_void_p(heif.heif_context_alloc())
    assert heif.heif_context_read_from_file(context, sys.argv[1].encode(), None).code == 0
    count = c_int()
    groups = heif.heif_context_get_entity_groups(context, 0, 0, byref(count))
    assert count.value == 1
    group = groups[0]
    pictures = [group.entities[i] for i in range(group.count)]
    print(group.type.to_bytes(4, "big").decode(), *pictures)
    file = pillow_heif.open_heif(sys.argv[1])
    assert len(file) == 2 and file.primary_index == 0
    for picture, image in zip(pictures, file):
        handle, matrix, rotation = c_void_p(), (c_double * 5)(), (c_double * 9)()
        assert heif.heif_context_get_image_handle(context, picture, byref(handle)).code == 0
        assert heif.heif_image_handle_get_camera_intrinsic_matrix(handle, matrix).code == 0
        extrinsics = c_void_p()
        assert heif.heif_image_handle_get_camera_extrinsic_matrix(handle, byref(extrinsics)).code == 0
        assert heif.heif_camera_extrinsic_matrix_get_rotation_matrix(extrinsics, rotation).code == 0
        print(*image.size, *(round(v, 3) for v in matrix[:4]), *(round(v) for v in rotation))
    """
}
