// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-depth",
  products: [
    .library(name: "DepthEstimation", targets: ["DepthEstimation"]),
    .executable(name: "depth", targets: ["depth"]),
    // For the package in Benchmarks alone; may change at any time.
    .library(name: "_KernelBenchmarks", targets: ["KernelBenchmarks"]),
  ],
  traits: [
    .trait(name: "HEIF", description: "Reads HEIC photos and their depth through libheif.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0")
  ],
  targets: [
    // MARK: - Command line
    .executableTarget(
      name: "depth",
      dependencies: [
        "DepthEstimation", "DepthEvaluation", "HEIFCoding", "Kernels",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // MARK: - Pipelines
    .target(
      name: "DepthEstimation",
      dependencies: [
        "DepthNetworks", "DepthRefinement", "DepthWeights", "HDF5Archives", "ImageCoding",
        "Kernels", "NeuralLayers", "StereoCoding", "Tensors", "ViewSynthesis",
      ]),

    // The weights as resources: SwiftPM copies them beside every executable that links the package.
    .target(
      name: "DepthWeights", path: "Weights", exclude: ["README.md"],
      resources: [.copy("fcrn18-nyu-int8.h5")]),

    // MARK: - Measuring
    .executableTarget(
      name: "measure-refinement",
      dependencies: [
        "DepthRefinement", "Tensors",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    .target(
      name: "DepthEvaluation",
      dependencies: [
        "DepthEstimation", "DepthRefinement", "HDF5Archives", "ImageCoding", "Kernels", "Tensors",
      ]),

    .target(name: "KernelBenchmarks", dependencies: ["Kernels", "NeuralLayers", "Tensors"]),

    // MARK: - Domain
    .target(name: "DepthNetworks", dependencies: ["NeuralLayers", "Tensors"]),
    .target(name: "DepthRefinement", dependencies: ["Kernels", "Tensors"]),
    .target(name: "ViewSynthesis", dependencies: ["Kernels", "Tensors"]),

    // MARK: - Engine
    .target(name: "NeuralLayers", dependencies: ["Kernels", "Tensors"]),
    .target(name: "Kernels", dependencies: ["CKernels", "Tensors"]),
    .target(name: "Tensors"),

    // MARK: - Files
    .target(name: "HDF5Archives", dependencies: ["CDeflate", "CHDF5", "Kernels", "NeuralLayers"]),
    .target(
      name: "ImageCoding",
      dependencies: [
        "CDeflate", "CPartFiles", "CPNG", "CTurboJPEG", "CZlib", "Kernels", "Tensors",
      ]),

    .target(name: "StereoCoding", dependencies: ["ImageCoding", "Tensors", "ViewSynthesis"]),

    .target(
      name: "HEIFCoding",
      dependencies: [
        .target(name: "CHEIF", condition: .when(traits: ["HEIF"])), "ImageCoding", "StereoCoding",
        "Tensors",
      ]),

    // MARK: - Ground truth
    .target(name: "SceneRendering", dependencies: ["Kernels", "Tensors"]),
    .executableTarget(
      name: "render-scenes",
      dependencies: [
        "ImageCoding", "SceneRendering", "Tensors",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // MARK: - C
    .target(name: "CPartFiles"),
    .target(name: "CKernels", cSettings: [.define("NDEBUG", .when(configuration: .release))]),
    .systemLibrary(
      name: "CHDF5", pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"]), .yum(["hdf5-devel"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .yum(["libpng-devel"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .yum(["turbojpeg-devel"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"]), .yum(["libdeflate-devel"]), .brew(["libdeflate"])]),

    // Without pkgConfig: SwiftPM would ask for libheif even where the trait is off.
    .systemLibrary(
      name: "CHEIF",
      providers: [.apt(["libheif-dev"]), .yum(["libheif-devel"]), .brew(["libheif"])]),

    // MARK: - Tests
    .target(
      name: "_TestSupport", dependencies: ["HDF5Archives", "NeuralLayers", "Tensors"],
      path: "Tests/_TestSupport"),
    .testTarget(name: "TensorsTests", dependencies: ["Tensors", "_TestSupport"]),
    .testTarget(
      name: "KernelsTests",
      dependencies: [
        "CKernels", "HDF5Archives", "Kernels", "NeuralLayers", "Tensors", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthNetworksTests",
      dependencies: [
        "DepthNetworks", "HDF5Archives", "Kernels", "NeuralLayers", "Tensors", "_TestSupport",
      ]),
    .testTarget(
      name: "HDF5ArchivesTests",
      dependencies: ["HDF5Archives", "Kernels", "NeuralLayers", "Tensors", "_TestSupport"]),
    .testTarget(
      name: "ImageCodingTests",
      dependencies: ["ImageCoding", "Kernels", "Tensors", "_TestSupport"]),
    .testTarget(
      name: "SceneRenderingTests", dependencies: ["SceneRendering", "Tensors", "_TestSupport"]),
    .testTarget(
      name: "DepthEstimationTests",
      dependencies: [
        "DepthEstimation", "HDF5Archives", "Kernels", "SceneRendering", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthEvaluationTests",
      dependencies: [
        "DepthEstimation", "DepthEvaluation", "DepthRefinement", "HDF5Archives", "ImageCoding",
        "Kernels", "NeuralLayers", "Tensors", "_TestSupport",
      ]),
    .testTarget(name: "MeasureRefinementTests", dependencies: ["measure-refinement"]),
    .testTarget(
      name: "depthTests",
      dependencies: [
        "DepthEstimation", "HDF5Archives", "Kernels", "NeuralLayers", "depth", "_TestSupport",
      ]),
    .testTarget(
      name: "KernelBenchmarksTests",
      dependencies: [
        "DepthNetworks", "HDF5Archives", "KernelBenchmarks", "Kernels", "NeuralLayers", "Tensors",
        "_TestSupport",
      ]),
    .testTarget(
      name: "DepthRefinementTests",
      dependencies: ["DepthRefinement", "Kernels", "Tensors", "_TestSupport"]),
    .testTarget(
      name: "ViewSynthesisTests",
      dependencies: ["Kernels", "SceneRendering", "Tensors", "ViewSynthesis", "_TestSupport"]),
    .testTarget(
      name: "HEIFCodingTests",
      dependencies: ["HEIFCoding", "ImageCoding", "StereoCoding", "Tensors", "_TestSupport"]),
    .testTarget(
      name: "StereoCodingTests",
      dependencies: [
        "ImageCoding", "StereoCoding", "Tensors", "ViewSynthesis", "_TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

/// Targets that may touch raw memory; every other target is checked to be memory safe.
let unsafeTargets: Set = ["Kernels", "HDF5Archives", "HEIFCoding", "ImageCoding"]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  guard !["CKernels", "CPartFiles"].contains(target.name) else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .treatAllWarnings(as: .error),  // SE-0480
  ]
  if !unsafeTargets.contains(target.name), target.type == .regular, target.name != "_TestSupport" {
    target.swiftSettings! += [.strictMemorySafety()]  // SE-0458
  }
}
