import DepthImages
import FrameStreams

/// A parser of bytes from anywhere: it gives a value or throws, whatever the bytes are.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// JPEG with its Exif block and all else that a photo's header has.
  case jpeg
  /// PNG, also with check sums that were made right again.
  case png
  /// HEIC and AVIF, also their depth: this package's own reader of boxes, and libheif in a child process.
  case heif
  /// WebP: chunks, animations, and libwebp in a child process.
  case webp
  /// Exif blocks, and what is left of them without the location.
  case exif
  /// PNG of depth, PFM, NumPy arrays and archives.
  case depthFile = "depth-file"
  /// GDepth and Dynamic Depth: segments, XMP, XML, base64, containers behind the picture.
  case depthPhoto = "depth-photo"
  /// XMP packets alone: the XML of depth photos and of a phone's depth pictures.
  case xmp
  /// YUV4MPEG2, PPM, PGM and Motion JPEG.
  case frames
  /// Frames without headers.
  case rawFrames = "raw-frames"
  /// HDF5 as a child process describes it, the weights in it and their values.
  case weights
  /// The same, described by this package's own reader.
  case weightsReader = "weights-reader"
  /// Published weights: safetensors, and ZIP archives with pickles.
  case publishedWeights = "published-weights"
  /// The labelled set of NYU Depth v2: frames out of a MATLAB file.
  case labelledSet = "labelled-set"
  /// Lists of photos with their depth.
  case dataSets = "data-sets"
  /// What a client sends to `depth serve`: heads and bodies, one request after the other.
  case http
  /// The same, of which only a body in chunks.
  case chunks
  /// Calibrations as JSON, used for maps of a few pixels.
  case calibration
  /// Sizes, zones, ratios and names.
  case texts
  /// Structures of C programs.
  case libraryCalls = "library-calls"

  /// Small pictures only: time goes into parsing, not into pixels.
  static let limits = ImageLimits(maximumPixels: 1 << 16, maximumBytes: 1 << 26)

  /// Parses bytes.
  ///
  /// - Returns: Whether they made a value.
  @discardableResult
  public func run(_ bytes: [UInt8]) -> Bool {
    do {
      switch self {
      case .jpeg, .webp: try readPhoto(bytes)
      case .png: try readPNG(bytes)
      case .heif: try readHEIF(bytes)
      case .exif: try readExif(bytes)
      case .depthFile: try readDepthFile(bytes)
      case .depthPhoto: try readDepthPhoto(bytes)
      case .xmp: try readXMP(bytes)
      case .frames: try readFrames(bytes, options: .init())
      case .rawFrames: try readRawFrames(bytes)
      case .weights, .weightsReader: try readWeights(bytes)
      case .publishedWeights: try readPublishedWeights(bytes)
      case .labelledSet: try readLabelledSet(bytes)
      case .dataSets: try readDataSet(bytes)
      case .http: try serve(bytes)
      case .chunks: try readChunks(bytes)
      case .calibration: try readCalibration(bytes)
      case .texts: try readText(bytes)
      case .libraryCalls: try callLibrary(bytes)
      }
      return true
    } catch let broken as Broken {
      // Unlike a precondition, it says its text in release builds.
      fatalError("a value of the target \(rawValue) contradicts itself: \(broken.what)")
    } catch {
      // Its text is made of the bytes too.
      _ = "\(error)"
      return false
    }
  }

  /// A value contradicts itself.
  struct Broken: Error { let what: StaticString }

  /// The bytes are not a value; of parsers that return `nil` instead of throwing.
  struct Refused: Error {}

  func require(_ holds: Bool, _ what: StaticString) throws {
    if !holds { throw Broken(what: what) }
  }

  /// Why a parser does not take bytes; `nil` where it does.
  ///
  /// - Throws: ``Broken``.
  func refusal(_ parse: () throws -> Void) throws -> (any Error)? {
    do { try parse() } catch let broken as Broken { throw broken } catch { return error }
    return nil
  }
}
