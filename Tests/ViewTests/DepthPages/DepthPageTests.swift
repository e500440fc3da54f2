import DepthErrors
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthGeometry

@Suite struct DepthPageTests {
  private struct Embedded: Decodable {
    let name: String
    let width, height: Int
    let focalLengthShare: Double
    let photo, depth: Data

    private enum CodingKeys: String, CodingKey {
      case name, width, height, photo, depth
      case focalLengthShare = "focal_length_share"
    }
  }

  private let photo = TestPhoto.image()
  private let camera = Camera(width: 64, height: 48, focalLength: 52)

  /// A disc before a wall, with missing pixels.
  private var depth: DepthMap {
    var values = TestPhoto.depth().values
    for index in 0..<20 { values[index] = 0 }
    return DepthMap(height: 48, width: 64, unit: .metres, values: values)
  }

  private func embedded(in page: String) throws -> Embedded {
    let start = try #require(page.range(of: "id=\"embedded\">\n")).upperBound
    let end = try #require(page.range(of: "\n</script>", range: start..<page.endIndex)).lowerBound
    return try JSONDecoder().decode(Embedded.self, from: Data(page[start..<end].utf8))
  }

  @Test("a page contains photo, depth, camera and name") func photoAndDepthAreInside() throws {
    let page = try DepthPage.html(photo: photo, depth: depth, camera: camera, name: "room.jpg")
    let found = try embedded(in: page)
    #expect(found.name == "room.jpg" && found.width == 64 && found.height == 48)
    #expect(found.focalLengthShare == 52.0 / 64)
    let map = try DepthMap(decoding: Array(found.depth), name: "embedded")
    #expect(map.unit == .metres)
    for (value, wanted) in zip(map.values, depth.values) {
      #expect(abs(value - wanted) <= 0.000501)
    }
    let picture = try Image(decoding: Array(found.photo), name: "embedded")
    #expect(picture.width == 64 && picture.height == 48)
  }

  @Test("a page contains the given facts, or none") func factsAreInside() throws {
    let told = try DepthPage.html(
      photo: photo, depth: depth, camera: camera,
      facts: DepthPage.Facts(
        uncertainty: 0.148, errorFactor: 2, focalLengthSource: "assumed"))
    #expect(
      told.contains(
        #""facts":{"uncertainty":0.148,"error_factor":2.0,"focal_length_source":"assumed"},"#))
    let silent = try DepthPage.html(photo: photo, depth: depth, camera: camera)
    #expect(silent.contains(#""facts":{},"#))
  }

  @Test("a page refers to no external address") func pagesReferToNoAddress() throws {
    let page = try DepthPage.html(photo: photo, depth: depth, camera: camera)
    #expect(page.contains("Content-Security-Policy\" content=\"default-src 'none'; "))
    #expect(!page.contains("connect-src") && !page.contains("{{"))
    for scheme in ["http://", "https://", "src=\"//"] {
      #expect(!page.contains(scheme), "\(scheme)")
    }
  }

  @Test(
    "a hostile name stays inside a page's data",
    arguments: [
      "</script><script>alert(1)</script>", "<!--", "\"\\\n\u{2028}", "{{script}}", "Büro 😀.jpg",
    ])
  func namesStayInside(name: String) throws {
    let page = try DepthPage.html(photo: photo, depth: depth, camera: camera, name: name)
    #expect(try embedded(in: page).name == name)
    let plain = try DepthPage.html(photo: photo, depth: depth, camera: camera)
    func count(_ text: String, _ part: String) -> Int { text.components(separatedBy: part).count }
    #expect(count(page, "<script") == count(plain, "<script"))
    #expect(count(page, "<!--") == count(plain, "<!--"))
  }

  @Test("a photo's Exif is not part of the page") func metadataStaysOutside() throws {
    var located = photo
    located.metadata.exif = Array("II*\0secret place".utf8)
    let page = try DepthPage.html(photo: located, depth: depth, camera: camera)
    let picture = try Image(decoding: Array(embedded(in: page).photo), name: "embedded")
    #expect(picture.metadata.exif == nil)
  }

  @Test("a page refuses normalized and empty maps") func mapsWithoutMetresAreRefused() {
    #expect(throws: DepthError.self) {
      try DepthPage.html(photo: photo, depth: depth.normalized(), camera: camera)
    }
    let empty = DepthMap(height: 1, width: 1, unit: .metres, values: [0])
    #expect(throws: DepthError.self) {
      try DepthPage.html(photo: photo, depth: empty, camera: camera)
    }
  }

  /// Clouds and meshes have the same limits of depth.
  @Test("depths beyond the limits of geometry are missing in a page")
  func depthsTooFarForGeometryAreNoValues() throws {
    let far = DepthMap(height: 1, width: 3, unit: .metres, values: [1e9, 2e5, 9e-6])
    #expect(throws: DepthError.noDepthInSpace) {
      try DepthPage.html(photo: photo, depth: far, camera: camera)
    }
    let some = DepthMap(height: 1, width: 3, unit: .metres, values: [1e9, 3, 1e5])
    let page = try DepthPage.html(photo: photo, depth: some, camera: camera)
    let map = try DepthMap(decoding: Array(embedded(in: page).depth), name: "embedded")
    #expect(map.values == [0, 3, 65.535])
  }

  @Test("a page is equal on any number of threads") func theThreadsDoNotMatter() throws {
    let one = try DepthPage.html(photo: photo, depth: depth, camera: camera, threads: 1)
    #expect(try one == DepthPage.html(photo: photo, depth: depth, camera: camera, threads: 3))
  }

  @Test("each served page has a new nonce in its policy")
  func servedPagesHaveANumberOfTheirOwn() throws {
    let (first, second) = (
      DepthPage.served(doubtfulError: 0.25), DepthPage.served(doubtfulError: 0.25)
    )
    #expect(first.policy != second.policy)
    let nonce = try #require(
      first.policy.split(separator: "'nonce-").dropFirst().first?.prefix { $0 != "'" })
    #expect(nonce.count >= 16 && first.html.contains("<script nonce=\"\(nonce)\">"))
    #expect(first.policy.hasPrefix("default-src 'none'; ") && !first.policy.contains("unsafe"))
    #expect(first.html.contains("id=\"embedded\">\nnull\n</script>"))
  }

  @Test(
    "a browser opens a page from a file and shows the depth",
    .enabled(if: ExternalReader.opensPages, ExternalReader.opensNoPages))
  func browsersOpenThePageFromTheFileSystem() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = (
      TestPhoto.image(height: 120, width: 160), TestPhoto.depth(height: 120, width: 160)
    )
    let page = try DepthPage.html(
      photo: photo, depth: depth, camera: Camera(width: 160, height: 120, focalLength: 130))
    let file = try folder.write(Array(page.utf8), to: "a page.html")
    let map = try folder.write(depth.encoded(as: .pfm), to: "map.pfm")
    let outcome = try CommandLineTool(at: "/usr/bin/env").run([
      ExternalReader.python, PackageFile.path("Scripts/checks/check-page.py"), "--file", file,
      "--depth",
      map,
    ])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }
}
