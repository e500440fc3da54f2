// The code of the documentation's articles; a test compares them.
import DepthEstimation
import Foundation

func estimating(_ url: URL, x: Int, y: Int) throws {
  let estimator = try DepthEstimator(threads: 2)
  let photo = try Image(contentsOf: url)
  let depth = try estimator.depth(of: photo)
  print(depth[x: x, y: y] ?? 0)  // metres at column x and row y; nil where there is no value
}

func explaining(_ photo: Image, by estimator: DepthEstimator) throws {
  let estimate = try estimator.estimate(of: photo)
  print(estimate.depth.range() ?? (0, 0))  // nearest and farthest, metres
  print(estimate.uncertainty ?? 0)  // 0.15: 15 % off with the training camera
  print(estimate.camera.source)  // exif, given or assumed
}

func aiming(_ photo: Image, by estimator: DepthEstimator) throws {
  let options = DepthOptions(camera: .focalLength(.equivalent35mm(26)), minConfidence: 0.8)
  let depth = try estimator.depth(of: photo, options: options)
  print(depth.values.count(where: depth.hasValue))
}

func correcting(_ photo: Image, _ next: Image, by estimator: DepthEstimator) throws {
  var options = DepthOptions()
  let depth = try estimator.depth(of: photo, options: options)
  options.calibration = try DepthCalibration(
    [
      .init(x: 320, y: 240, metres: 2.4),
      .init(x: 80, y: 400, metres: 1.1),
    ], depth: depth, photoHeight: photo.height, width: photo.width)
  let calibrated = try estimator.depth(of: next, options: options)
  print(calibrated.range() ?? (0, 0))
}

func averaging(_ first: URL, _ second: URL) throws -> DepthEstimator {
  var weights = WeightsSelection.files([first, second])
  weights.averagesMirrored = true
  let ensemble = try DepthEstimator(weights)
  return ensemble
}

func steadying(
  _ frames: [Image], by estimator: DepthEstimator, show: (DepthMap) -> Void
) throws {
  var filter = TemporalDepthFilter()
  for frame in frames {
    let network = try estimator.depth(of: frame, options: .unrefined)
    let depth = try filter.filtered(network, photo: frame)
    show(try depth.refined(guidedBy: frame))
  }
}

func refining(_ depth: DepthMap, _ lidar: URL, guidedBy photo: Image) throws -> [DepthMap] {
  let flat = try depth.refined(guidedBy: photo, method: .joint(JointFilter(detail: 0.25)))
  let stretched = try depth.refined(guidedBy: photo, method: .none)

  let sensor = try DepthMap(contentsOf: lidar, unit: .metres, scale: 0.001)
  try sensor.checkAspect(of: photo)
  let dense = try sensor.refined(guidedBy: photo, fillsMissing: true)
  return [flat, stretched, dense]
}

func rendering(
  _ photo: Image, _ depth: DepthMap, _ leftFile: URL, _ rightFile: URL, _ folder: URL
) throws {
  let pair = try photo.stereoPair(depth: depth, maximumShift: 0.01)
  try pair.left.write(to: leftFile)
  try pair.right.write(to: rightFile)

  var options = StereoOptions()
  options.amount = .metric(
    MetricParallax(baseline: 0.063, focalLength: .equivalent35mm(26), screenDistance: 2.5))
  let metric = try photo.stereoPair(depth: depth, options: options)
  print(metric.left.width)

  for file in try photo.stereoFiles(as: .anaglyph(.redCyan), depth: depth, options: options) {
    try Data(file.bytes).write(to: folder.appending(path: "room" + file.ending))
  }
}

func masking(_ photo: Image, _ depth: DepthMap, _ maskFile: URL) throws -> [Image] {
  let mask = try photo.focusMask(depth: depth, focus: .normalized(0.75))
  try mask.picture().write(to: maskFile)
  let table = try photo.focusMask(
    depth: depth, focus: .range(MaskRange(from: 1.2, to: 2, soft: 0.1)))
  print(table.values.reduce(0, +))  // pixels at 1.2 m to 2 m

  let spotlight = try photo.spotlight(depth: depth, focus: .metres(2.5))
  let highlight = try photo.colorHighlight(depth: depth, focus: .point(x: 320, y: 240))
  let misty = try photo.haze(depth: depth, density: 0.3)  // e^(−0.3 · metres) of the light is left
  return [spotlight, highlight, misty]
}

func blurring(_ photo: Image, _ depth: DepthMap) throws -> Image {
  let lens = Lens(fNumber: 1.8, camera: .equivalent35mm(50), blades: 7)
  let portrait = try photo.lensBlur(depth: depth, focus: .metres(1.2), lens: lens)
  return portrait
}

func geometry(_ photo: Image, _ depth: DepthMap, _ folder: URL) throws {
  let camera = PhotoCamera(of: photo).camera
  let mesh = try depth.mesh(of: photo, camera: camera)
  try mesh.write(to: folder.appending(path: "room.glb"))
  let cloud = try depth.pointCloud(of: photo, camera: camera)
  try cloud.write(to: folder.appending(path: "room.ply"))

  let page = try mesh.glb()  // [UInt8]
  let points = try cloud.ply()
  print(page.count, points.count)
}

func choosing() throws {
  var weights = WeightsSelection.default
  weights.averagesMirrored = true  // twice the time
  let mirrored = try DepthEstimator(weights)
  print(try mirrored.weightsIdentifier())  // identifies the weights; depth files record it
}
