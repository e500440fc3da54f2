/// The second bytes of a JPEG's markers.
///
/// > Source: ITU-T T.81, table B.1.
package enum JPEGMarker {
  package static let startOfImage: UInt8 = 0xD8
  package static let endOfImage: UInt8 = 0xD9
  package static let startOfScan: UInt8 = 0xDA
  package static let comment: UInt8 = 0xFE
  /// JFIF.
  static let app0: UInt8 = 0xE0
  /// Exif and XMP.
  static let app1: UInt8 = 0xE1
  /// Color profiles and multi-picture files.
  static let app2: UInt8 = 0xE2
  /// Stereo photos.
  static let app3: UInt8 = 0xE3
  package static let applications: ClosedRange<UInt8> = 0xE0...0xEF
  /// RST0…RST7, inside scans.
  package static let restarts: ClosedRange<UInt8> = 0xD0...0xD7

  /// Returns whether the marker begins a frame header: SOF0…SOF15, except DHT (C4), JPG (C8) and
  /// DAC (CC).
  package static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  /// The name of a frame process that TurboJPEG 2 does not decode; `nil` for decoded processes.
  static func undecodedProcess(_ frame: UInt8) -> String? {
    switch frame {
    case 0xC3, 0xCB: "lossless"
    case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF: "hierarchical"
    default: nil
    }
  }

  /// Returns whether the marker has no segment, as TEM and RST0…RST7, which have no length.
  package static func isAlone(_ marker: UInt8) -> Bool {
    marker == 0x01 || restarts.contains(marker)
  }
}
