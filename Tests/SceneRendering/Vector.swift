import SystemEssentials

/// A point or direction in metres in the room's frame, or a linear color of red, green and blue.
///
/// In the room's frame, x is to the right, y up and z forward. The floor is at y = 0.
public typealias Vector = SIMD3<Float>

@inline(__always)
func dot(_ a: Vector, _ b: Vector) -> Float {
  let product = a * b
  return product.x + product.y + product.z
}

@inline(__always)
func cross(_ a: Vector, _ b: Vector) -> Vector {
  Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

extension SIMD3<Float> {
  @inline(__always)
  var length: Float { dot(self, self).squareRoot() }

  /// The vector of this direction with length 1.
  @inline(__always)
  var unit: Vector { self / length }

  /// The relative luminance of a linear color (Rec. 709 primaries).
  var luminance: Float { dot(self, Vector(0.2126, 0.7152, 0.0722)) }
}

/// Linear interpolation from `a` at 0 to `b` at 1.
@inline(__always)
func mix(_ a: Vector, _ b: Vector, _ share: Float) -> Vector { a + (b - a) * share }

@inline(__always)
func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

@inline(__always)
func clamp(_ x: Float, _ low: Float = 0, _ high: Float = 1) -> Float { min(max(x, low), high) }

/// Three perpendicular unit vectors: the axes of a solid or of a camera in the room's frame.
struct Basis: Sendable, Hashable {
  var x: Vector
  var y: Vector
  var z: Vector

  static let room = Basis(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1])

  init(x: Vector, y: Vector, z: Vector) { (self.x, self.y, self.z) = (x, y, z) }

  /// Turns z right by `yaw`, then up by `pitch`, then x down by `roll`, in radians.
  init(yaw: Float, pitch: Float = 0, roll: Float = 0) {
    let forward = Vector(sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch))
    let right = Vector(cos(yaw), 0, -sin(yaw))
    let up = cross(forward, right)
    x = right * cos(roll) - up * sin(roll)
    y = up * cos(roll) + right * sin(roll)
    z = forward
  }

  /// A frame whose y axis is `direction`. The other axes are arbitrary.
  init(y direction: Vector) {
    let y = direction.unit
    let x = (abs(y.y) < 0.99 ? cross(y, [0, 1, 0]) : cross(y, [1, 0, 0])).unit
    self.init(x: x, y: y, z: cross(x, y))
  }

  /// A vector in these axes, converted to the room's frame.
  @inline(__always)
  func callAsFunction(_ v: Vector) -> Vector { x * v.x + y * v.y + z * v.z }

  /// A basis in these axes, converted to the room's frame.
  func callAsFunction(_ other: Basis) -> Basis {
    Basis(x: self(other.x), y: self(other.y), z: self(other.z))
  }
}
