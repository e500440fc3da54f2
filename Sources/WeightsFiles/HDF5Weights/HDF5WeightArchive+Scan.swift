import DepthErrors
import HDF5Files
import NeuralEngine

extension HDF5WeightArchive {
  /// All tensors of a file, keyed by `<layer>/<parameter>`, and the scales of maps, keyed by `<layer>/<dataset>`.
  ///
  /// - Throws: `DepthError` with the name of the invalid group or dataset.
  static func tensors(
    of file: HDF5File, in description: HDF5Description
  ) throws -> (tensors: [String: StoredTensor], mapScales: [String: HDF5Dataset]) {
    try file.requireGroup("/", in: description)
    let objects = description.facts.filter { !$0.isAttribute && $0.path != "/" }
    let members = Dictionary(grouping: objects.filter { $0.path.contains("/") }) {
      String($0.path.prefix { $0 != "/" })
    }
    var tensors: [String: StoredTensor] = [:]
    var mapScales: [String: HDF5Dataset] = [:]
    var total = 0
    for layer in objects.filter({ !$0.path.contains("/") }).sorted(by: { $0.path < $1.path }) {
      let name = layer.path
      switch layer.kind {
      case .group: break
      case .damaged: try file.requireGroup(name, in: description)
      case .link: throw linked(name, file)
      default: throw file.unsupported("'\(name)' is not a group, expected one group per layer")
      }
      var datasets: [String: HDF5Dataset] = [:]
      for parameter in (members[name] ?? []).sorted(by: { $0.path < $1.path }) {
        if case .link = parameter.kind { throw linked(parameter.path, file) }
        datasets[String(parameter.path.dropFirst(name.count + 1))] = try file.dataset(parameter)
      }
      for parameter in ["activation_scale", "residual_scale"] {
        guard let scale = datasets.removeValue(forKey: parameter) else { continue }
        guard scale.type == .float32, scale.count == 1 else {
          throw file.unsupported("'\(scale.path)' holds \(scale.type), expected one float32")
        }
        mapScales["\(name)/\(parameter)"] = scale
      }
      for (parameter, tensor) in try self.layer(name, datasets, of: file) {
        tensors["\(name)/\(parameter)"] = tensor
        total += tensor.values.count
        guard total <= HDF5Limits.totalElements else {
          throw file.unsupported(
            "tensors claim more than \(HDF5Limits.totalElements) values together")
        }
      }
    }
    return (tensors, mapScales)
  }

  /// The tensors of one layer by parameter; an integer kernel includes its scale.
  ///
  /// - Throws: `DepthError` with the name of the invalid dataset.
  private static func layer(
    _ name: String, _ datasets: [String: HDF5Dataset], of file: HDF5File
  ) throws -> [String: StoredTensor] {
    var datasets = datasets
    let scale = datasets.removeValue(forKey: "scale")
    var tensors: [String: StoredTensor] = [:]
    for (parameter, values) in datasets {
      switch values.type {
      case .float16, .float32, .float64:
        tensors[parameter] = StoredTensor(values: values, scale: nil)
      case .integer(bits: 8, signed: true) where parameter == "kernel":
        guard let scale else {
          throw file.invalid("int8 kernel '\(values.path)' has no '\(name)/scale' beside it")
        }
        guard let outputs = values.shape.first, scale.shape == [outputs] else {
          let found = scale.shape.map(String.init).joined(separator: "×")
          throw file.invalid(
            "'\(scale.path)' has shape \(found), expected \(values.shape.first ?? 0) for the "
              + "output channels of '\(values.path)'")
        }
        guard scale.type == .float32 else {
          throw file.unsupported("'\(scale.path)' holds \(scale.type), expected float32")
        }
        tensors[parameter] = StoredTensor(values: values, scale: scale)
      default:
        throw file.unsupported(
          "dataset '\(values.path)' holds \(values.type), expected float16, float32, float64"
            + (parameter == "kernel" ? " or int8" : ""))
      }
    }
    if let scale, tensors["kernel"]?.scale == nil {
      throw file.invalid("'\(scale.path)' has no int8 kernel beside it")
    }
    return tensors
  }

  private static func linked(_ path: String, _ file: HDF5File) -> DepthError {
    file.unsupported("'\(path)' is a link to another place, expected an object of the file")
  }
}
