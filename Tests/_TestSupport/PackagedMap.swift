/// The map of the package's weights for a landscape photo.
public enum PackagedMap {
  public static let height = 192
  public static let width = 240
  public static let area = height * width
}
