/// The material of a surface.
public struct Material: Sendable, Hashable {
  /// Diffuse reflectance.
  public var texture: Texture
  /// Share of light mirrored at normal incidence, 0…1; it rises towards grazing angles. 0 is matt.
  public var gloss: Float
  /// Radiance of the surface itself, as a multiple of its texture.
  public var glow: Float
  /// Number of the picture, among those of the scene, that the texture is multiplied with; −1 for none.
  var picture = -1
  /// Metres for one width of the picture, where no mesh says how large it is.
  var pictureSize: Float = 1
  /// Whether depth has no value here, as on a pane whose picture shows what lies behind it.
  var hidesDepth = false

  public init(_ texture: Texture, gloss: Float = 0, glow: Float = 0) {
    (self.texture, self.gloss, self.glow) = (texture, gloss, glow)
  }

  /// An even matt color, linear 0…1.
  public init(_ color: Vector) { self.init(Texture(.plain, color)) }
}

/// A body in a scene: its geometry and what it is made of.
public struct Solid: Sendable, Hashable {
  var shape: Shape
  public var material: Material
  /// Lamp shades and panes let the light of the lamp behind them through.
  public var castsShadow: Bool

  init(_ shape: Shape, _ material: Material, castsShadow: Bool = true) {
    (self.shape, self.material, self.castsShadow) = (shape, material, castsShadow)
  }

  /// A box, turned about the vertical by `yaw`, then tipped by `pitch`, radians.
  ///
  /// - Parameters:
  ///   - center: Metres.
  ///   - size: Full width, height and depth, metres.
  public static func box(
    _ material: Material, center: Vector, size: Vector, yaw: Float = 0, pitch: Float = 0
  ) -> Solid {
    let axes = Basis(yaw: yaw, pitch: pitch)
    return Solid(Shape(.box, center: center, half: size / 2, axes: axes), material)
  }

  /// A ball stretched to the given full width, height and depth, metres.
  public static func ellipsoid(
    _ material: Material, center: Vector, size: Vector, yaw: Float = 0, pitch: Float = 0
  ) -> Solid {
    let axes = Basis(yaw: yaw, pitch: pitch)
    return Solid(Shape(.ellipsoid, center: center, half: size / 2, axes: axes), material)
  }

  /// A ball, metres.
  public static func sphere(_ material: Material, center: Vector, radius: Float) -> Solid {
    ellipsoid(material, center: center, size: Vector(repeating: 2 * radius))
  }

  /// A straight round post from one point to another, metres.
  ///
  /// - Parameter taper: Radius at `end` as a share of `radius`, which is the radius at `start`.
  public static func rod(
    _ material: Material, from start: Vector, to end: Vector, radius: Float, taper: Float = 1
  ) -> Solid {
    let along = end - start
    let half = Vector(radius, along.length / 2, radius)
    let axes = Basis(y: along)
    let center = (start + end) / 2
    return Solid(
      Shape(.frustum, center: center, half: half, axes: axes, taper: taper), material)
  }

  func moved(turn: Basis, to position: Vector) -> Solid {
    var copy = self
    copy.shape = shape.moved(turn: turn, to: position)
    return copy
  }
}

/// A lamp or window: a parallelogram that shines, in front only or in every direction.
public struct Light: Sendable, Hashable {
  public var center: Vector
  /// Half edges, metres.
  public var halfU, halfV: Vector
  /// Direction it shines in, length 1; `nil` shines evenly all around.
  public var facing: Vector?
  /// Linear RGB power: irradiance on a facing surface at one metre.
  public var power: Vector

  public init(center: Vector, halfU: Vector, halfV: Vector, facing: Vector?, power: Vector) {
    (self.center, self.halfU, self.halfV) = (center, halfU, halfV)
    (self.facing, self.power) = (facing, power)
  }

  /// A glowing ball of the given radius, metres.
  public static func lamp(at center: Vector, radius: Float, power: Vector) -> Light {
    Light(
      center: center, halfU: [radius, 0, 0], halfV: [0, 0, radius], facing: nil, power: power)
  }
}
