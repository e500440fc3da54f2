// swift-tools-version: 6.3
import PackageDescription

// A program that predicts depth and needs none of the libraries that swift-depth links by default.
// `Scripts/checks/check-small.sh` builds it where they are not installed, and runs it.
let package = Package(
  name: "SmallConsumer",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "Libraries", description: "Builds swift-depth with its default traits.")],
  dependencies: [
    .package(
      name: "swift-depth", path: "../..",
      traits: [
        .trait(name: "Codecs", condition: .when(traits: ["Libraries"])),
        .trait(name: "HDF5", condition: .when(traits: ["Libraries"])),
      ])
  ],
  targets: [
    .executableTarget(
      name: "DepthOfPixels",
      dependencies: [.product(name: "MonocularDepth", package: "swift-depth")])
  ],
  swiftLanguageModes: [.v6]
)
