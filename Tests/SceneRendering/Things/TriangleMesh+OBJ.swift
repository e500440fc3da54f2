import DepthBase
import DepthErrors
public import SystemEssentials

extension TriangleMesh {
  /// Reads a Wavefront OBJ file of triangles with `v`, `vt` and `f`. Other lines are ignored.
  ///
  /// z changes its sign from the file's right-handed frame, so labels stay readable.
  ///
  /// - Parameter url: A file with `f` lines of `vertex/place` or `vertex`, from 1 or back from −1.
  /// - Throws: `DepthError` for a file that is unreadable, has no triangle or has an invalid line.
  public init(contentsOf url: URL) throws {
    let name = url.relativePath
    var (vertices, places) = ([Vector](), [SIMD2<Float>]())
    var (corners, coordinates) = ([Vector](), [SIMD2<Float>]())
    let lines = try InputFile.bytes(of: url).split(separator: 10, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      func damaged(_ reason: String) -> DepthError {
        .damaged(file: name, format: "OBJ", reason: "line \(index + 1) \(reason)")
      }
      let words = line.split { $0 == 32 || $0 == 9 || $0 == 13 }
      func numbers(_ count: Int) throws -> [Float] {
        let found = words.dropFirst().prefix(count).compactMap {
          Float(String(decoding: $0, as: UTF8.self))
        }
        guard found.count == count, found.allSatisfy(\.isFinite) else {
          throw damaged("has not \(count) numbers")
        }
        return found
      }
      switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
      case "v":
        let found = try numbers(3)
        vertices.append([found[0], found[1], -found[2]])
      case "vt":
        let found = try numbers(2)
        places.append([found[0], found[1]])
      case "f":
        guard words.count == 4 else {
          throw damaged("has a face of \(words.count - 1) corners, expected 3")
        }
        for word in words.dropFirst() {
          let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
          guard let vertex = Self.index(parts[0], of: vertices.count) else {
            throw damaged("names a vertex that is not among the \(vertices.count) before it")
          }
          corners.append(vertices[vertex])
          guard parts.count > 1, !parts[1].isEmpty else {
            coordinates.append(.zero)
            continue
          }
          guard let place = Self.index(parts[1], of: places.count) else {
            throw damaged("names a vt that is not among the \(places.count) before it")
          }
          coordinates.append(places[place])
        }
      default: break
      }
    }
    guard !corners.isEmpty else {
      throw DepthError.damaged(file: name, format: "OBJ", reason: "it has no triangle")
    }
    self.init(corners: corners, coordinates: coordinates)
  }

  /// The index for a number that counts from 1, or back from −1.
  private static func index(_ word: ArraySlice<UInt8>, of count: Int) -> Int? {
    guard let number = Int(String(decoding: word, as: UTF8.self)) else { return nil }
    let index = number > 0 ? number - 1 : count + number
    return number != 0 && (0..<count).contains(index) ? index : nil
  }
}
