import SceneRendering
import Tensors
import Foundation

let clock = ContinuousClock()
for seed in UInt64(0)..<12 {
  let scene = Scene.randomRoom(seed: seed)
  var r: Rendering?
  let t = clock.measure { r = Rendering(of: scene, from: scene.camera(), samples: 2) }
  let image = seed % 3 == 2 ? r!.photographed(seed: seed) : r!.image
  print(seed, t, r!.depth.range!, scene.solids.count, scene.lights.count)
  var data = Data("P6\n\(image.width) \(image.height)\n255\n".utf8)
  data.append(contentsOf: image.pixels)
  try data.write(to: URL(fileURLWithPath: "/tmp/scenes/\(seed).ppm"))
}
