#if HDF5
  import CDepthHDF5

  extension HDF5ElementType {
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
        self = HDF5ElementType(FloatFormat(facts))
      case H5T_STRING.rawValue:
        self = .text(bytes: facts.is_variable != 0 ? nil : bytes)
      case H5T_COMPOUND.rawValue: self = .other("compound")
      case H5T_ENUM.rawValue: self = .other("enumeration")
      case H5T_REFERENCE.rawValue: self = .other("reference")
      case H5T_VLEN.rawValue: self = .other("variable-length sequence")
      default: self = .other("unknown")
      }
    }
  }

  extension HDF5ElementType.FloatFormat {
    /// The fields reported by the library.
    fileprivate init(_ facts: ch5_facts) {
      bytes = Int(clamping: facts.element_bytes)
      sign = Int(clamping: facts.sign_bit)
      exponent = Int(clamping: facts.exponent)
      exponentBits = Int(clamping: facts.exponent_bits)
      mantissa = Int(clamping: facts.mantissa)
      mantissaBits = Int(clamping: facts.mantissa_bits)
      bias = Int(clamping: facts.bias)
      hasImpliedOne = facts.is_implied_one != 0
    }
  }
#endif
