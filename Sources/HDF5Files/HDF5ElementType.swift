/// The type of the elements of a dataset or attribute.
package enum HDF5ElementType: Hashable, Sendable {
  /// IEEE 754 binary16, binary32 or binary64.
  case float16, float32, float64
  case integer(bits: Int, signed: Bool)
  /// Text of a fixed number of bytes; `nil` for strings of variable length.
  case text(bytes: Int?)
  /// A type that this package does not read, with its name.
  case other(String)

  /// A floating-point type by its fields; `other` where it is not IEEE 754.
  init(_ format: FloatFormat) {
    switch format {
    case .binary16: self = .float16
    case .binary32: self = .float32
    case .binary64: self = .float64
    default: self = .other("\(format.bytes &* 8)-bit float that is not IEEE 754")
    }
  }

  /// The fields of a floating-point type: places and lengths in bits.
  struct FloatFormat: Equatable {
    var bytes = 0
    var sign = 0
    var exponent = 0
    var exponentBits = 0
    var mantissa = 0
    var mantissaBits = 0
    var bias = 0
    var hasImpliedOne = true

    static let binary16 = ieee754(bytes: 2, exponentBits: 5)
    static let binary32 = ieee754(bytes: 4, exponentBits: 8)
    static let binary64 = ieee754(bytes: 8, exponentBits: 11)

    private static func ieee754(bytes: Int, exponentBits: Int) -> Self {
      let sign = bytes * 8 - 1
      return Self(
        bytes: bytes, sign: sign, exponent: sign - exponentBits, exponentBits: exponentBits,
        mantissaBits: sign - exponentBits, bias: 1 << (exponentBits - 1) - 1)
    }
  }
}

extension HDF5ElementType: CustomStringConvertible {
  package var description: String {
    switch self {
    case .float16: "float16"
    case .float32: "float32"
    case .float64: "float64"
    case .integer(let bits, let signed): "\(signed ? "" : "u")int\(bits)"
    case .text: "text"
    case .other(let name): name
    }
  }
}
