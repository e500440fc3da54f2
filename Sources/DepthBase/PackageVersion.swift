/// The version of this package: of the program, the library and the wheel.
package enum PackageVersion {
  package static let number: StaticString = "0.2.0"
}
