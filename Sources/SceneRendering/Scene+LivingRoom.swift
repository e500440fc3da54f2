extension Scene {
  static let livingRoom = randomRoom(seed: 7)
}
