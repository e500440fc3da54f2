public import ArgumentParser
import AtomicFiles
import DepthImages
public import DepthRefinement
import PictureFiles
import ProcessLimits

extension RefinementMethod.Name: ExpressibleByArgument {}

extension OutputResolution: ExpressibleByArgument {
  /// A method by its name on the command line.
  public init?(argument: String) {
    self.init(argument)
  }
}

/// How a map gets the photo's edges, and how large it becomes.
struct RefinementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Refinement: joint, article, gaussian or none.",
      discussion: """
        joint filters the small map and upsamples it by the photo, where the map has edges; article is the \
        25×25 joint bilateral filter at full size; gaussian blurs; none leaves the network's own map.
        """,
      valueName: "method"))
  var refine: RefinementMethod.Name = .joint

  @Option(
    help: ArgumentHelp(
      "How much of the photo --refine joint lets through, 0 to 1.",
      discussion:
        "Less gives flatter surfaces, more gives sharper edges and the patterns of surfaces.",
      valueName: "share"))
  var detail: Float?

  @Option(
    help: ArgumentHelp(
      "Size of the map: photo, network or WxH; photo unless --refine none.", valueName: "size"))
  var resolution: OutputResolution?

  @Flag(help: "Give pixels without a value one, from their neighbourhood.")
  var fill = false

  func validate() throws {
    if let detail, !(0...1).contains(detail) {
      throw ValidationError("--detail is \(detail), expected 0 to 1")
    }
    if detail != nil, refine != .joint {
      throw ValidationError("--detail is for --refine joint, found --refine \(refine.rawValue)")
    }
    if case .size(let height, let width) = resolution, max(height, width) > Self.largestSide {
      throw ValidationError(
        "--resolution is \(width)x\(height), expected sides of 1 to \(Self.largestSide)")
    }
  }

  /// The longest side that --resolution may ask for.
  private static let largestSide = 1 << 15

  /// What to say where the joint filter is not made for a map.
  ///
  /// Networks' maps take five pixels from one side of an edge to the other. Where a sensor's map takes two, there is
  /// little for a filter to repair, and where the photo's edges are not those of depth it does harm.
  func hint(for map: DepthMap, _ name: String) -> String? {
    guard refine == .joint else { return nil }
    let width = map.edgeWidth
    guard width <= Self.sharpEdge else { return nil }
    return "the edges of \(name) are \((width * 10).rounded() / 10) of its pixels wide, sharp "
      + "already: --refine none, which only stretches it, may be nearer to the truth"
  }

  /// Width of edges up to which a map needs no filter, pixels of the map. Of 50 maps of rooms those of a Kinect reduced
  /// to 160 × 128 had 1.5 to 2.3, those of the network 4.6 to 6.0.
  private static let sharpEdge: Float = 2.5

  /// The memory that making and writing the map takes.
  ///
  /// - Parameters:
  ///   - file: The photo.
  ///   - source: Height and width of the map before refinement.
  ///   - networkBytes: Bytes that the network needs; 0 without one.
  /// - Throws: `DepthError` for a resolution beyond the limits.
  func memoryNeed(
    for file: PhotoFile, source: (height: Int, width: Int), networkBytes: Int, limits: ImageLimits,
    output: OutputOptions
  ) throws -> MemoryNeed {
    var (height, width) = (file.height, file.width)
    switch wantedResolution {
    case .photo: break
    case .network: (height, width) = source
    case .size(let rows, let columns):
      (height, width) = (rows, columns)
      try limits.check(width: width, height: height, file: "--resolution")
    }
    let made = MemoryNeed.MapOutput(
      source: source.height * source.width, height: height, width: width,
      hasView: output.view != nil, hasDepthPhoto: output.depthPhoto != nil)
    return .map(of: file, networkBytes: networkBytes, output: made)
  }

  /// The options as words of a ``Recipe``.
  var words: [String] {
    let size =
      switch wantedResolution {
      case .photo: "photo"
      case .network: "network"
      case .size(let height, let width): "\(width)x\(height)"
      }
    return ["refine=\(refine.rawValue)", "resolution=\(size)"]
      + (refine == .joint ? ["detail=\(detail ?? JointFilter.defaultDetail)"] : [])
      + (fill ? ["fill"] : [])
  }

  var wantedResolution: OutputResolution {
    resolution ?? (refine == .none ? .network : .photo)
  }

  /// The map as the options want it.
  ///
  /// - Throws: `DepthError` for a size that no map has.
  func refined(_ depth: DepthMap, guidedBy photo: Image, threads: Int?) throws -> DepthMap {
    let resolution = wantedResolution
    if refine == .none, resolution == .network, !fill { return depth }
    return try depth.refined(
      guidedBy: photo,
      method: RefinementMethod(refine, detail: detail ?? JointFilter.defaultDetail),
      resolution: resolution,
      fillsMissing: fill,
      threads: threads)
  }
}
