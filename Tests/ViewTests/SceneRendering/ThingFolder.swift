import DepthImages
import PictureFiles
import SystemEssentials
import _TestSupport

@testable import SceneRendering

/// A small generated library with boxes, a drum, a table, a shelf, a surface and a room.
struct ThingFolder {
  let folder: TemporaryFolder
  var url: URL { URL(filePath: folder.path, directoryHint: .isDirectory) }

  init() throws {
    folder = try TemporaryFolder()
    var list: [String] = []
    func add(
      _ name: String, _ size: Vector, _ obj: String, group: String = "object",
      kind: String = "table-top object", stands: String = "table"
    ) throws {
      try Self.write(obj, to: "things/\(name)/mesh.obj", in: folder)
      let checks = (0..<16 * 16).flatMap { k -> [UInt8] in
        (k / 16 / 4 + k % 16 / 4) % 2 == 0 ? [200, 60, 40] : [240, 230, 200]
      }
      try Image(height: 16, width: 16, pixels: checks).write(
        to: folder.url("things/\(name)/texture.jpg"))
      list.append(
        """
        {"name": "\(name)", "group": "\(group)", "kind": "\(kind)", "stands": "\(stands)", \
        "size_m": [\(size.x), \(size.y), \(size.z)], "triangles": 12}
        """)
    }
    for (name, size) in [
      ("block", Vector(0.1, 0.08, 0.06)), ("brick", [0.2, 0.06, 0.1]), ("die", [0.05, 0.05, 0.05]),
      ("slab", [0.15, 0.02, 0.2]),
    ] {
      try add(name, size, Self.box(size))
    }
    try add("drum", [0.08, 0.12, 0.08], Self.drum(radius: 0.04, height: 0.12))
    try add(
      "table", [1.2, 0.7, 0.8], Self.box([1.2, 0.7, 0.8]), group: "furniture", kind: "table",
      stands: "floor")
    try add(
      "boards", [0.8, 1, 0.3],
      (0..<3).map { Self.box([0.8, 0.03, 0.3], at: [0, 0.3 * Float($0) + 0.1, 0]) }.joined(),
      group: "furniture", kind: "bookcase", stands: "floor")
    try add(
      "pane", [0.8, 1, 0.05], Self.box([0.8, 1, 0.05]), group: "furniture", kind: "window",
      stands: "wall")
    try add(
      "shell", [4, 2.5, 4], Self.box([4, 2.5, 4]), group: "scene part", kind: "room shell",
      stands: "floor")
    try Self.write("[\(list.joined(separator: ",\n"))]", to: "things.json", in: folder)
    try Self.write(
      #"[{"name": "oak", "px": 16, "kind": "Wood", "use": "table floor wall", "edge_m": 0.5}]"#,
      to: "surfaces/surfaces.json", in: folder)
    try Image(height: 8, width: 8, pixels: (0..<192).map { UInt8(90 + $0 % 100) })
      .write(to: folder.url("surfaces/oak.jpg"))
    let poses = [("shell", [1, 0, 7]), ("table", [1.5, 0, 7]), ("pane", [0, 1, 5.05])]
      .map { (name: String, at: [Double]) in
        """
        {"thing": "\(name)", "pose": [[1, 0, 0, \(at[0])], [0, 1, 0, \(at[1])], [0, 0, 1, \(at[2])], [0, 0, 0, 1]]}
        """
      }
    try Self.write(
      """
      {"name": "cell", "items": [\(poses.joined(separator: ", "))], "camera_boxes": [[-0.8, 5.2, 2.8, 8.8]]}
      """, to: "scenes/cell.json", in: folder)
  }

  /// Writes a text into a file, and creates the file's folders.
  static func write(_ text: String, to name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      at: folder.url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try folder.write(Array(text.utf8), to: name)
  }

  /// A box with its base at `base`. Lines count corners back from the last corner.
  static func box(_ size: Vector, at base: Vector = .zero) -> String {
    var text = ""
    for k in 0..<8 {
      let corner = Vector(k & 1 == 0 ? -0.5 : 0.5, k & 2 == 0 ? 0 : 1, k & 4 == 0 ? -0.5 : 0.5)
      let at = base + corner * size
      text += "v \(at.x) \(at.y) \(at.z)\n"
    }
    text += "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    for face in [
      [0, 1, 3, 2], [5, 4, 6, 7], [4, 0, 2, 6], [1, 5, 7, 3], [2, 3, 7, 6], [4, 5, 1, 0],
    ] {
      let words = zip(face, 0..<4).map { "\($0 - 8)/\($1 - 4)" }
      text += "f \(words[0]) \(words[1]) \(words[2])\nf \(words[0]) \(words[2]) \(words[3])\n"
    }
    return text
  }

  /// A round post with 24 sides, two ends, and the base at the origin.
  static func drum(radius: Float, height: Float) -> String {
    let sides = 24
    var text = "v 0 0 0\nv 0 \(height) 0\n"
    for k in 0..<sides {
      let angle = 2 * Float.pi * Float(k) / Float(sides)
      for y in [0, height] { text += "v \(radius * cos(angle)) \(y) \(radius * sin(angle))\n" }
    }
    for k in 0..<sides {
      let (a, b) = (3 + 2 * k, 3 + 2 * ((k + 1) % sides))
      // One of the side's two triangles is turned the other way.
      text +=
        "f \(a) \(b) \(b + 1)\nf \(a) \(a + 1) \(b + 1)\nf 1 \(a) \(b)\nf 2 \(a + 1) \(b + 1)\n"
    }
    return text
  }
}
