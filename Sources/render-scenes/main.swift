import Foundation
import SceneRendering
import Tensors

let clock = ContinuousClock()
for name in Scene.Name.allCases {
  let scene = Scene.named(name)
  var r: Rendering?
  let t = clock.measure { r = Rendering(of: scene, from: scene.camera(), samples: 2) }
  let image = r!.image
  print(name, t, r!.depth.range!)
  var data = Data("P6\n\(image.width) \(image.height)\n255\n".utf8)
  data.append(contentsOf: image.pixels)
  try data.write(to: URL(fileURLWithPath: "/tmp/scenes/\(name).ppm"))
}
