/// The material of a surface.
public struct Material: Sendable, Hashable {
  /// The pattern of the diffuse reflectance.
  public var texture: Texture
  /// The share of light that is mirrored at normal incidence, 0…1. It rises towards grazing angles.
  public var gloss: Float
  /// The radiance of the surface as a multiple of the texture.
  public var glow: Float
  /// The index of the picture by which the texture is multiplied, or −1 without a picture.
  var picture = -1
  /// The width of the picture in metres, if no mesh states the width.
  var pictureSize: Float = 1
  /// Whether depth has no value here, as on a pane whose picture shows things behind the pane.
  var hidesDepth = false

  public init(_ texture: Texture, gloss: Float = 0, glow: Float = 0) {
    (self.texture, self.gloss, self.glow) = (texture, gloss, glow)
  }

  /// An even matt color, in linear values 0…1.
  public init(_ color: Vector) { self.init(Texture(.plain, color)) }
}

/// A body in a scene, with geometry and material.
public struct Solid: Sendable, Hashable {
  var shape: Shape
  public var material: Material
  /// Whether the solid casts a shadow. Lamp shades and panes do not.
  public var castsShadow: Bool

  init(_ shape: Shape, _ material: Material, castsShadow: Bool = true) {
    (self.shape, self.material, self.castsShadow) = (shape, material, castsShadow)
  }

  /// A box that is turned about the vertical by `yaw`, then tipped by `pitch`, in radians.
  ///
  /// - Parameters:
  ///   - center: The center in metres.
  ///   - size: The full width, height and depth, in metres.
  public static func box(
    _ material: Material, center: Vector, size: Vector, yaw: Float = 0, pitch: Float = 0
  ) -> Solid {
    let axes = Basis(yaw: yaw, pitch: pitch)
    return Solid(Shape(.box, center: center, half: size / 2, axes: axes), material)
  }

  /// A ball that is stretched to the given full width, height and depth, in metres.
  public static func ellipsoid(
    _ material: Material, center: Vector, size: Vector, yaw: Float = 0, pitch: Float = 0
  ) -> Solid {
    let axes = Basis(yaw: yaw, pitch: pitch)
    return Solid(Shape(.ellipsoid, center: center, half: size / 2, axes: axes), material)
  }

  /// A ball, with lengths in metres.
  public static func sphere(_ material: Material, center: Vector, radius: Float) -> Solid {
    ellipsoid(material, center: center, size: Vector(repeating: 2 * radius))
  }

  /// A straight round post from one point to another, in metres.
  ///
  /// - Parameter taper: The radius at `end` as a share of `radius`, the radius at `start`.
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

/// A lamp or window: a parallelogram that shines to the front or in every direction.
public struct Light: Sendable, Hashable {
  public var center: Vector
  /// Half of the two edges, in metres.
  public var halfU, halfV: Vector
  /// The direction of the light, with length 1, or `nil` for even light all around.
  public var facing: Vector?
  /// The linear RGB power: the irradiance on a facing surface at one metre.
  public var power: Vector

  public init(center: Vector, halfU: Vector, halfV: Vector, facing: Vector?, power: Vector) {
    (self.center, self.halfU, self.halfV) = (center, halfU, halfV)
    (self.facing, self.power) = (facing, power)
  }

  /// A glowing ball of the given radius, in metres.
  public static func lamp(at center: Vector, radius: Float, power: Vector) -> Light {
    Light(
      center: center, halfU: [radius, 0, 0], halfV: [0, 0, radius], facing: nil, power: power)
  }
}
