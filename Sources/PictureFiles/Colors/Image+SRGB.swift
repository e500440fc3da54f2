package import DepthImages

/// Pictures for formats that hold no color profile.
extension Image {
  /// The picture with the colors of its profile as sRGB, without the profile. A picture whose profile has no matrix and curves, and one
  /// whose profile is that of sRGB, stays as it is.
  package var inSRGB: Image {
    guard let profile = metadata.iccProfile,
      case .other(let conversion) = ICCProfile.meaning(of: profile)
    else { return self }
    var result = Image(
      height: height, width: width, pixels: conversion.bytes(of: pixels, channels: 3),
      metadata: metadata)
    result.metadata.iccProfile = nil
    return result
  }

  /// The sentence about a profile that ``inSRGB`` cannot apply; `nil` without such a profile.
  package var noteOfUnknownProfile: String? {
    guard let profile = metadata.iccProfile, case .unknown = ICCProfile.meaning(of: profile) else {
      return nil
    }
    return ICCProfile.noteOfUnknown
  }
}
