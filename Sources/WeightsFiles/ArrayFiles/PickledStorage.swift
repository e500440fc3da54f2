/// A block of elements that tensors refer to.
struct PickledStorage {
  /// The type, such as `FloatStorage`.
  let type: String
  let key: String
  let count: Int
}
