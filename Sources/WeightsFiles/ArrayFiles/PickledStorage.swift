/// Elements that tensors are windows into.
struct PickledStorage {
  /// Such as `FloatStorage`.
  let type: String
  let key: String
  let count: Int
}
