import HDF5Files

extension HDF5WeightArchive {
  /// Every tensor of a file under its name `<layer>/<parameter>`.
  static func tensors(of file: HDF5File) throws -> [String: StoredTensor] {
    var tensors: [String: StoredTensor] = [:]
    var total = 0
    for layer in try file.links(in: "/") {
      try requireObject(layer, at: layer.name, file)
      guard try file.kind(of: layer.name) == .group else {
        throw file.unreadable("'\(layer.name)' is not a group, expected one group per layer")
      }
      for (parameter, tensor) in try self.layer(layer.name, of: file) {
        tensors["\(layer.name)/\(parameter)"] = tensor
        total += tensor.values.count
        guard total <= HDF5Limits.totalElements else {
          throw file.unreadable(
            "tensors claim more than \(HDF5Limits.totalElements) values together")
        }
      }
    }
    return tensors
  }

  /// The tensors of one layer by parameter, with a kernel of integers joined to its scale.
  private static func layer(
    _ name: String, of file: HDF5File
  ) throws -> [String: StoredTensor] {
    var datasets: [String: HDF5Dataset] = [:]
    for parameter in try file.links(in: name) {
      let path = "\(name)/\(parameter.name)"
      try requireObject(parameter, at: path, file)
      datasets[parameter.name] = try file.dataset(path)
    }
    let scale = datasets.removeValue(forKey: "scale")
    var tensors: [String: StoredTensor] = [:]
    for (parameter, values) in datasets {
      switch values.type {
      case .float16, .float32, .float64:
        tensors[parameter] = StoredTensor(values: values, scale: nil)
      case .integer(bits: 8, signed: true) where parameter == "kernel":
        guard let scale else {
          throw file.unreadable("int8 kernel '\(values.path)' has no '\(name)/scale' beside it")
        }
        guard let outputs = values.shape.first, scale.shape == [outputs] else {
          let found = scale.shape.map(String.init).joined(separator: "×")
          throw file.unreadable(
            "'\(scale.path)' has shape \(found), expected \(values.shape.first ?? 0) for the "
              + "output channels of '\(values.path)'")
        }
        guard scale.type == .float32 else {
          throw file.unreadable("'\(scale.path)' holds \(scale.type), expected float32")
        }
        tensors[parameter] = StoredTensor(values: values, scale: scale)
      default:
        throw file.unreadable(
          "dataset '\(values.path)' holds \(values.type), expected float16, float32, float64"
            + (parameter == "kernel" ? " or int8" : ""))
      }
    }
    if let scale, tensors["kernel"]?.scale == nil {
      throw file.unreadable("'\(scale.path)' stands beside no int8 kernel")
    }
    return tensors
  }

  private static func requireObject(
    _ link: HDF5File.Link, at path: String, _ file: HDF5File
  ) throws {
    guard link.isHard else {
      throw file.unreadable("'\(path)' is a link to another place, expected an object of the file")
    }
  }
}
