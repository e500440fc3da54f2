import DepthErrors
import DepthImages
import Foundation
import MonocularDepth
import Testing

@Suite struct ErrorTextTests {
  @Test("an error's localized description is its text") func localizedDescriptionIsTheText() {
    let errors: [any Error] = [
      DepthError.unreadable(file: "w.h5", reason: "is empty"),
      DepthError.noPixels(file: "a.png", width: 0, height: 1), DepthError.focalLengthUnknown,
      DepthError.noUnit(for: "a depth photo"), DepthError.noPoints,
      DepthError.invalidArgument(name: "n", found: "0", expected: "1 to 3"),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }
}
