/// The type of the elements of a dataset or attribute.
package enum HDF5ElementType: Hashable, Sendable {
  /// IEEE 754 binary16, binary32 or binary64.
  case float16, float32, float64
  case integer(bits: Int, signed: Bool)
  /// Text of a fixed number of bytes; `nil` for strings of variable length.
  case text(bytes: Int?)
  /// A type that this package does not read, by name.
  case other(String)

  /// Classifies a floating-point type by its fields; `other` for types that are not IEEE 754.
  init(_ format: FloatFormat) {
    switch format {
    case .binary16: self = .float16
    case .binary32: self = .float32
    case .binary64: self = .float64
    default: self = .other("\(format.bytes &* 8)-bit float that is not IEEE 754")
    }
  }

  /// The fields of a floating-point type: positions and lengths in bits.
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

/// The storage layout of a dataset's bytes.
enum HDF5Layout: Sendable {
  /// One run of bytes from offset `offset` in the file.
  case contiguous(offset: Int)
  /// Bytes inside the dataset's header.
  case compact([UInt8])
  #if HDF5
    /// Chunks of equal extents, each stored through the same filters.
    case chunked(HDF5Chunks)
  #endif

  /// Checks a described layout.
  ///
  /// - Throws: `DepthError`, naming the dataset.
  init(
    _ facts: HDF5Facts, file: HDF5File, shape: [Int], elementBytes: Int, chunkLimit: Int
  ) throws {
    let (path, claim) = (facts.path, facts.layout)
    let bytes = shape.reduce(1, *) * elementBytes
    switch claim.kind {
    case .compact:
      self = .compact(facts.data)
    case .contiguous where bytes == 0:
      self = .contiguous(offset: 0)
    case .contiguous:
      guard claim.externalFiles == 0 else {
        throw file.unsupported("dataset '\(path)' keeps its values in another file")
      }
      // The library adds the length of the user block to every address, even to the undefined address.
      guard claim.isAllocated, claim.offset != .max,
        claim.offset >= UInt64(file.start)
      else { throw file.invalid("values of dataset '\(path)' were never written") }
      guard claim.offset <= UInt64(file.size), bytes <= file.size - Int(claim.offset) else {
        throw file.invalid(
          "dataset '\(path)' claims \(bytes) bytes from byte \(claim.offset), "
            + "the file ends at \(file.size)")
      }
      self = .contiguous(offset: Int(claim.offset))
    case .chunked:
      #if HDF5
        if file.describer != .reader {
          self = .chunked(
            try HDF5Chunks(
              claim, path: path, file: file, shape: shape, elementBytes: elementBytes,
              limit: chunkLimit))
          return
        }
      #endif
      throw file.unsupported(
        "dataset '\(path)' is stored in chunks, expected one piece in a build without the trait HDF5"
      )
    case .virtual:
      throw file.unsupported("dataset '\(path)' keeps its values in other datasets")
    case .unknown:
      throw file.damaged("dataset '\(path)'")
    }
  }
}
