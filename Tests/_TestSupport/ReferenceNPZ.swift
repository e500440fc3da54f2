import Testing

/// The arrays of an uncompressed `.npz` archive, read by the descriptions of ZIP and NumPy.
package struct ReferenceNPZ {
  package struct Array {
    /// The array header's Python dictionary, without spaces.
    package let header: String
    package let values: [UInt8]
  }

  /// The names of the arrays, in the archive's order.
  package let names: [String]
  package let arrays: [String: Array]

  package init(_ file: [UInt8]) throws {
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(file[place + $1]) }
    }
    let end = file.count - 22
    try #require(number(end, 4) == 0x0605_4B50 && number(end + 20, 2) == 0)
    var (place, next) = (number(end + 16, 4), 0)
    #expect(place + number(end + 12, 4) == end && number(end + 8, 2) == number(end + 10, 2))
    var (names, arrays): ([String], [String: Array]) = ([], [:])
    for _ in 0..<number(end + 10, 2) {
      try #require(number(place, 4) == 0x0201_4B50)
      let (length, size, local) = (
        number(place + 28, 2), number(place + 24, 4), number(place + 42, 4)
      )
      // Members have no gaps between them. Each local header equals the entry in the list.
      #expect(local == next && number(local, 4) == 0x0403_4B50)
      #expect(file[local + 4..<local + 30].elementsEqual(file[place + 6..<place + 32]))
      #expect(number(place + 8, 4) == 0 && number(place + 20, 4) == size, "flags, method or size")
      let name = String(decoding: file[place + 46..<place + 46 + length], as: UTF8.self)
      #expect(file[local + 30..<local + 30 + length].elementsEqual(name.utf8))
      let content = Swift.Array(file[local + 30 + length..<local + 30 + length + size])
      #expect(content.withUnsafeBytes { Int(crc32($0)) } == number(place + 16, 4))
      try #require(content.starts(with: [0x93] + "NUMPY".utf8 + [1, 0]) && name.hasSuffix(".npy"))
      let start = 10 + Int(content[8]) + 256 * Int(content[9])
      #expect(start % 64 == 0 && content[start - 1] == 10)
      let header = String(decoding: content[10..<start], as: UTF8.self)
      names.append(String(name.dropLast(4)))
      arrays[String(name.dropLast(4))] = Array(
        header: header.filter { !$0.isWhitespace }, values: Swift.Array(content[start...]))
      next = local + 30 + length + size
      place += 46 + length
    }
    (self.names, self.arrays) = (names, arrays)
  }

  /// The numbers of an array of `<f4` or `<f8` in C order.
  package func numbers(_ name: String, shape: String) throws -> [Double] {
    let array = try #require(arrays[name])
    let size = array.header.contains("'<f4'") ? 4 : 8
    #expect(
      array.header == "{'descr':'<f\(size)','fortran_order':False,'shape':\(shape),}")
    return stride(from: 0, to: array.values.count, by: size).map { place in
      let bits = (0..<size).reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64(array.values[place + $1])
      }
      return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }
  }

  /// The text of an array without axes.
  package func text(_ name: String) throws -> String {
    let array = try #require(arrays[name])
    let scalars = stride(from: 0, to: array.values.count, by: 4).map { place in
      Unicode.Scalar(
        (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(array.values[place + $1]) })!
    }
    #expect(array.header == "{'descr':'<U\(scalars.count)','fortran_order':False,'shape':(),}")
    return String(String.UnicodeScalarView(scalars))
  }
}
