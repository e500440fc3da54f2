// One example for each public type; a test compares them with the comments of the types.
import DepthEstimation
import Foundation

/// Takes what an example has made.
private func show(_ values: Any...) {}

func depthError(_ estimator: DepthEstimator, _ file: URL) throws {
  do {
    _ = try estimator.depth(of: Image(contentsOf: file))
  } catch let error as DepthError where error.code == .insufficientMemory {
    // Try a smaller photo.
  }
}

func errorCode(_ url: URL) throws {
  do { _ = try Image(contentsOf: url) } catch let error as DepthError where error.code == .damaged {
    print("\(error)")  // the file, what was expected and what was found
  }
}

func metricFit(_ photo: Image) throws {
  let estimator = try DepthEstimator(.named("zipdepth"), metres: .default)
  let estimate = try estimator.estimate(of: photo)
  if let fit = estimate.metricFit, !fit.isTrusted { print("the two networks see different scenes") }
}

func pointCloud(_ photo: Image, _ sharp: DepthMap, _ url: URL) throws {
  let cloud = try sharp.pointCloud(of: photo, camera: PhotoCamera(of: photo).camera)
  try cloud.write(to: url)  // .ply or .glb
}

func mesh(_ photo: Image, _ sharp: DepthMap, _ url: URL) throws {
  let mesh = try sharp.mesh(of: photo, camera: PhotoCamera(of: photo).camera)
  print(mesh.vertexCount, mesh.triangleCount)
  try mesh.write(to: url)  // .glb, .ply or .obj
}

func geometryOptions() {
  var options = GeometryOptions()
  options.simplification = 4  // fewer triangles
  options.dropsFlyingPixels = true  // gaps instead of moved pixels along edges
  show(options)
}

func camera(_ photo: Image) throws {
  let camera = try Camera(of: photo)  // from Exif
  print(camera.fieldOfView)  // degrees across
  show(camera)
}

func focalLength(_ photo: Image) throws {
  let phone = try Camera(of: photo, focalLength: .equivalent35mm(26))
  let action = try Camera(of: photo, focalLength: .fieldOfView(118))
  show(phone, action)
}

func depthMap() throws {
  let map = DepthMap(height: 1, width: 3, unit: .metres, values: [1, 2, 0])  // 0 is no value
  let disparity = try map.inDisparity()  // 1, 0.5, 0
  let gray = map.normalized()  // nearest 1, farthest 0
  show(map, disparity, gray)
}

func unit(_ depth: DepthMap) throws {
  switch depth.unit {
  case .metres, .disparity: print("absolute")
  case .relativeDisparity: print("disparity of unknown scale and shift, larger is nearer")
  case .normalized(let near): print("only an order, nearest \(near)")
  }
}

func polarity(_ depth: DepthMap) throws {
  let nearWhite = depth.normalized(near: .white)
  let nearBlack = depth.normalized(near: .black)
  show(nearWhite, nearBlack)
}

func image(_ url: URL) throws {
  let red = Image(height: 2, width: 2, pixels: [UInt8](repeating: 0, count: 12))
  try red.write(to: url)  // .png or .jpg
  show(red)
}

func imageMetadata(_ photo: Image) throws {
  var stripped = photo
  stripped.metadata = ImageMetadata()  // no Exif, no color profile
  show(stripped)
}

func depthPhoto(_ photo: Image, _ url: URL) throws {
  let embedded = try DepthPhoto.depth(contentsOf: url)  // GDepth or Dynamic Depth
  let jpeg = try DepthPhoto.encode(photo, depth: embedded, as: .gDepth)
  show(embedded, jpeg)
}

func depthPhotoFormat(_ photo: Image, _ depth: DepthMap) throws {
  let portrait = try DepthPhoto.encode(photo, depth: depth, as: .dynamicDepth)
  show(portrait)
}

func jointFilter(_ photo: Image, _ depth: DepthMap) throws {
  let flat = JointFilter(detail: 0.25)  // flatter surfaces, softer edges
  let walls = try depth.refined(guidedBy: photo, method: .joint(flat))
  show(flat, walls)
}

func outputResolution(_ photo: Image, _ depth: DepthMap) throws {
  let small = try depth.refined(guidedBy: photo, resolution: .size(height: 480, width: 640))
  show(small)
}

func refinementMethod(_ photo: Image, _ depth: DepthMap) throws {
  let stretched = try depth.refined(guidedBy: photo, method: .none)
  let filtered = try depth.refined(guidedBy: photo, method: .joint(JointFilter()))
  show(stretched, filtered)
}

func bilateralFilter() throws {
  let wide = RefinementMethod.bilateral(BilateralFilter(radius: 24, sigmaSpatial: 40))
  show(wide)
}

func depthCalibration(_ photo: Image, _ depth: DepthMap) throws {
  let door = DepthCalibration.KnownPoint(x: 320, y: 240, metres: 2.4)
  let calibration = try DepthCalibration(
    [door], depth: depth, photoHeight: photo.height, width: photo.width)
  let calibrated = try depth.calibrated(by: calibration)
  show(door, calibration, calibrated)
}

func knownPoint() throws {
  let lamp = DepthCalibration.KnownPoint(x: 80, y: 400, metres: 1.1)
  show(lamp)
}

func residual(_ calibration: DepthCalibration) throws {
  for residual in calibration.residuals { print(residual.point, residual.error) }
}

func depthEstimate(_ photo: Image, _ estimator: DepthEstimator) throws {
  let estimate = try estimator.estimate(of: photo)
  print(estimate.depth.median() ?? 0, estimate.uncertainty ?? 0)  // metres, relative error
  if let errors = try estimator.estimate(of: photo).expectedError {
    print(errors.values.max() ?? 0)  // .3: the least certain pixel is expected to be off by 30 %
  }
  show(estimate)
}

func depthEstimator(_ photo: Image) throws {
  let estimator = try DepthEstimator()  // the bundled weights
  let depth = try estimator.depth(of: photo)  // metres, the photo's size
  show(estimator, depth)
}

func depthOptions(_ photo: Image, _ estimator: DepthEstimator) throws {
  var options = DepthOptions()
  options.camera = .focalLength(.equivalent35mm(26))
  options.minConfidence = 0.8  // pixels that the network is less sure of have no depth
  let depth = try estimator.depth(of: photo, options: options)
  show(depth)
}

func cameraChoice() {
  let phone = DepthOptions(camera: .focalLength(.equivalent35mm(26)))
  show(phone)
}

func photoCamera(_ photo: Image) throws {
  let camera = PhotoCamera(of: photo)
  print(camera.camera.focalLength, camera.source)  // pixels, exif
  show(camera)
}

func cameraSource(_ photo: Image) throws {
  if PhotoCamera(of: photo).source == .assumed { print("no Exif: metres are a guess") }
}

func precision() throws {
  let exact = try DepthEstimator(precision: .float32)
  print(try DepthEstimator().precision)  // int8: the weights state that it loses little
  print(exact.precision)
}

func arithmetic() throws {
  let estimator = try DepthEstimator()
  if estimator.precision == .int8 { print("integers, the same bits on every processor") }
}

func weightsSelection(_ url: URL) throws {
  var weights = WeightsSelection.default
  weights.averagesMirrored = true  // also estimates the mirrored photo, for twice the time
  let averaging = try DepthEstimator(weights)
  let other = try DepthEstimator(.file(url))
  show(averaging, other)
}

func weightsKind(_ url: URL) throws {
  var published = WeightsSelection.file(url)
  published.kind = .indoor
  print(try DepthEstimator(published).unit)  // metres
}

func normalMap(_ photo: Image) throws {
  var weights = WeightsSelection.named("moge-2-small")
  weights.givesNormals = true
  let normals = try DepthEstimator(weights).estimate(of: photo).normals
  print(normals?.values.count ?? 0)
}

func normalMapOfDepth(_ photo: Image, _ depth: DepthMap, _ url: URL) throws {
  let normals = try depth.normals(camera: PhotoCamera(of: photo).camera)
  try normals.write(to: url)  // .png, .npy or .exr
  try normals.write(to: url, frame: .opengl)
  let bytes = try normals.encoded(as: .npy)  // height × width × 3 floats
  print(bytes.count)
}

func colorMap(_ depth: DepthMap, _ url: URL) throws {
  try depth.picture(.turbo).write(to: url)
}

func depthFileFormat(_ depth: DepthMap) throws {
  let bytes = try depth.encoded(as: .pfm)  // 32-bit floats, metres
  show(bytes)
}

func depthFileMetadata(_ url: URL) throws {
  let metadata = try DepthFileMetadata(contentsOf: url)
  print(metadata.unit == .metres, metadata.weightsIdentifier ?? "")
  show(metadata)
}

func chromaSubsampling(_ photo: Image) throws {
  let sharpColors = try photo.encoded(as: .jpeg(quality: 95, chroma: .full))
  show(sharpColors)
}

func imageFileFormat(_ photo: Image) throws {
  let png = try photo.encoded(as: .png)
  let jpeg = try photo.encoded(as: .jpeg(quality: 85))
  show(png, jpeg)
}

func metadataPolicy(_ photo: Image, _ depth: DepthMap) throws {
  let shared = try DepthPhoto.encode(photo, depth: depth, as: .gDepth, metadata: .withoutLocation)
  show(shared)
}

func compression(_ depth: DepthMap, _ url: URL) throws {
  try depth.write(to: url, compression: .fast)
}

func animation(_ url: URL, _ pair: StereoPair) throws {
  let wiggle = try PictureAnimation(frames: [pair.left, pair.right], delay: 0.2)
  try Data(wiggle.animatedPNG()).write(to: url)
  show(wiggle)
}

func stereoFile(_ photo: Image, _ depth: DepthMap, _ url: URL) throws {
  for file in try photo.stereoFiles(as: .leftRight, depth: depth) {
    try Data(file.bytes).write(to: url.appending(path: "room" + file.ending))
  }
}

func stereoOutput(_ photo: Image, _ depth: DepthMap) throws {
  var output = StereoOutput()
  output.isLossless = true
  let files = try photo.stereoFiles(as: .sideBySide, depth: depth, output: output)
  show(output, files)
}

func stereoFormat(_ photo: Image, _ depth: DepthMap) throws {
  let quilt = try photo.stereoFiles(as: .quilt(columns: 8, rows: 6), depth: depth)
  show(quilt)
}

func anaglyph(_ url: URL, _ pair: StereoPair) throws {
  try pair.anaglyph(.redCyan).write(to: url, chroma: .full)
}

func stereoOptions(_ photo: Image, _ depth: DepthMap) throws {
  var options = StereoOptions()
  options.amount = .shift(0.02)
  let pair = try photo.stereoPair(depth: depth, options: options)
  show(options, pair)
}

func amount(_ options: inout StereoOptions) throws {
  options.amount = .metric(MetricParallax(focalLength: .equivalent35mm(26), screenDistance: 2.5))
}

func edgeDilation(_ options: inout StereoOptions) throws {
  options.edgeDilation = .init(across: 2, down: 1)
}

func holeFilling(_ options: inout StereoOptions) throws {
  options.holeFilling = .stretched
}

func frameEdges(_ options: inout StereoOptions) throws {
  options.frameEdges = .crop
}

func metricParallax() throws {
  let parallax = MetricParallax(baseline: 0.063, focalLength: .fieldOfView(63), screenDistance: 3)
  show(parallax)
}

func stereoPair(_ photo: Image, _ depth: DepthMap, _ url: URL) throws {
  let pair = try photo.stereoPair(depth: depth, maximumShift: 0.01)
  try pair.sideBySide().write(to: url)
  show(pair)
}

func depthFocus(_ photo: Image, _ depth: DepthMap) throws {
  let near = try photo.spotlight(depth: depth, focus: .metres(1.8))
  let tapped = try photo.spotlight(depth: depth, focus: .point(x: 320, y: 240))
  show(near, tapped)
}

func depthMask(_ photo: Image, _ depth: DepthMap, _ url: URL) throws {
  let mask = try photo.focusMask(depth: depth, focus: .normalized(1))
  try mask.picture().write(to: url)
  show(mask)
}

func maskRange(_ photo: Image, _ depth: DepthMap) throws {
  let table = MaskRange(from: 1.2, to: 2, soft: 0.1)  // metres
  let mask = try photo.focusMask(depth: depth, focus: .range(table))
  _ = mask
}

func focusMask(_ photo: Image, _ depth: DepthMap) throws {
  let soft = FocusMask(slope: 2, width: 0.2)
  let gray = try photo.colorHighlight(depth: depth, focus: .normalized(0.75), shape: soft)
  show(soft, gray)
}

func maskScaling() throws {
  let shape = FocusMask(scaling: .bicubic)
  show(shape)
}

func lens(_ photo: Image, _ depth: DepthMap) throws {
  let lens = Lens(fNumber: 1.8, blades: 7)
  let portrait = try photo.lensBlur(depth: depth, focus: .metres(1.2), lens: lens)
  show(lens, portrait)
}

func lensAmount(_ lens: Lens, _ photo: Image) throws {
  if case .radius(let share) = lens.amount { print(share * Double(photo.width), "pixels") }
}

func imageLimits(_ url: URL) throws {
  let limits = ImageLimits(maximumPixels: 50_000_000, maximumBytes: 500_000_000)
  let upload = try Image(contentsOf: url, limits: limits)
  show(limits, upload)
}

func pixelFormat(_ bytes: [UInt8]) throws {
  let frame = try Image(
    height: 480, width: 640, pixels: bytes, format: .bgra, bytesPerRow: 2560)
  show(frame)
}

func encoding(_ bytes: [UInt8]) throws {
  let video = try Image(
    height: 1080, width: 1920, pixels: bytes, format: .nv12(.bt709Limited))
  show(video)
}

func temporalDepthFilter(_ estimator: DepthEstimator, _ frames: [Image]) throws {
  var filter = TemporalDepthFilter()
  for photo in frames {
    let network = try estimator.depth(of: photo, options: .unrefined)
    let depth = try filter.filtered(network, photo: photo)
    print(depth.median() ?? 0)  // metres
  }
}
