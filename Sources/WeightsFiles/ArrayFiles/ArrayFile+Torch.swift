import DepthBase
import DepthErrors

/// The format of `torch.save` since PyTorch 1.6: a ZIP archive with a pickle and one member per storage.
///
/// > Source: PyTorch, torch/serialization.py.
extension ArrayFile {
  /// Maximum bytes of a pickle. The largest published network's pickle has 100 kB.
  private static let longestPickle = 1 << 20
  /// Keys of the state dict in training checkpoints.
  private static let wrappers = [
    "state_dict", "model_state_dict", "model_state", "model", "net", "network",
  ]

  /// - Throws: `DepthError`.
  static func torchFile(_ file: RandomAccessFile) throws -> ArrayFile {
    let members = try ZIPMembers(of: file)
    if let name = members.names.filter({ members[$0]?.isDeflated == true }).min() {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "'\(name)' is compressed, expected a file of torch.save")
    }
    let pickles = members.names.filter { $0.hasSuffix("/data.pkl") }
    guard pickles.count == 1, let pickle = pickles.first, let member = members[pickle] else {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "is a ZIP archive with \(pickles.count) pickles, expected one, as in a file of torch.save")
    }
    let folder = pickle.dropLast("data.pkl".count)
    if let order = members["\(folder)byteorder"],
      try members.content(of: order, named: "byteorder", most: 16) != Array("little".utf8)
    {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "was written on a big-endian machine, expected little-endian")
    }
    let bytes = try members.content(of: member, named: pickle, most: longestPickle)
    let (state, config) = try stateDict(of: bytes, file)
    var (arrays, verified): ([String: StoredArray], Set<String>) = ([:], [])
    for case (.text(let key), .tensor(let tensor)) in state.items {
      let name = key.hasPrefix("module.") ? String(key.dropFirst("module.".count)) : key
      let content = "\(folder)data/\(tensor.storage.key)"
      guard let storage = members[content], let type = TorchStorage.types[tensor.storage.type]
      else {
        throw file.damaged("the values of '\(name)' are missing")
      }
      let stored = try array(of: tensor, named: name, in: storage.range, type, file)
      if verified.insert(content).inserted { try members.verify(storage, named: content) }
      arrays[name] = stored
    }
    guard !arrays.isEmpty, arrays.count <= mostArrays else {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "holds a dictionary of \(arrays.count) tensors, expected a state dict")
    }
    return ArrayFile(file: file, form: "pytorch state dict", arrays: arrays, config: config)
  }

  /// The dictionary of tensors, possibly within a training checkpoint, and the configuration beside the
  /// dictionary.
  private static func stateDict(
    of pickle: [UInt8], _ file: RandomAccessFile
  ) throws -> (tensors: PickledContainer, config: ModelConfig?) {
    do {
      var value = try PickleReader.value(of: pickle)
      var config: ModelConfig?
      if case .container(let outer) = value, let found = outer["model_config"] {
        config = try ModelConfig(found)
      }
      for key in wrappers {
        if case .container(let outer) = value, case .container(let inner)? = outer[key] {
          value = .container(inner)
        }
      }
      if case .container(let state) = value, state.isDictionary { return (state, config) }
    } catch PickleReader.Fault.damaged(let what) {
      throw file.damaged("its pickle has \(what)")
    } catch PickleReader.Fault.foreign(let name) {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "is refused: its pickle contains \(name), expected a state dict of tensors")
    }
    throw DepthError(
      .unsupportedFormat, file: file.name, "holds no dictionary, expected a state dict of tensors")
  }

  /// The location of a tensor in the file.
  private static func array(
    of tensor: PickledTensor, named name: String, in range: Range<Int>,
    _ type: (bytes: Int, format: FloatFormat?), _ file: RandomAccessFile
  ) throws -> StoredArray {
    let storage = tensor.storage
    guard storage.count <= range.count, storage.count * type.bytes == range.count else {
      throw file.damaged(
        "the values of '\(name)' have \(range.count) bytes, expected \(storage.count) of \(storage.type)"
      )
    }
    guard let count = tensor.shape.checkedProduct, tensor.offset <= storage.count,
      count <= storage.count - tensor.offset
    else { throw file.damaged("'\(name)' extends beyond its stored values") }
    guard tensor.isContiguous else {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "'\(name)' is not stored row by row, expected a contiguous tensor")
    }
    return StoredArray(
      format: type.format, typeName: storage.type, shape: tensor.shape,
      offset: range.lowerBound + tensor.offset * type.bytes)
  }
}
