// swift-tools-version: 6.3
import PackageDescription

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
    .trait(name: "EXR", description: "Reads and writes depth as OpenEXR through OpenEXRCore."),
    .trait(name: "HEIF", description: "Reads HEIC photos and their depth through libheif."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0")
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
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "FilmRuns",
      dependencies: [
        "AtomicFiles", "DepthEffects", "DepthErrors", "DepthImages", "DepthOptions",
        "DepthPipeline", "DepthVideo", "FrameRuns", "FrameStreams", "MonocularDepth", "PhotoRuns",
        "PictureFiles", "ProcessLimits", "StereoPhotos", "SystemEssentials", "ThreadTeams",
        "ViewSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "FrameRuns",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthOptions", "DepthPipeline", "DepthVideo",
        "FrameStreams", "MonocularDepth", "PhotoRuns", "PictureFiles", "ProcessLimits",
        "ProximityAlerts", "SystemEssentials", "ThreadTeams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "DepthService",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthGeometry", "DepthImages", "DepthOptions", "DepthPages",
        "DepthPipeline", "DepthRefinement", "FrameStreams", "JSONLines", "LocalHTTP",
        "MonocularDepth", "NetworkWeights", "PhotoRuns", "PictureFiles", "ProcessLimits",
        "StereoPhotos", "SystemEssentials", "ThreadTeams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "DepthOptions",
      dependencies: [
        "AtomicFiles", "DepthEffects", "DepthErrors", "DepthGeometry", "DepthImages", "DepthPages",
        "DepthPhotos", "DepthPipeline", "DepthRefinement", "MonocularDepth", "NeuralEngine",
        "PhotoRuns", "PictureFiles", "ProcessLimits", "SIMDKernels", "StereoPhotos",
        "SystemEssentials", "ThreadTeams", "ViewSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "PhotoRuns",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthPipeline", "MonocularDepth",
        "PictureFiles", "ProcessLimits", "SystemEssentials", "ThreadTeams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
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

    .target(name: "JSONLines"),

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
        "CDepthPages", "DepthErrors", "DepthImages", "PictureFiles", "ProcessLimits",
        "SystemEssentials",
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
        "AtomicFiles", "CDepthSIMD", "DepthErrors", "DepthImages", "FileChecksums", "OpenEXRFiles",
        "ProcessLimits", "SIMDKernels", "SystemEssentials", "ThreadTeams",
        .target(name: "CDepthDeflate", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthPNG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthTurboJPEG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthZlib", condition: .when(traits: ["Codecs"])),
      ]),
    .target(
      name: "OpenEXRFiles",
      dependencies: [
        "SystemEssentials",
        "DepthErrors", "ThreadTeams",
        .target(name: "CDepthEXR", condition: .when(traits: ["EXR"])),
        .target(name: "CDepthSandbox", condition: .when(traits: ["EXR"])),
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
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tools/render-scenes"),
    .executableTarget(
      name: "measure-refinement",
      dependencies: [
        "DepthImages", "DepthRefinement", "ProcessLimits",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tools/measure-refinement"),
    .executableTarget(
      name: "measure-effects",
      dependencies: [
        "DepthEffects", "DepthImages", "PictureFiles", "ThreadTeams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tools/measure-effects"),
    .executableTarget(
      name: "measure-geometry",
      dependencies: [
        "AtomicFiles", "DepthGeometry", "DepthImages", "DepthRefinement", "PictureFiles",
        "SceneRendering",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tools/measure-geometry"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AtomicFiles", "CDepthLibrary", "DepthErrors", "DepthEvaluation",
        "DepthImages", "DepthLibrary", "DepthNetworks", "DepthPhotos", "DepthRefinement",
        "DepthVideo", "FrameStreams", "HDF5Files", "JSONLines", "LocalHTTP", "MonocularDepth",
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
      name: "CDepthEXR",
      providers: [.apt(["libopenexr-dev"]), .yum(["openexr-devel"]), .brew(["openexr"])]),
    .systemLibrary(
      name: "CDepthHEIF",
      providers: [.apt(["libheif-dev"]), .yum(["libheif-devel"]), .brew(["libheif"])]),

    // MARK: - Tests
    .target(
      name: "_TestSupport",
      dependencies: [
        "DepthErrors", "DepthImages", "HDF5Files", "NetworkWeights", "NeuralEngine",
        "SystemEssentials",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ], path: "Tests/_TestSupport"),
    .testTarget(
      name: "AtomicFilesTests",
      dependencies: ["AtomicFiles", "DepthErrors", "SystemEssentials", "_TestSupport"]),
    .testTarget(
      name: "DepthEffectsTests",
      dependencies: [
        "DepthEffects", "DepthErrors", "DepthImages", "SceneRendering", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthEvaluationTests",
      dependencies: [
        "_TestSupport", "AtomicFiles", "DepthErrors", "DepthEvaluation", "DepthImages",
        "DepthRefinement", "HDF5Files", "PictureFiles", "SIMDKernels",
      ]),
    .testTarget(
      name: "DepthGeometryTests",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthGeometry", "DepthImages", "PictureFiles",
        "_TestSupport",
      ]),
    .testTarget(
      name: "DepthImagesTests",
      dependencies: [
        "_TestSupport", "DepthErrors", "DepthImages", "HDF5Files", "SIMDKernels",
      ]),
    .testTarget(
      name: "DepthLibraryTests",
      dependencies: [
        "CDepthLibrary", "DepthImages", "DepthLibrary", "DepthRefinement", "MonocularDepth",
        "PictureFiles", "ViewSynthesis", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthNetworksTests",
      dependencies: [
        "_TestSupport", "DepthErrors", "DepthImages", "DepthNetworks", "HDF5Files",
        "NetworkWeights", "NeuralEngine", "SIMDKernels",
      ]),
    .testTarget(
      name: "DepthPagesTests",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthPages", "PictureFiles", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthPhotosTests",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthPipelineTests",
      dependencies: [
        "DepthErrors", "DepthGeometry", "DepthImages", "DepthPages", "DepthPipeline",
        "DepthRefinement", "MonocularDepth", "ProcessLimits", "ThreadTeams", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthRefinementTests",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthRefinement", "ProcessLimits", "SIMDKernels",
        "_TestSupport",
      ]),
    .testTarget(
      name: "depthTests",
      dependencies: [
        "_TestSupport", "AtomicFiles", "depth", "DepthEffects", "DepthErrors", "DepthImages",
        "DepthOptions", "DepthPipeline", "DepthRefinement", "DepthService",
        "FilmRuns", "FrameRuns", "FrameStreams", "FuzzTargets", "HDF5Files", "JSONLines",
        "LocalHTTP",
        "MonocularDepth", "NetworkWeights", "NeuralEngine", "PhotoRuns", "PictureFiles",
        "ProcessLimits", "ProximityAlerts", "SIMDKernels", "StereoPhotos", "SystemEssentials",
        "ThreadTeams", "ViewSynthesis",
      ]),
    .testTarget(
      name: "FilmRunsTests",
      dependencies: [
        "AtomicFiles", "DepthErrors", "FilmRuns", "PhotoRuns", "_TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "FrameRunsTests",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "DepthOptions", "DepthPipeline", "FrameRuns",
        "MonocularDepth", "ProximityAlerts", "_TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "PhotoRunsTests",
      dependencies: [
        "AtomicFiles", "DepthErrors", "PhotoRuns", "ProcessLimits", "SystemEssentials",
        "ThreadTeams", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthServiceTests",
      dependencies: [
        "DepthEffects", "DepthImages", "DepthOptions", "DepthRefinement", "DepthService",
        "LocalHTTP", "MonocularDepth", "_TestSupport",
      ]),
    .testTarget(
      name: "DepthVideoTests",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthVideo", "SceneRendering", "_TestSupport",
      ]),
    .testTarget(
      name: "FrameStreamsTests",
      dependencies: [
        "DepthErrors", "DepthImages", "FrameStreams", "PictureFiles", "SIMDKernels",
        "_TestSupport",
      ]),
    .testTarget(
      name: "FileChecksumsTests", dependencies: ["FileChecksums", "PictureFiles", "_TestSupport"]),
    .testTarget(
      name: "HDF5FilesTests",
      dependencies: [
        "_TestSupport", "DepthErrors", "HDF5Files", "ThreadTeams",
      ]),
    .testTarget(
      name: "HEIFPhotosTests",
      dependencies: [
        "AtomicFiles", "depth", "DepthErrors", "DepthImages", "HEIFPhotos", "PictureFiles",
        "_TestSupport",
      ]),
    .testTarget(
      name: "KernelBenchmarksTests",
      dependencies: [
        "KernelBenchmarks", "NeuralEngine", "SIMDKernels", "_TestSupport",
      ]),
    .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "_TestSupport"]),
    .testTarget(name: "JSONLinesTests", dependencies: ["JSONLines", "_TestSupport"]),
    .testTarget(name: "LocalHTTPTests", dependencies: ["LocalHTTP", "_TestSupport"]),
    .testTarget(
      name: "MeasureRefinementTests", dependencies: ["measure-refinement", "_TestSupport"]),
    .testTarget(
      name: "MonocularDepthTests",
      dependencies: [
        "_TestSupport", "AtomicFiles", "DepthEffects", "DepthErrors", "DepthGeometry",
        "DepthImages", "DepthPhotos",
        "DepthRefinement", "HDF5Files", "MonocularDepth", "PictureFiles", "SceneRendering",
        "StereoPhotos", "ViewSynthesis",
      ]),
    .testTarget(
      name: "NetworkWeightsTests",
      dependencies: [
        "AtomicFiles", "DepthErrors", "DepthImages", "HDF5Files", "NetworkWeights", "NeuralEngine",
        "_TestSupport",
      ]),
    .testTarget(
      name: "NeuralEngineTests",
      dependencies: [
        "CDepthSIMD", "NeuralEngine", "SIMDKernels", "ThreadTeams", "_TestSupport",
      ]),
    .testTarget(
      name: "OpenEXRFilesTests",
      dependencies: [
        "depth", "DepthErrors", "DepthImages", "PictureFiles", "_TestSupport",
      ]),
    .testTarget(
      name: "PictureFilesTests",
      dependencies: [
        "AtomicFiles", "CDepthTurboJPEG", "DepthErrors", "DepthImages", "PictureFiles",
        "ProcessLimits", "SIMDKernels", "ThreadTeams", "_TestSupport",
      ]),
    .testTarget(
      name: "ProximityAlertsTests",
      dependencies: ["DepthErrors", "DepthImages", "ProximityAlerts", "_TestSupport"]),
    .testTarget(name: "ProcessLimitsTests", dependencies: ["ProcessLimits", "_TestSupport"]),
    .testTarget(
      name: "SceneRenderingTests",
      dependencies: ["DepthImages", "SceneRendering", "_TestSupport"]),
    .testTarget(
      name: "SIMDKernelsTests",
      dependencies: ["CDepthSIMD", "DepthErrors", "SIMDKernels", "_TestSupport"]),
    .testTarget(
      name: "StereoPhotosTests",
      dependencies: [
        "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles", "StereoPhotos", "ThreadTeams",
        "ViewSynthesis", "_TestSupport",
      ]),
    .testTarget(
      name: "ThreadTeamsTests",
      dependencies: ["CDepthThreads", "ProcessLimits", "ThreadTeams", "_TestSupport"]),
    .testTarget(
      name: "ViewSynthesisTests",
      dependencies: [
        "CDepthSIMD", "DepthErrors", "DepthImages", "SceneRendering", "SIMDKernels",
        "SystemEssentials", "ThreadTeams", "ViewSynthesis", "_TestSupport",
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
