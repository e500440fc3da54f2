import CDepthHDF5

/// The type of the elements of a dataset or attribute.
package enum HDF5ElementType: Hashable, Sendable {
  /// IEEE 754 binary16, binary32 or binary64.
  case float16, float32, float64
  case integer(bits: Int, signed: Bool)
  /// Text of a fixed number of bytes; `nil` for strings of variable length.
  case text(bytes: Int?)
  /// A type that this package does not read, with its name.
  case other(String)

  /// Classifies a type by the library's description.
  init(_ facts: ch5_facts) {
    let bytes = Int(clamping: facts.element_bytes)
    let isPlain = [H5T_ORDER_LE, H5T_ORDER_BE].contains { $0.rawValue == facts.order }
    switch facts.type {
    case H5T_INTEGER.rawValue
    where !isPlain || facts.precision != facts.element_bytes.multipliedReportingOverflow(by: 8).0:
      self = .other("integer in an unusual format")
    case H5T_FLOAT.rawValue where !isPlain:
      self = .other("float in an unusual byte order")
    case H5T_INTEGER.rawValue:
      self = .integer(bits: bytes &* 8, signed: facts.sign != 0)
    case H5T_FLOAT.rawValue:
      switch Format(facts) {
      case .binary16: self = .float16
      case .binary32: self = .float32
      case .binary64: self = .float64
      default: self = .other("\(bytes &* 8)-bit float that is not IEEE 754")
      }
    case H5T_STRING.rawValue:
      self = .text(bytes: facts.is_variable != 0 ? nil : bytes)
    case H5T_COMPOUND.rawValue: self = .other("compound")
    case H5T_ENUM.rawValue: self = .other("enumeration")
    case H5T_REFERENCE.rawValue: self = .other("reference")
    case H5T_VLEN.rawValue: self = .other("variable-length sequence")
    default: self = .other("unknown")
    }
  }

  /// The fields of a floating-point type.
  private struct Format: Equatable {
    var bytes = 0
    var sign = 0
    var exponent = 0
    var exponentBits = 0
    var mantissa = 0
    var mantissaBits = 0
    var bias = 0
    var hasImpliedOne = true

    init(_ facts: ch5_facts) {
      bytes = Int(clamping: facts.element_bytes)
      sign = Int(clamping: facts.sign_bit)
      exponent = Int(clamping: facts.exponent)
      exponentBits = Int(clamping: facts.exponent_bits)
      mantissa = Int(clamping: facts.mantissa)
      mantissaBits = Int(clamping: facts.mantissa_bits)
      bias = Int(clamping: facts.bias)
      hasImpliedOne = facts.is_implied_one != 0
    }

    init(bytes: Int, exponentBits: Int) {
      self.bytes = bytes
      self.exponentBits = exponentBits
      sign = bytes * 8 - 1
      mantissaBits = sign - exponentBits
      exponent = mantissaBits
      bias = 1 << (exponentBits - 1) - 1
    }

    static let binary16 = Format(bytes: 2, exponentBits: 5)
    static let binary32 = Format(bytes: 4, exponentBits: 8)
    static let binary64 = Format(bytes: 8, exponentBits: 11)
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
