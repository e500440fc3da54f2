// swift-tools-version: 6.3
import PackageDescription

// Programs that use swift-depth as a dependency. `Scripts/checks/run-examples.sh` builds and runs them.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-depth", path: "../..")],
  targets: [
    // Photo → depth → stereo pair, with progress, limits and options.
    .executableTarget(
      name: "StereoPipeline",
      dependencies: [.product(name: "DepthEstimation", package: "swift-depth")]),
    // Many clients, one estimator: throughput, bits, deadlines, memory.
    .executableTarget(
      name: "ConcurrentServer",
      dependencies: [.product(name: "DepthEstimation", package: "swift-depth")]),
    // Frames of a camera in, depth out; weights from memory; `fork`.
    .executableTarget(
      name: "RobotWorker",
      dependencies: [.product(name: "DepthEstimation", package: "swift-depth")]),
  ],
  swiftLanguageModes: [.v6]
)
