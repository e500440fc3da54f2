import DepthBase
import DepthImages

/// Numbers of a depth file before their unit is known.
package struct FloatGrid: Equatable {
  let height, width: Int
  /// `height·width` values, row 0 at the top.
  let values: [Float]
  /// Largest number of the stored integer type, 255 or 65535; `nil` for floats.
  var integerMaximum: Float?
  /// The unit in the file; `nil` if the file records none.
  var stated: StoredUnit?
  /// Whether only positive finite numbers are values. Other numbers are written as NaN.
  var isPositive = false
}

extension FloatGrid {
  /// A number as stored in files.
  @inline(__always)
  func stored(at index: Int) -> Float { stored(values[index]) }

  @inline(__always)
  private func stored(_ number: Float) -> Float {
    !isPositive || number > 0 && number < .infinity ? number : .nan
  }

  /// `header`, then the bits of every number, least significant byte first.
  func littleEndianBytes(after header: [UInt8], bottomRowFirst: Bool = false) -> [UInt8] {
    let size = header.count + values.count * 4
    return filledArray(count: size) { result in
      result.update(from: header.span)
      for row in 0..<height {
        let source = (bottomRowFirst ? height - 1 - row : row) * width
        let values = values.span.extracting(source..<source + width)
        let target = header.count + row * width * 4
        result.withPart(target..<target + width * 4) { result in
          var bytes = unsafe result.mutableBytes
          for x in 0..<width {
            bytes.storeBytes(
              of: stored(values[x]).bitPattern.littleEndian, toByteOffset: x * 4, as: UInt32.self)
          }
        }
      }
    }
  }
}

/// Decodes numbers of one type and byte order to floats.
package struct NumberDecoder {
  /// The number types of depth files.
  enum Element: String {
    case f2, f4, f8, u1, u2

    var size: Int { Int(rawValue.suffix(1)) ?? 0 }
    var integerMaximum: Float? {
      switch self {
      case .u1: 255
      case .u2: 65_535
      default: nil
      }
    }
  }

  let element: Element
  let order: ByteReader.ByteOrder

  /// `count` numbers that begin at `offset`.
  ///
  /// - Precondition: The numbers are inside `bytes`.
  func floats(_ bytes: [UInt8], from offset: Int, count: Int) -> [Float] {
    precondition(
      offset >= 0 && offset + count * element.size <= bytes.count,
      "\(count) numbers from byte \(offset) of \(bytes.count)")
    return switch element {
    case .f2:
      map(bytes, offset, count) { (bits: UInt16) in
        let value = Float(binary16: bits)
        return value.isNaN ? .nan : value
      }
    case .f4: map(bytes, offset, count) { (bits: UInt32) in Float(bitPattern: bits) }
    case .f8: map(bytes, offset, count) { (bits: UInt64) in Float(Double(bitPattern: bits)) }
    case .u1: map(bytes, offset, count) { (value: UInt8) in Float(value) }
    case .u2: map(bytes, offset, count) { (value: UInt16) in Float(value) }
    }
  }

  @inline(__always)
  private func map<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: [UInt8], _ offset: Int, _ count: Int, _ float: (Bits) -> Float
  ) -> [Float] {
    let size = MemoryLayout<Bits>.size
    return filledArray(count: count) { result in
      let bytes = unsafe bytes.span.bytes.extracting(offset..<offset + count * size)
      for index in 0..<count {
        // Every bit pattern is an integer, and the offset is checked.
        let bits = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index * size, as: Bits.self)
        result[index] = float(order == .big ? Bits(bigEndian: bits) : Bits(littleEndian: bits))
      }
    }
  }
}
