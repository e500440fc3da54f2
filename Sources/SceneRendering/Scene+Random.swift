extension Scene {
  public static func randomRoom(seed: UInt64) -> Scene { poleBeforeWall }
}
