// swift-tools-version: 6.3
import PackageDescription

// Scripts/fuzz.sh builds it with sanitizers. A package of its own, so that normal builds never see it.
let package = Package(
  name: "swift-depth-fuzz",
  dependencies: [.package(name: "swift-depth", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz", dependencies: [.product(name: "_FuzzTargets", package: "swift-depth")])
  ],
  swiftLanguageModes: [.v6]
)
