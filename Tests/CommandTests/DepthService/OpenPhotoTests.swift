import DepthBase
import DepthImages
import DepthRefinement
import Foundation
import LocalHTTP
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Photos that a page has open.
@Suite struct OpenPhotoTests {
  /// A photo of 800×600 pixels, larger than a draft and smaller than a page's largest picture.
  private static let large = TestPhoto.image(height: 600, width: 800)
  private static let largeFile = Result { try large.encoded(as: .png) }

  @Test("a small photo is shown in full size") func aSmallPhotoIsShownWhole() throws {
    let asked = try AskedService()
    let record = try asked.answer("/v1/photos", to: TestPhoto.file).object
    for (key, value) in [
      ("photo_width", 64), ("photo_height", 48), ("draft_width", 64), ("draft_height", 48),
    ] { #expect(record[key] as? Int == value, "\(key)") }
    #expect(record["tells_errors"] as? Bool == true)
    // An unknown focal length counts as another camera's.
    #expect(record["error_factor"] as? Double == 2)
    let kinect = try asked.answer("/v1/photos?fov=63", to: TestPhoto.file).object
    #expect(kinect["error_factor"] as? Double == 1)
    #expect(record["depth_types"] as? [String] == DepthService.mapTypes.offered)
    let camera = try #require(record["focal_length_share"] as? Double)
    let map = try #require(record["map"] as? [String: Any])
    #expect(abs(try #require(map["focal_length_px"] as? Double) - camera * 64) < 0.1)
    // The depth is the map that the command writes.
    let id = try #require(record["id"] as? String)
    let depth = try asked.answer("GET /v1/photos/\(id)/depth")
    let wanted = try asked.estimation().estimate(
      of: TestPhoto.image(), named: "", call: CallContext(threads: 1))
    #expect(try depth.body == wanted.depth.encoded(as: .npy))
    let normals = try asked.answer("GET /v1/photos/\(id)/normals")
    #expect(normals.status == .ok && normals["Content-Type"] == "image/png")
    #expect(normals.body.starts(with: [0x89] + Array("PNG".utf8)))
    let errors = try #require(wanted.expectedError)
    let confidence = try asked.answer("GET /v1/photos/\(id)/confidence")
    #expect(confidence["Content-Type"] == "image/x-portable-floatmap")
    #expect(
      confidence.body
        == PFM.file(errors.resized(height: 48, width: 64).confidence, height: 48, width: 64))
  }

  @Test("a large photo has a smaller draft") func aLargePhotoHasASmallerDraft() throws {
    let asked = try AskedService()
    let record = try asked.answer("/v1/photos", to: Self.largeFile.get()).object
    let (width, height) = (
      try #require(record["draft_width"] as? Int), try #require(record["draft_height"] as? Int)
    )
    #expect(width * height <= 240_000 && width * height > 230_000)
    #expect(abs(Double(width) / Double(height) - 800.0 / 600) < 0.01)
    let id = try #require(record["id"] as? String)
    let map = try DepthMap(decoding: asked.answer("GET /v1/photos/\(id)/depth").body)
    #expect((map.height, map.width) == (600, 800))
    for (query, size) in [("", (600, 800)), ("&draft=true", (height, width))] {
      // Points are pixels of the sent photo, at every size.
      let last = try asked.answer("/v1/effect?effect=mask&focus-at=799,599&photo=\(id)\(query)")
      #expect(last.status == .ok, "\(last.reason)")
      let picture = try Image(decoding: last.body)
      #expect((picture.height, picture.width) == size)
      #expect(picture.pixels.suffix(3) == [255, 255, 255], "\(query)")
      let beside = try asked.answer("/v1/effect?effect=mask&focus-at=800,599&photo=\(id)\(query)")
      #expect(beside.status == .badRequest)
    }
  }

  /// The id depends on file and camera, so a photo that is opened again keeps its place.
  @Test("a photo is open once for each camera") func aPhotoIsOpenOnceForEachCamera() throws {
    let asked = try AskedService()
    let ids = try ["", "", "?fov=60", "?focal-length=200px", "?fov=60"].map {
      try asked.open(TestPhoto.file, query: $0)
    }
    #expect(ids[0] == ids[1] && ids[2] == ids[4] && Set(ids).count == 3)
    #expect(try asked.openCount() == 3)
    let maps = try Set(ids).map { try asked.answer("GET /v1/photos/\($0)/depth").body }
    #expect(Set(maps).count == 3)
  }

  @Test("simultaneous pages share an open photo") func twoPagesOpenOnePhotoTogether() throws {
    let asked = try AskedService()
    let ids = Monitor<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      #expect(throws: Never.self) {
        let id = try asked.open(TestPhoto.file)
        ids.update { _ = $0.insert(id) }
      }
    }
    #expect(ids.read(\.count) == 1)
    #expect(try asked.openCount() == 1)
  }

  /// The cache has room for one photo.
  @Test("the oldest photo leaves a full cache") func theOldestPhotoGoes() throws {
    let asked = try AskedService(cacheBytes: 90_000)
    let first = try asked.open(TestPhoto.file)
    let other = try TestPhoto.image(height: 60, width: 64).encoded(as: .png)
    let second = try asked.open(other)
    #expect(try asked.openCount() == 1)
    for target in [
      "GET /v1/photos/\(first)/depth", "GET /v1/photos/\(first)/confidence",
      "/v1/effect?effect=haze&photo=\(first)", "/v1/stereo?photo=\(first)",
    ] {
      let answer = try asked.answer(target)
      #expect(answer.status == .notFound && answer.reason.contains("send it again"), "\(target)")
    }
    #expect(try asked.answer("GET /v1/photos/\(second)/depth").status == .ok)
  }

  @Test("a photo too large for the cache removes no other photo")
  func tooLargePhotosRemoveNoOthers() throws {
    let asked = try AskedService(cacheBytes: 150_000)
    let id = try asked.open(TestPhoto.file)
    let answer = try asked.answer("/v1/photos", to: Self.largeFile.get())
    #expect(answer.status == .tooLarge && answer.reason.contains("--cache-megabytes"))
    #expect(try asked.answer("GET /v1/photos/\(id)/depth").status == .ok)
  }

  @Test("a photo that fails is not kept") func failedPhotosAreNotKept() throws {
    let asked = try AskedService()
    #expect(try asked.answer("/v1/photos", to: [1, 2, 3]).status == .unsupportedMediaType)
    #expect(try asked.answer("/v1/photos?fov=0", to: TestPhoto.file).status == .badRequest)
    let gone = try asked.answer(
      "/v1/photos", to: TestPhoto.file, client: Client(leavingAfter: 2))
    #expect(gone.status == .unavailable)
    #expect(try asked.openCount() == 0)
  }

  @Test("weights without expected errors open photos without confidence")
  func weightsWithoutErrorsOpenPhotosWithoutConfidence() throws {
    let asked = try AskedService(.withoutErrors)
    let record = try asked.answer("/v1/photos", to: TestPhoto.file).object
    #expect(record["tells_errors"] as? Bool == false)
    let id = try #require(record["id"] as? String)
    #expect(try asked.answer("GET /v1/photos/\(id)/confidence").status == .badRequest)
  }

  /// The page measures in metres.
  @Test("a page opens no photo with relative weights") func relativeWeightsOpenNone() throws {
    let asked = try AskedService(.relative)
    let answer = try asked.answer("/v1/photos", to: TestPhoto.file)
    #expect(answer.status == .unprocessable && answer.reason.contains("the page"))
  }
}
