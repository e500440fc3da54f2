import Foundation

/// Files of the package that tests read. Paths are relative to the package's root.
public enum PackageFile {
  public static func path(_ name: String) -> String {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/") + "/" + name
  }

  public static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }
}
