import DepthImages
import SystemEssentials

/// A random generator of plausible materials for rooms and furniture.
struct Palette: Sendable {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func textureSeed() -> UInt32 { UInt32(random(0...1_000_000)) }

  /// A linear color from hue, saturation and value in 0…1, which are given as on a screen.
  static func color(hue: Float, saturation: Float, value: Float) -> Vector {
    func channel(_ shift: Float) -> Float {
      let k = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
      return pow(value * (1 - saturation * clamp(min(k, 4 - k))), 2.2)
    }
    return Vector(channel(5), channel(3), channel(1))
  }

  /// Typical hues of cloth: many browns, beiges and blues, few violets.
  private static let clothHues: [Float] = [
    0.0, 0.02, 0.05, 0.08, 0.09, 0.1, 0.11, 0.13, 0.2, 0.3, 0.45, 0.54, 0.57, 0.6, 0.62, 0.65, 0.95,
  ]

  /// A muted color, typical of furnishings, or rarely a strong color.
  mutating func cloth() -> Vector {
    Self.color(
      hue: random.pick(Self.clothHues) + random(0...0.04),
      saturation: random.chance(0.15) ? random(0.45...0.75) : random(0.03...0.4),
      value: random(0.22...0.85))
  }

  /// Two colors of timber, from dark to light brown.
  mutating func timber() -> (Vector, Vector) {
    let light = Self.color(
      hue: random(0.05...0.1), saturation: random(0.3...0.6), value: random(0.4...0.85))
    return (light, light * random(0.4...0.7))
  }

  mutating func wood() -> Material {
    if random.chance(0.25) { return painted() }
    let (light, dark) = timber()
    return Material(
      Texture(.wood, light, dark, scale: random(0.5...1.1), seed: textureSeed()),
      gloss: random.chance(0.5) ? 0.03 : 0)
  }

  /// Lacquer that is white, black or colored.
  mutating func painted() -> Material {
    let color =
      random.chance(0.55)
      ? Self.color(hue: 0.1, saturation: random(0...0.1), value: random(0.72...0.92))
      : random.chance(0.4) ? Vector(repeating: random(0.02...0.08)) : cloth()
    return Material(Texture(.plaster, color, color * 0.93, seed: textureSeed()), gloss: 0.03)
  }

  mutating func metal() -> Material {
    let shade: Float = random.chance(0.5) ? random(0.03...0.1) : random(0.4...0.6)
    return Material(Texture(.plain, Vector(repeating: shade)), gloss: 0.12)
  }

  mutating func upholstery() -> Material {
    let first = cloth()
    switch random(0...9) {
    case 0: return Material(Texture(.stripes, first, cloth(), scale: random(0.06...0.2)))
    case 1: return Material(Texture(.checks, first, first * 0.55, scale: random(0.04...0.12)))
    case 2: return Material(Texture(.wallpaper, first, cloth(), scale: random(0.08...0.25)))
    case 3, 4:
      return Material(Texture(.marble, first * 0.9, first, seed: textureSeed()), gloss: 0.03)
    default:
      return Material(
        Texture(.weave, first, first * 0.6, scale: random(0.5...1), seed: textureSeed()))
    }
  }

  mutating func wall() -> Material {
    let paint = Self.color(
      hue: random.chance(0.6) ? random(0.05...0.2) : random(0...1),
      saturation: random.chance(0.15) ? random(0.25...0.45) : random(0...0.16),
      value: random(0.62...0.94))
    switch random(0...9) {
    case 0:
      let brick = Self.color(hue: random(0.01...0.07), saturation: random(0.3...0.6), value: 0.6)
      let pale = random.chance(0.4)
      return Material(
        Texture(
          .bricks, pale ? paint : brick, paint * 0.7, scale: random(0.2...0.28), seed: textureSeed()
        ))
    case 1:
      return Material(
        Texture(.wallpaper, paint, paint * random(0.55...0.9), scale: random(0.12...0.4)))
    case 2:
      return Material(
        Texture(.stripes, paint, paint * random(0.75...0.95), scale: random(0.1...0.4)))
    case 3:
      return Material(
        Texture(.tiles, paint, paint * 0.6, scale: random(0.12...0.35), seed: textureSeed()),
        gloss: 0.04)
    default:
      return Material(Texture(.plaster, paint, paint * 0.93, scale: 1.5, seed: textureSeed()))
    }
  }

  mutating func floor() -> Material {
    let (light, dark) = timber()
    switch random(0...9) {
    case 0, 1:
      let stone = Self.color(
        hue: random(0.03...0.15), saturation: random(0...0.3), value: random(0.45...0.85))
      return Material(
        Texture(.tiles, stone, stone * 0.5, scale: random(0.3...0.6), seed: textureSeed()),
        gloss: 0.05)
    case 2:
      let pale = Self.color(hue: 0.1, saturation: 0.1, value: random(0.7...0.9))
      return Material(
        Texture(
          .checks, pale, random.chance(0.5) ? pale * 0.1 : pale * 0.5, scale: random(0.3...0.5)),
        gloss: 0.04)
    case 3, 4, 5:
      let pile = cloth()
      return Material(Texture(.carpet, pile, pile * 0.55, scale: 1, seed: textureSeed()))
    default:
      return Material(
        Texture(.planks, light, dark, scale: random(0.9...1.5), seed: textureSeed()),
        gloss: random(0.02...0.06))
    }
  }

  mutating func ceiling() -> Material {
    let paint = Self.color(hue: 0.12, saturation: random(0...0.06), value: random(0.84...0.95))
    return Material(Texture(.plaster, paint, paint * 0.95, scale: 2, seed: textureSeed()))
  }

  mutating func rug() -> Material {
    let (first, second) = (cloth(), cloth())
    let pattern = random.pick([
      Texture.Pattern.wallpaper, .stripes, .checks, .carpet, .marble, .painting,
    ])
    let scale = pattern == .carpet ? 0.8 : random(0.12...0.4)
    return Material(Texture(pattern, first, second, scale: scale, seed: textureSeed()))
  }

  mutating func picture() -> Material {
    Material(
      Texture(.painting, cloth(), cloth(), scale: random(0.25...0.7), seed: textureSeed()),
      gloss: random.chance(0.5) ? 0.04 : 0)
  }

  mutating func leaf() -> Material {
    let green = Self.color(
      hue: random(0.22...0.36), saturation: random(0.4...0.8), value: random(0.25...0.6))
    return Material(Texture(.plaster, green, green * 0.6, scale: 0.2, seed: textureSeed()))
  }

  mutating func outdoors() -> Texture {
    let sky = Vector(0.75, 0.88, 1) * random(0.8...1.1)
    let green = Self.color(hue: random(0.15...0.35), saturation: 0.4, value: random(0.3...0.6))
    return Texture(.outdoors, sky, green, scale: 1, seed: textureSeed())
  }
}
