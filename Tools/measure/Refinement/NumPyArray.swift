import Foundation

/// A C-ordered array in NumPy's format 1.0, of the two element types that measuring needs.
struct NumPyArray<Element: NumPyElement> {
  let shape: [Int]
  let elements: [Element]

  init(shape: [Int], elements: [Element]) {
    (self.shape, self.elements) = (shape, elements)
  }

  init(path: String) throws {
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    let length = Int(file[8]) + Int(file[9]) << 8
    let header = String(decoding: file[10..<10 + length], as: UTF8.self)
    guard header.contains("'\(Element.descriptor)'"), header.contains("'fortran_order': False"),
      let open = header.firstIndex(of: "("), let close = header.firstIndex(of: ")")
    else { throw CocoaError(.fileReadCorruptFile) }
    shape = header[header.index(after: open)..<close].split(separator: ",").compactMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    let count = shape.reduce(1, *)
    let body = file[(10 + length)...]
    guard body.count == count * MemoryLayout<Element>.size else {
      throw CocoaError(.fileReadCorruptFile)
    }
    elements = [Element](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = body.copyBytes(to: buffer) / MemoryLayout<Element>.size
    }
  }

  func write(path: String) throws {
    let sides = shape.map(String.init).joined(separator: ", ")
    var header = "{'descr': '\(Element.descriptor)', 'fortran_order': False, 'shape': (\(sides)), }"
    header += String(repeating: " ", count: 63 - (header.utf8.count + 10) % 64) + "\n"
    var file = Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0])
    file += Data([UInt8(header.utf8.count & 255), UInt8(header.utf8.count >> 8)])
    file += Data(header.utf8)
    elements.withUnsafeBytes { file.append(contentsOf: $0) }
    try file.write(to: URL(fileURLWithPath: path))
  }
}

protocol NumPyElement {
  /// NumPy's name of the type.
  static var descriptor: String { get }
}

extension Float: NumPyElement {
  static var descriptor: String { "<f4" }
}

extension UInt8: NumPyElement {
  static var descriptor: String { "|u1" }
}
