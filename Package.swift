// swift-tools-version: 6.3
import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// Tests of the target of that name.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies + ["_TestSupport"])
}

let package = Package(
  name: "swift-depth",
  platforms: [.macOS(.v15)],  // Synchronization's Mutex; developed and tested on Linux.
  products: [
    .library(name: "DepthEstimation", targets: ["DepthEstimation"]),
    // Parts of it for those who want one thing alone, each with the modules that its interface names.
    .library(
      name: "MonocularDepth",
      targets: ["DepthErrors", "DepthImages", "MonocularDepth", "PictureFiles"]),
    .library(
      name: "StereoPhotos",
      targets: ["DepthErrors", "DepthImages", "PictureFiles", "StereoPhotos", "ViewSynthesis"]),
    .library(
      name: "DepthPhotos", targets: ["DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles"]),
    .library(
      name: "ProximityAlerts", targets: ["DepthErrors", "DepthImages", "ProximityAlerts"]),
    .executable(name: "depth", targets: ["depth"]),
    // For other languages: Scripts/build-library.sh links it into libdepth.so; depth.h describes it.
    .library(name: "DepthLibrary", type: .static, targets: ["DepthLibrary"]),
    // For the package in Benchmarks alone; may change at any time.
    .library(name: "_KernelBenchmarks", targets: ["KernelBenchmarks"]),
    // For the package in Fuzz alone; may change at any time.
    .library(name: "_FuzzTargets", targets: ["FuzzTargets"]),
  ],
  traits: [
    .default(enabledTraits: ["Codecs", "HDF5"]),
    .trait(
      name: "Codecs",
      description: "Reads and writes JPEG and PNG through TurboJPEG, libpng, zlib and libdeflate."),
    .trait(
      name: "HDF5",
      description: "Reads every HDF5 file through libhdf5, not only this package's own weights."),
    .trait(name: "HEIF", description: "Reads HEIC photos and their depth through libheif."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.1")
  ],
  targets: [
    // MARK: - What a user meets
    .executableTarget(
      name: "depth",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthEvaluation", "DepthImages", "DepthOptions",
        "DepthPipeline", "DepthRefinement", "DepthService", "FilmRuns", "FrameRuns",
        "MonocularDepth", "PhotoRuns", "PictureFiles", "ProcessLimits", "SystemEssentials",
        "ThreadTeams",
        argumentParser,
      ]),
    .target(
      name: "FilmRuns",
      dependencies: [
        "AtomicFiles", "DepthEffects", "DepthErrors", "DepthImages", "DepthOptions",
        "DepthPipeline", "DepthVideo", "FrameRuns", "FrameStreams", "MonocularDepth", "PhotoRuns",
        "PictureFiles", "ProcessLimits", "StereoPhotos", "SystemEssentials", "ThreadTeams",
        "ViewSynthesis",
        argumentParser,
      ]),
    .target(
      name: "FrameRuns",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthOptions", "DepthPipeline", "DepthVideo",
        "FrameStreams", "MonocularDepth", "PhotoRuns", "PictureFiles", "ProcessLimits",
        "ProximityAlerts", "SystemEssentials", "ThreadTeams",
        argumentParser,
      ]),
    .target(
      name: "DepthService",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthGeometry", "DepthImages", "DepthOptions", "DepthPages",
        "DepthPipeline", "DepthRefinement", "LocalHTTP",
        "MonocularDepth", "NetworkWeights", "PhotoRuns", "PictureFiles", "ProcessLimits",
        "StereoPhotos", "SystemEssentials", "ThreadTeams",
        argumentParser,
      ]),
    .target(
      name: "DepthOptions",
      dependencies: [
        "AtomicFiles", "DepthEffects", "DepthErrors", "DepthGeometry", "DepthImages", "DepthPages",
        "DepthPhotos", "DepthPipeline", "DepthRefinement", "MonocularDepth", "NeuralEngine",
        "PhotoRuns", "PictureFiles", "ProcessLimits", "SIMDKernels", "StereoPhotos",
        "SystemEssentials", "ThreadTeams", "ViewSynthesis",
        argumentParser,
      ]),
    .target(
      name: "PhotoRuns",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthPipeline", "MonocularDepth",
        "PictureFiles", "ProcessLimits", "SystemEssentials", "ThreadTeams",
        argumentParser,
      ]),
    .target(
      name: "DepthEstimation",
      dependencies: [
        "DepthEffects", "DepthErrors", "DepthGeometry", "DepthImages",
        "DepthPhotos", "DepthRefinement", "DepthVideo", "MonocularDepth", "PictureFiles",
        "StereoPhotos", "ViewSynthesis",
      ]),
    .target(
      name: "DepthLibrary",
      dependencies: [
        "CDepthLibrary", "DepthErrors", "DepthImages", "DepthPipeline", "DepthRefinement",
        "MonocularDepth", "PictureFiles", "ProcessLimits", "SystemEssentials", "ThreadTeams",
        "ViewSynthesis",
      ]),
    .target(
      name: "DepthPipeline",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthPhotos", "DepthRefinement", "HEIFPhotos",
        "MonocularDepth", "PictureFiles", "ProcessLimits", "SystemEssentials", "ThreadTeams",
      ]),
    .target(
      name: "MonocularDepth",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthNetworks", "DepthRefinement",
        "DepthWeights", "NetworkWeights", "NeuralEngine", "ProcessLimits", "SIMDKernels",
        "SystemEssentials", "ThreadTeams",
      ]),

    // The weights as resources: SwiftPM copies them beside every executable that links the package. In C: see resources.c.
    .target(
      name: "DepthWeights", path: "Weights", exclude: ["README.md"],
      resources: [
        .copy("fcrn18-nyu-int8.h5"), .copy("fcrn-lite2-nyu-int8.h5"),
      ]),

    // MARK: - Depth
    .target(name: "DepthNetworks", dependencies: ["DepthErrors", "NeuralEngine"]),
    .target(
      name: "DepthRefinement",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "DepthImages", "ProcessLimits", "SIMDKernels",
        "SystemEssentials", "ThreadTeams",
      ]),
    .target(
      name: "ViewSynthesis",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "DepthImages", "ProcessLimits", "SIMDKernels",
        "SystemEssentials", "ThreadTeams",
      ]),
    .target(
      name: "DepthEffects",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthRefinement", "ProcessLimits", "SystemEssentials",
        "ThreadTeams",
      ]),
    .target(
      name: "DepthGeometry",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "PictureFiles", "ProcessLimits",
        "SystemEssentials", "ThreadTeams",
      ]),
    .target(
      name: "DepthEvaluation",
      dependencies: [
        "AtomicFiles", "CDepthSIMD", "DepthErrors", "DepthImages", "DepthNetworks",
        "DepthRefinement", "HDF5Files", "MonocularDepth", "PictureFiles", "SIMDKernels",
        "SystemEssentials", "ThreadTeams",
      ]),

    // MARK: - Frames
    .target(
      name: "FrameStreams",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "DepthImages", "PictureFiles", "ProcessLimits", "SIMDKernels",
        "SystemEssentials", "ThreadTeams",
      ]),
    .target(
      name: "DepthVideo",
      dependencies: ["DepthErrors", "DepthImages", "PictureFiles", "SystemEssentials"]),
    .target(
      name: "ProximityAlerts", dependencies: ["DepthErrors", "DepthImages", "SystemEssentials"]),

    // MARK: - Photos that carry depth or several views
    .target(
      name: "StereoPhotos",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles", "ProcessLimits",
        "ThreadTeams", "ViewSynthesis",
      ]),
    .target(
      name: "DepthPhotos",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "PictureFiles", "SystemEssentials",
      ]),
    .target(
      name: "HEIFPhotos",
      dependencies: [
        "SystemEssentials",
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles",
        .target(name: "CDepthHEIF", condition: .when(traits: ["HEIF"])),
      ]),

    // MARK: - Pages and their server
    .target(
      name: "DepthPages",
      dependencies: [
        "CDepthPages", "DepthErrors", "DepthImages", "PictureFiles", "SystemEssentials",
      ]),
    .target(name: "LocalHTTP", dependencies: ["DepthErrors", "SystemEssentials", "ThreadTeams"]),

    // MARK: - Engine
    .target(
      name: "NeuralEngine",
      dependencies: ["CDepthSIMD", "DepthErrors", "SIMDKernels", "SystemEssentials", "ThreadTeams"]),
    .target(
      name: "NetworkWeights",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "FileChecksums", "HDF5Files", "NeuralEngine",
        "SystemEssentials",
        .target(name: "CDepthDeflate", condition: .when(traits: ["HDF5"])),
      ]),

    // MARK: - Files
    .target(
      name: "PictureFiles",
      dependencies: [
        "AtomicFiles", "CDepthSIMD", "DepthErrors", "DepthImages", "FileChecksums",
        "ProcessLimits", "SIMDKernels", "SystemEssentials", "ThreadTeams",
        .target(name: "CDepthDeflate", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthPNG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthTurboJPEG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthZlib", condition: .when(traits: ["Codecs"])),
      ]),
    .target(
      name: "HDF5Files",
      dependencies: [
        "AtomicFiles", "DepthErrors", "ProcessLimits", "SystemEssentials", "ThreadTeams",
        .target(name: "CDepthDeflate", condition: .when(traits: ["HDF5"])),
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
        .target(name: "CDepthSandbox", condition: .when(traits: ["HDF5"])),
      ]),
    .target(
      name: "AtomicFiles",
      dependencies: ["CDepthPartFiles", "DepthErrors", "ProcessLimits", "SystemEssentials"]),

    // MARK: - Ground
    .target(
      name: "DepthImages",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "ProcessLimits", "SIMDKernels", "SystemEssentials",
        "ThreadTeams",
      ]),
    .target(name: "SIMDKernels", dependencies: ["CDepthSIMD", "DepthErrors", "SystemEssentials"]),
    .target(
      name: "ThreadTeams", dependencies: ["CDepthThreads", "ProcessLimits", "SystemEssentials"]),
    .target(
      name: "ProcessLimits", dependencies: ["CDepthThreads", "DepthErrors", "SystemEssentials"]),
    .target(name: "FileChecksums"),
    .target(name: "DepthErrors", dependencies: ["SystemEssentials"]),
    .target(name: "SystemEssentials"),

    // MARK: - Tools, not product
    .target(
      name: "SceneRendering",
      dependencies: ["DepthImages", "ProcessLimits", "SystemEssentials", "ThreadTeams"],
      path: "Tools/SceneRendering"),
    .executableTarget(
      name: "render-scenes",
      dependencies: [
        "DepthImages", "DepthVideo", "PictureFiles", "SceneRendering", "SystemEssentials",
        argumentParser,
      ], path: "Tools/render-scenes"),
    .executableTarget(
      name: "measure-refinement",
      dependencies: [
        "DepthImages", "DepthRefinement", "ProcessLimits",
        argumentParser,
      ], path: "Tools/measure-refinement"),
    .executableTarget(
      name: "measure-effects",
      dependencies: [
        "DepthEffects", "DepthImages", "PictureFiles", "ThreadTeams",
        argumentParser,
      ], path: "Tools/measure-effects"),
    .executableTarget(
      name: "measure-geometry",
      dependencies: [
        "AtomicFiles", "DepthGeometry", "DepthImages", "DepthRefinement", "PictureFiles",
        "SceneRendering",
        argumentParser,
      ], path: "Tools/measure-geometry"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AtomicFiles", "CDepthLibrary", "DepthErrors", "DepthEvaluation",
        "DepthImages", "DepthLibrary", "DepthNetworks", "DepthPhotos", "DepthRefinement",
        "DepthVideo", "FrameStreams", "HDF5Files", "LocalHTTP", "MonocularDepth",
        "NetworkWeights", "PictureFiles", "ProximityAlerts", "StereoPhotos", "SystemEssentials",
        "ThreadTeams", "ViewSynthesis",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ], path: "Tools/FuzzTargets"),
    .target(
      name: "KernelBenchmarks",
      dependencies: ["NeuralEngine", "SIMDKernels", "SystemEssentials", "ThreadTeams"],
      path: "Tools/KernelBenchmarks"),

    // MARK: - C
    .target(name: "CDepthSIMD", cSettings: [.define("NDEBUG", .when(configuration: .release))]),
    .target(name: "CDepthThreads"),
    .target(name: "CDepthLibrary"),
    .target(name: "CDepthPages", exclude: ["Page"]),
    .target(name: "CDepthPartFiles"),
    .target(name: "CDepthSandbox"),
    .systemLibrary(
      name: "CDepthHDF5", pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"]), .yum(["hdf5-devel"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CDepthPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .yum(["libpng-devel"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CDepthTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .yum(["turbojpeg-devel"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CDepthZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CDepthDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"]), .yum(["libdeflate-devel"]), .brew(["libdeflate"])]),

    // Without pkgConfig: SwiftPM would ask for the library even where the trait is off.
    .systemLibrary(
      name: "CDepthHEIF",
      providers: [.apt(["libheif-dev"]), .yum(["libheif-devel"]), .brew(["libheif"])]),

    // MARK: - Tests
    .target(
      name: "CDepthSIMDModels", dependencies: ["CDepthSIMD"], path: "Tests/CDepthSIMDModels"),
    .target(
      name: "_TestSupport",
      dependencies: [
        "CDepthSIMDModels", "DepthErrors", "DepthImages", "HDF5Files", "NetworkWeights",
        "NeuralEngine", "SIMDKernels", "SystemEssentials",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ], path: "Tests/_TestSupport"),
    tests("AtomicFiles", ["AtomicFiles", "DepthErrors", "SystemEssentials"]),
    tests("DepthEffects", ["DepthEffects", "DepthErrors", "DepthImages", "SceneRendering"]),
    tests(
      "DepthEvaluation",
      [
        "DepthEvaluation", "AtomicFiles", "DepthErrors", "DepthImages", "DepthRefinement",
        "HDF5Files", "PictureFiles", "SIMDKernels",
      ]),
    tests(
      "DepthGeometry",
      [
        "DepthGeometry", "AtomicFiles", "DepthErrors", "DepthImages", "PictureFiles",
      ]),
    tests("DepthImages", ["DepthImages", "DepthErrors", "HDF5Files", "SIMDKernels"]),
    tests(
      "DepthLibrary",
      [
        "DepthLibrary", "CDepthLibrary", "DepthImages", "DepthRefinement", "MonocularDepth",
        "PictureFiles", "ViewSynthesis",
      ]),
    tests(
      "DepthNetworks",
      [
        "DepthNetworks", "DepthErrors", "DepthImages", "HDF5Files", "NetworkWeights",
        "NeuralEngine", "SIMDKernels",
      ]),
    tests("DepthPages", ["DepthPages", "DepthErrors", "DepthImages", "PictureFiles"]),
    tests("DepthPhotos", ["DepthPhotos", "DepthErrors", "DepthImages", "PictureFiles"]),
    tests(
      "DepthPipeline",
      [
        "DepthPipeline", "DepthErrors", "DepthImages", "DepthRefinement", "MonocularDepth",
        "ThreadTeams",
      ]),
    tests(
      "DepthRefinement", ["DepthRefinement", "DepthErrors", "DepthImages", "SIMDKernels"]),
    tests(
      "depth",
      [
        "depth", "AtomicFiles", "DepthEffects", "DepthErrors", "DepthImages", "DepthOptions",
        "DepthPipeline", "DepthRefinement", "DepthService", "FilmRuns", "FrameRuns", "FrameStreams",
        "FuzzTargets", "HDF5Files", "LocalHTTP", "MonocularDepth", "NetworkWeights", "NeuralEngine",
        "PhotoRuns", "PictureFiles", "ProcessLimits", "ProximityAlerts", "SIMDKernels",
        "StereoPhotos", "SystemEssentials", "ThreadTeams", "ViewSynthesis",
      ]),
    tests("FilmRuns", ["FilmRuns", "AtomicFiles", "DepthErrors", "PhotoRuns", argumentParser]),
    tests(
      "FrameRuns",
      [
        "FrameRuns", "AtomicFiles", "DepthErrors", "DepthImages", "DepthOptions", "DepthPipeline",
        "MonocularDepth", "ProximityAlerts", argumentParser,
      ]),
    tests(
      "PhotoRuns",
      [
        "PhotoRuns", "AtomicFiles", "DepthErrors", "ProcessLimits", "SystemEssentials",
        "ThreadTeams",
      ]),
    tests(
      "DepthService",
      [
        "DepthService", "DepthEffects", "DepthImages", "DepthOptions", "DepthRefinement",
        "LocalHTTP", "MonocularDepth",
      ]),
    tests("DepthVideo", ["DepthVideo", "DepthErrors", "DepthImages", "SceneRendering"]),
    tests(
      "FrameStreams",
      [
        "FrameStreams", "DepthErrors", "DepthImages", "PictureFiles", "SIMDKernels",
      ]),
    tests("FileChecksums", ["FileChecksums", "PictureFiles"]),
    tests("HDF5Files", ["HDF5Files", "DepthErrors", "ThreadTeams"]),
    tests(
      "HEIFPhotos",
      [
        "HEIFPhotos", "AtomicFiles", "depth", "DepthErrors", "DepthImages", "PictureFiles",
      ]),
    tests("KernelBenchmarks", ["KernelBenchmarks", "NeuralEngine", "SIMDKernels"]),
    tests("FuzzTargets", ["FuzzTargets"]),
    tests("LocalHTTP", ["LocalHTTP"]),
    tests("MeasureRefinement", ["measure-refinement"]),
    tests(
      "MonocularDepth",
      [
        "MonocularDepth", "AtomicFiles", "DepthEffects", "DepthErrors", "DepthGeometry",
        "DepthImages", "DepthPhotos", "DepthRefinement", "HDF5Files", "PictureFiles",
        "SceneRendering", "StereoPhotos", "ViewSynthesis",
      ]),
    tests(
      "NetworkWeights",
      [
        "NetworkWeights", "AtomicFiles", "DepthErrors", "DepthImages", "HDF5Files", "NeuralEngine",
      ]),
    tests("NeuralEngine", ["NeuralEngine", "CDepthSIMD", "SIMDKernels", "ThreadTeams"]),
    tests(
      "PictureFiles",
      [
        "PictureFiles", "AtomicFiles", "CDepthTurboJPEG", "DepthErrors", "DepthImages",
        "ProcessLimits", "SIMDKernels", "ThreadTeams",
      ]),
    tests("ProximityAlerts", ["ProximityAlerts", "DepthErrors", "DepthImages"]),
    tests("ProcessLimits", ["ProcessLimits"]),
    tests("SceneRendering", ["SceneRendering", "DepthImages"]),
    tests("SIMDKernels", ["SIMDKernels", "CDepthSIMD", "CDepthSIMDModels", "DepthErrors"]),
    tests(
      "StereoPhotos",
      [
        "StereoPhotos", "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles", "ThreadTeams",
        "ViewSynthesis",
      ]),
    tests("ThreadTeams", ["ThreadTeams", "CDepthThreads", "ProcessLimits"]),
    tests(
      "ViewSynthesis",
      [
        "ViewSynthesis", "CDepthSIMD", "DepthErrors", "DepthImages", "SceneRendering",
        "SIMDKernels", "SystemEssentials", "ThreadTeams",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  guard !target.name.hasPrefix("CDepth") else { continue }  // C
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .treatAllWarnings(as: .error),  // SE-0480
  ]
  if target.type != .test, target.name != "_TestSupport" {
    // `async` calls stay on their caller's executor, and take no detour by Swift's pool. SE-0461
    target.swiftSettings! += [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  }
  if target.type == .regular, target.name != "_TestSupport" {
    // All raw memory says `unsafe`; Scripts/check-unsafe.sh lists the files that may. SE-0458
    target.swiftSettings! += [.strictMemorySafety()]
  }
}
