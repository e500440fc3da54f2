package import DepthImages

/// Pictures for formats that hold no color profile.
extension Image {
  /// The picture with the colors of its profile as sRGB, without the profile. A picture whose profile has no matrix and curves, and one
  /// whose profile is that of sRGB, stays as it is.
  package var inSRGB: Image {
    guard let profile = metadata.iccProfile ?? grayProfile,
      case .other(let conversion) = ICCProfile.meaning(of: profile)
    else { return self }
    var result = Image(
      height: height, width: width, pixels: conversion.bytes(of: pixels, channels: 3),
      metadata: metadata)
    (result.metadata.iccProfile, result.metadata.grayProfile) = (nil, nil)
    return result
  }

  /// The sentence about a profile that ``inSRGB`` cannot apply; `nil` without such a profile.
  package var noteOfUnknownProfile: String? {
    guard let profile = metadata.iccProfile, case .unknown = ICCProfile.meaning(of: profile) else {
      return nil
    }
    return "its color profile has no matrix and curves; its colors are written as those of sRGB"
  }

  /// The profile of a gray picture, if its pixels are gray.
  private var grayProfile: [UInt8]? {
    guard let profile = metadata.grayProfile else { return nil }
    let pixels = pixels.span
    for place in stride(from: 0, to: pixels.count, by: 3) {
      let red = pixels[place]
      guard pixels[place + 1] == red, pixels[place + 2] == red else { return nil }
    }
    return profile
  }
}
