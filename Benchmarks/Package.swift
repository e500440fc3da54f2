// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "swift-depth-benchmarks",
  dependencies: [
    .package(name: "swift-depth", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "benchmark-kernels",
      dependencies: [
        .product(name: "_KernelBenchmarks", package: "swift-depth"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
