// swift-tools-version: 6.3
import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// A library of the system, with the names of its package for apt, yum and brew.
func system(
  _ name: String, pkgConfig: String, _ apt: String, _ yum: String, _ brew: String
) -> Target {
  .systemLibrary(
    name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .yum([yum]), .brew([brew])])
}

/// A module of tests; its folders are named after the modules that they test.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies + ["_TestSupport"])
}

let ground: [Target.Dependency] = ["DepthBase", "DepthErrors", "SystemEssentials"]
let images = ground + ["DepthImages"]
let pictures = images + ["PictureFiles"]
/// What is made of photos and their depth.
let scenes: [Target.Dependency] = [
  "DepthEffects", "DepthGeometry", "DepthPhotos", "DepthRefinement", "MonocularDepth",
  "StereoPhotos", "ViewSynthesis",
]

let package = Package(
  name: "swift-depth",
  platforms: [.macOS(.v15)],  // Synchronization's Mutex; developed and tested on Linux.
  products: [
    .library(name: "DepthEstimation", targets: ["DepthEstimation"]),
    // Parts of it for those who want one thing alone; each exports what its interface names.
    .library(name: "MonocularDepth", targets: ["MonocularDepth"]),
    .library(name: "StereoPhotos", targets: ["StereoPhotos"]),
    .library(name: "DepthPhotos", targets: ["DepthPhotos"]),
    .library(name: "ProximityAlerts", targets: ["ProximityAlerts"]),
    .executable(name: "depth", targets: ["depth"]),
    // For other languages: Scripts/build-library.sh links it into libdepth.so; depth.h describes it.
    .library(name: "DepthLibrary", type: .static, targets: ["DepthLibrary"]),
    // For the package in Fuzz alone; may change at any time.
    .library(name: "_FuzzTargets", targets: ["FuzzTargets"]),
  ],
  traits: [
    .default(enabledTraits: ["Codecs", "HDF5"]),
    .trait(
      name: "Codecs",
      description: """
        Reads and writes JPEG and PNG through TurboJPEG, libpng, zlib and libdeflate. Reads HEIC, WebP and AVIF through \
        libheif and libwebp, which are loaded when they are needed.
        """),
    .trait(
      name: "HDF5",
      description: "Reads every HDF5 file through libhdf5, not only this package's own weights."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.1")
  ],
  targets: [
    // MARK: - What a user meets
    .executableTarget(
      name: "depth", dependencies: ["DepthCommands"],
      // Addresses of functions are known at the start, and cannot be changed later.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))
      ]),
    .target(
      name: "DepthCommands",
      dependencies: pictures + scenes + [
        "DepthEvaluation", "DepthVideo", "FilmFiles", "FrameStreams", "LocalHTTP", "NeuralEngine",
        "ProximityAlerts", "WeightsFiles", argumentParser,
      ]),
    .target(
      name: "DepthEstimation",
      dependencies: [
        "DepthEffects", "DepthGeometry", "DepthPhotos", "DepthVideo", "MonocularDepth",
        "StereoPhotos",
      ]),
    .target(
      name: "DepthLibrary",
      dependencies: pictures + [
        "CDepthLibrary", "DepthGeometry", "DepthPhotos", "DepthRefinement", "MonocularDepth",
        "ViewSynthesis",
        "WeightsFiles",
      ]),
    .target(
      name: "MonocularDepth",
      dependencies: pictures + [
        "DepthNetworks", "DepthRefinement", "NeuralEngine", "WeightsFiles",
      ]),

    // The weights as a resource: SwiftPM copies them beside every executable that links the package. In C: see resources.c.
    .target(
      name: "DepthWeights", path: "Weights", exclude: ["README.md"],
      resources: [.copy("fcrn-lite2-nyu-int8.h5")]),

    // MARK: - Depth
    .target(name: "DepthNetworks", dependencies: ["DepthErrors", "NeuralEngine"]),
    .target(name: "DepthRefinement", dependencies: images + ["CDepthSIMD"]),
    .target(name: "ViewSynthesis", dependencies: images + ["CDepthSIMD"]),
    .target(name: "DepthEffects", dependencies: images + ["CDepthSIMD", "DepthRefinement"]),
    .target(name: "DepthGeometry", dependencies: pictures + ["CDepthPages"]),
    .target(
      name: "DepthEvaluation",
      dependencies: pictures + [
        "CDepthSIMD", "DepthNetworks", "DepthRefinement", "HDF5Files", "MonocularDepth",
      ]),

    // MARK: - Frames
    .target(name: "FilmFiles", dependencies: pictures + ["FrameStreams"]),
    .target(name: "FrameStreams", dependencies: pictures + ["CDepthSIMD"]),
    .target(name: "DepthVideo", dependencies: images + ["MonocularDepth"]),
    .target(
      name: "ProximityAlerts", dependencies: ["DepthErrors", "DepthImages", "SystemEssentials"]),

    // MARK: - Photos that carry depth or several views
    .target(
      name: "StereoPhotos",
      dependencies: [
        "DepthBase", "DepthErrors", "DepthImages", "DepthPhotos", "PictureFiles", "ViewSynthesis",
      ]),
    .target(name: "DepthPhotos", dependencies: pictures),

    // MARK: - Engine
    .target(name: "NeuralEngine", dependencies: ground + ["CDepthSIMD"]),

    // MARK: - Files
    .target(
      name: "WeightsFiles",
      dependencies: ground + ["DepthNetworks", "DepthWeights", "HDF5Files", "NeuralEngine"]),
    .target(
      name: "PictureFiles",
      dependencies: images + [
        "CDepthBase", "CDepthSIMD",
        .target(name: "CDepthDeflate", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthPNG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthTurboJPEG", condition: .when(traits: ["Codecs"])),
        .target(name: "CDepthZlib", condition: .when(traits: ["Codecs"])),
      ]),
    .target(
      name: "HDF5Files",
      dependencies: ground + [
        "CDepthBase",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ]),

    // MARK: - Ground
    .target(name: "LocalHTTP", dependencies: ground),
    .target(name: "DepthImages", dependencies: ground + ["CDepthSIMD"]),
    .target(
      name: "DepthBase",
      dependencies: [
        "CDepthBase", "CDepthSIMD", "DepthErrors", "SystemEssentials",
        .target(name: "CDepthDeflate", condition: .when(traits: ["Codecs", "HDF5"])),
      ]),
    .target(name: "DepthErrors", dependencies: ["SystemEssentials"]),
    .target(name: "SystemEssentials"),

    // MARK: - Tools, not product
    .executableTarget(
      name: "measure",
      dependencies: [
        "DepthBase", "DepthEffects", "DepthErrors", "DepthGeometry", "DepthImages",
        "DepthRefinement", "DepthVideo", "MonocularDepth", "PictureFiles", "SceneRendering",
        "SystemEssentials", argumentParser,
      ], path: "Tools/measure"),
    .target(
      name: "FuzzTargets",
      dependencies: pictures + [
        "CDepthBase", "CDepthLibrary", "DepthEvaluation", "DepthLibrary", "DepthNetworks",
        "DepthPhotos", "DepthRefinement", "FrameStreams", "HDF5Files", "LocalHTTP",
        "MonocularDepth", "ProximityAlerts", "StereoPhotos", "ViewSynthesis", "WeightsFiles",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ], path: "Tools/FuzzTargets"),

    // MARK: - C
    .target(name: "CDepthBase"),
    .target(name: "CDepthSIMD", cSettings: [.define("NDEBUG", .when(configuration: .release))]),
    .target(name: "CDepthLibrary"),
    .target(name: "CDepthPages", exclude: ["Page", "openapi.json"]),
    system("CDepthHDF5", pkgConfig: "hdf5", "libhdf5-dev", "hdf5-devel", "hdf5"),
    system("CDepthPNG", pkgConfig: "libpng", "libpng-dev", "libpng-devel", "libpng"),
    system(
      "CDepthTurboJPEG", pkgConfig: "libturbojpeg", "libturbojpeg0-dev", "turbojpeg-devel",
      "jpeg-turbo"),
    system("CDepthZlib", pkgConfig: "zlib", "zlib1g-dev", "zlib-devel", "zlib"),
    system(
      "CDepthDeflate", pkgConfig: "libdeflate", "libdeflate-dev", "libdeflate-devel", "libdeflate"),

    // MARK: - Tests
    .target(
      name: "CDepthSIMDModels", dependencies: ["CDepthSIMD"], path: "Tests/CDepthSIMDModels"),
    .target(
      name: "_TestSupport",
      dependencies: images + [
        "CDepthSIMDModels", "HDF5Files", "NeuralEngine", "WeightsFiles",
        .target(name: "CDepthHDF5", condition: .when(traits: ["HDF5"])),
      ], path: "Tests/_TestSupport"),
    .target(
      name: "SceneRendering",
      dependencies: [
        "DepthBase", "DepthErrors", "DepthImages", "PictureFiles", "SystemEssentials",
      ],
      path: "Tests/SceneRendering"),
    tests("System", ground + ["CDepthBase", "HDF5Files", "LocalHTTP"]),
    tests(
      "Engine", ["CDepthSIMD", "CDepthSIMDModels", "DepthBase", "DepthErrors", "NeuralEngine"]),
    tests(
      "Network",
      [
        "DepthBase", "DepthErrors", "DepthImages", "DepthNetworks", "HDF5Files", "MonocularDepth",
        "NeuralEngine", "WeightsFiles",
      ]),
    tests(
      "PhotoFile",
      [
        "CDepthBase", "CDepthTurboJPEG", "CDepthZlib", "DepthBase", "DepthErrors", "DepthImages",
        "DepthPhotos", "HDF5Files", "PictureFiles",
      ]),
    tests(
      "Estimator",
      [
        "CDepthLibrary", "DepthBase", "DepthEffects", "DepthErrors", "DepthGeometry", "DepthImages",
        "DepthLibrary", "DepthNetworks", "DepthPhotos", "DepthRefinement", "HDF5Files",
        "MonocularDepth", "NeuralEngine", "PictureFiles", "SceneRendering", "StereoPhotos",
        "ViewSynthesis", "WeightsFiles",
      ]),
    tests(
      "Refinement",
      [
        "DepthBase", "DepthErrors", "DepthEvaluation", "DepthImages", "DepthRefinement",
        "HDF5Files", "MonocularDepth", "PictureFiles",
      ]),
    tests(
      "View",
      pictures + [
        "CDepthSIMD", "DepthEffects", "DepthGeometry", "DepthPhotos", "DepthRefinement",
        "SceneRendering", "StereoPhotos", "ViewSynthesis",
      ]),
    tests(
      "Frame",
      [
        "DepthBase", "DepthErrors", "DepthImages", "DepthVideo", "FilmFiles", "FrameStreams",
        "PictureFiles", "ProximityAlerts", "SceneRendering", "measure",
      ]),
    tests(
      "Command",
      pictures + [
        "DepthCommands", "DepthEffects", "DepthGeometry", "DepthPhotos", "DepthRefinement",
        "DepthVideo", "FilmFiles", "FrameStreams", "FuzzTargets",
        "HDF5Files", "LocalHTTP", "MonocularDepth", "NeuralEngine", "ProximityAlerts",
        "StereoPhotos", "ViewSynthesis", "WeightsFiles", argumentParser,
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
  if target.type == .test || target.name == "DepthCommands" {
    // The commands loop over no pixels: optimizing them takes a fifth of a clean build and saves 1 % of the time of a photo.
    // Optimizing the tests takes minutes. No library product contains these targets, so the flag does not reach other packages.
    target.swiftSettings! += [.unsafeFlags(["-Onone"])]
  }
  if target.type != .test, target.name != "_TestSupport" {
    // `async` calls stay on their caller's executor, and take no detour by Swift's pool. SE-0461
    target.swiftSettings! += [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  }
  if target.type == .regular, target.name != "_TestSupport" {
    // All raw memory says `unsafe`; Scripts/checks/check-unsafe.sh lists the files that may. SE-0458
    target.swiftSettings! += [.strictMemorySafety()]
  }
}
