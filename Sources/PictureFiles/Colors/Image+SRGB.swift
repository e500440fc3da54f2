package import DepthImages

/// Pictures for formats without color profiles.
extension Image {
  /// The picture, converted from its profile to sRGB, without the profile. The picture stays unchanged if the profile is
  /// that of sRGB or has no matrix and curves.
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

  /// The sentence for users about a profile that ``inSRGB`` cannot apply; `nil` without such a profile.
  package var noteOfUnknownProfile: String? {
    guard let profile = metadata.iccProfile, case .unknown = ICCProfile.meaning(of: profile) else {
      return nil
    }
    return ICCProfile.noteOfUnknown
  }
}
