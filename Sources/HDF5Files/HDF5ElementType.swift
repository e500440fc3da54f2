import CDepthHDF5

/// What one element of a dataset or attribute is.
package enum HDF5ElementType: Hashable, Sendable {
  /// IEEE 754 binary16, binary32 or binary64.
  case float16, float32, float64
  case integer(bits: Int, signed: Bool)
  /// Text of a fixed number of bytes, or `nil` when every string has its own length.
  case text(bytes: Int?)
  /// A type this package does not read.
  case other(String)

  /// Classifies an open datatype. Call inside the lock.
  init(_ type: borrowing HDF5Handle) {
    let bytes = H5Tget_size(type.id)
    let isPlain = [H5T_ORDER_LE, H5T_ORDER_BE].contains(H5Tget_order(type.id))
    switch H5Tget_class(type.id) {
    case H5T_INTEGER where !isPlain || H5Tget_precision(type.id) != bytes * 8:
      self = .other("integer in an unusual format")
    case H5T_FLOAT where !isPlain:
      self = .other("float in an unusual byte order")
    case H5T_INTEGER:
      self = .integer(bits: bytes * 8, signed: H5Tget_sign(type.id) == H5T_SGN_2)
    case H5T_FLOAT:
      switch Format(type) {
      case .binary16: self = .float16
      case .binary32: self = .float32
      case .binary64: self = .float64
      default: self = .other("\(bytes * 8)-bit float that is not IEEE 754")
      }
    case H5T_STRING:
      self = .text(bytes: H5Tis_variable_str(type.id) > 0 ? nil : bytes)
    case H5T_COMPOUND: self = .other("compound")
    case H5T_ENUM: self = .other("enumeration")
    case H5T_REFERENCE: self = .other("reference")
    case H5T_VLEN: self = .other("variable-length sequence")
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

    init(_ type: borrowing HDF5Handle) {
      bytes = H5Tget_size(type.id)
      H5Tget_fields(type.id, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits)
      bias = Int(H5Tget_ebias(type.id))
      hasImpliedOne = H5Tget_norm(type.id) == H5T_NORM_IMPLIED
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
