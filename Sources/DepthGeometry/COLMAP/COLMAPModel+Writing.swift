package import DepthBase
package import DepthImages

extension COLMAPModel {
  /// The text files `cameras.txt`, `images.txt` and `points3D.txt`, in this order. Only points with observations in the
  /// model's photos are written.
  package var texts: [String] {
    var tracks: [Int: [String]] = [:]
    var images =
      "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME, then a line of (X, Y, POINT3D_ID)\n"
    for photo in photos.sorted(by: { $0.id < $1.id }) {
      let (q, t) = (photo.rotation, photo.translation)
      images +=
        "\(photo.id) \(q[0]) \(q[1]) \(q[2]) \(q[3]) \(t.x) \(t.y) \(t.z) \(photo.camera) \(photo.name)\n"
      images +=
        photo.places.map { "\($0.x) \($0.y) \(points[$0.point] == nil ? -1 : $0.point)" }
        .joined(separator: " ") + "\n"
      for (index, place) in photo.places.enumerated() where points[place.point] != nil {
        tracks[place.point, default: []].append("\(photo.id) \(index)")
      }
    }
    let used = Set(photos.map(\.camera))
    let cameras = cameras.values.filter { used.contains($0.id) }.sorted { $0.id < $1.id }
    return [
      "# CAMERA_ID, MODEL, WIDTH, HEIGHT, fx, fy, cx, cy\n"
        + cameras.map {
          "\($0.id) PINHOLE \($0.width) \($0.height) \($0.fx) \($0.fy) \($0.cx) \($0.cy)\n"
        }.joined(), images,
      "# POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n"
        + tracks.sorted { $0.key < $1.key }.map { id, track in
          let point = points[id]!
          let (p, c) = (point.position, point.color)
          return
            "\(id) \(p.x) \(p.y) \(p.z) \(c.x) \(c.y) \(c.z) \(point.error) \(track.joined(separator: " "))\n"
        }.joined(),
    ]
  }
}

/// Maps of COLMAP's dense reconstruction: a text header, then 32-bit floats, channel by channel and row by row; 0 for no
/// value.
package enum COLMAPMap {
  package static func content(of depth: DepthMap, threads: Int) -> FileContent {
    content(depth.height, depth.width, 1, threads: threads) { pixel, _ in
      depth.hasValue(depth.values[pixel]) ? depth.values[pixel] : 0
    }
  }

  /// Normals in the camera's frame (x right, y down, z forward).
  package static func content(of normals: NormalMap, threads: Int) -> FileContent {
    content(normals.height, normals.width, 3, threads: threads) { normals.values[3 * $0 + $1] }
  }

  private static func content(
    _ height: Int, _ width: Int, _ channels: Int, threads: Int,
    _ number: @escaping @Sendable (_ pixel: Int, _ channel: Int) -> Float
  ) -> FileContent {
    .pieces { write in
      try write(Array("\(width)&\(height)&\(channels)&".utf8).span)
      let pixels = height * width
      try RecordPieces.write(channels * pixels, recordBytes: 4, threads: threads, to: write) {
        rows, out in
        for index in rows {
          let (channel, pixel) = index.quotientAndRemainder(dividingBy: pixels)
          out.store(
            littleEndian: number(pixel, channel).bitPattern, at: 4 * (index - rows.lowerBound))
        }
      }
    }
  }
}
