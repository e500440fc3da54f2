package enum Version {
  package static let number = "0.2.0"
  package static let text = "swift-depth \(number)"
}
