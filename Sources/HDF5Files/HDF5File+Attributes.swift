package import NeuralEngine
import CDepthHDF5

extension HDF5File {
  /// Every attribute of an object that holds one value or a list: text, integers or floats.
  /// Attributes of other kinds are left out.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when an attribute is damaged or longer than
  ///   ``HDF5Limits/attributeBytes``.
  package func attributes(of path: String = "/") throws -> [String: WeightAttribute] {
    try HDF5Library.locked {
      guard let object = HDF5Handle(H5Oopen(id, path, 0)) else { throw damaged("'\(path)'") }
      var values: [String: WeightAttribute] = [:]
      for name in try attributeNames(of: object, path) {
        values[name] = try attribute(name, of: object)
      }
      return values
    }
  }

  private func attribute(
    _ name: String, of object: borrowing HDF5Handle
  ) throws -> WeightAttribute? {
    let what = "attribute '\(name)'"
    guard let attribute = HDF5Handle(H5Aopen(object.id, name, 0)),
      let type = HDF5Handle(H5Aget_type(attribute.id)),
      let space = HDF5Handle(H5Aget_space(attribute.id))
    else { throw damaged(what) }
    guard H5Sget_simple_extent_type(space.id) != H5S_NULL else { return nil }
    let shape = try extents(of: space, what)
    let count = shape.reduce(1, *)
    let (bytes, overflow) = count.multipliedReportingOverflow(by: H5Tget_size(type.id))
    guard !overflow, bytes <= HDF5Limits.attributeBytes else {
      throw unreadable("\(what) is longer than \(HDF5Limits.attributeBytes) bytes")
    }
    guard shape.count <= 1, count > 0 else { return nil }
    switch HDF5ElementType(type) {
    case .integer:
      var values = [Int64](repeating: 0, count: count)
      guard H5Aread(attribute.id, ch5_native_int64(), &values) >= 0 else { throw damaged(what) }
      return .integers(values.map(Int.init))
    case .float16, .float32, .float64:
      var values = [Double](repeating: 0, count: count)
      guard H5Aread(attribute.id, ch5_native_double(), &values) >= 0 else { throw damaged(what) }
      return .numbers(values)
    case .text(let bytes?):
      var values = [UInt8](repeating: 0, count: count * bytes)
      guard H5Aread(attribute.id, type.id, &values) >= 0 else { throw damaged(what) }
      return text(Self.strings(values, bytes: bytes), isList: shape.count == 1)
    case .text(nil):
      var values = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
      guard H5Aread(attribute.id, type.id, &values) >= 0 else { throw damaged(what) }
      defer { H5Dvlen_reclaim(type.id, space.id, 0, &values) }
      return text(
        values.map { $0.map { String(cString: $0) } ?? "" }, isList: shape.count == 1)
    case .other:
      return nil
    }
  }

  private func text(_ strings: [String], isList: Bool) -> WeightAttribute {
    isList ? .texts(strings) : .text(strings[0])
  }

  /// Strings of a fixed number of bytes: each ends at its first zero byte, trailing blanks of
  /// Fortran's padding do not count.
  static func strings(_ values: [UInt8], bytes: Int) -> [String] {
    stride(from: 0, to: values.count, by: bytes).map { start in
      var text = values[start..<start + bytes].prefix { $0 != 0 }
      while text.last == UInt8(ascii: " ") { text.removeLast() }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
