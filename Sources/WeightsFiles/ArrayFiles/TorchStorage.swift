import DepthBase

/// The types of PyTorch's storages.
enum TorchStorage {
  /// Bytes per element and the format of floats, by type name.
  static let types: [String: (bytes: Int, format: FloatFormat?)] = [
    "FloatStorage": (4, .float32), "HalfStorage": (2, .float16), "BFloat16Storage": (2, .bfloat16),
    "DoubleStorage": (8, .float64), "LongStorage": (8, nil), "IntStorage": (4, nil),
    "ShortStorage": (2, nil), "CharStorage": (1, nil), "ByteStorage": (1, nil),
    "BoolStorage": (1, nil),
  ]
}
