import DepthBase
import DepthImages
import Testing
import _TestSupport

@Suite struct AreaAverageTests {
  @Test("each pixel of a shrunk photo is the mean of its area", arguments: InstructionSet.supported)
  func shrinkingIsTheMeanOfWhatAPixelCovers(isa: InstructionSet) {
    for (from, to) in [((12, 9), (5, 4)), ((31, 17), (31, 3)), ((8, 8), (1, 1)), ((7, 1), (3, 1))] {
      let photo = MadeUpPictures.photo(height: from.0, width: from.1)
      let result = areaAveraged(photo, height: to.0, width: to.1, isa: isa, threads: 2)
      func share(_ i: Int, _ count: Int, _ j: Int, _ length: Int) -> Double {
        let scale = Double(length) / Double(count)
        return max(0, min(Double(i + 1) * scale, Double(j + 1)) - max(Double(i) * scale, Double(j)))
          / scale
      }
      for y in 0..<to.0 {
        for x in 0..<to.1 {
          for c in 0..<3 {
            var sum = 0.0
            for j in 0..<from.0 {
              for i in 0..<from.1 {
                sum +=
                  share(y, to.0, j, from.0) * share(x, to.1, i, from.1)
                  * Double(photo.pixels[(j * from.1 + i) * 3 + c])
              }
            }
            let found = Double(result.pixels[(y * to.1 + x) * 3 + c])
            #expect(abs(found - sum) < 0.501, "\(from) to \(to) at \(y), \(x)")
          }
        }
      }
    }
  }

  @Test("area averaging to a larger size interpolates")
  func growingInterpolatesAndSameSizeCopies() {
    let photo = Image(height: 1, width: 2, pixels: [0, 0, 0, 100, 100, 100])
    let wide = areaAveraged(photo, height: 1, width: 4, threads: 1)
    #expect(stride(from: 0, to: 12, by: 3).map { wide.pixels[$0] } == [0, 25, 75, 100])
    #expect(areaAveraged(photo, height: 1, width: 2, threads: 1) == photo)
  }

  @Test("area average has equal bits on every instruction set") func threadsDoNotChangeBits() {
    let photo = MadeUpPictures.photo(height: 101, width: 63)
    let first = areaAveraged(photo, height: 40, width: 20, isa: .baseline, threads: 1)
    for isa in InstructionSet.supported {
      #expect(areaAveraged(photo, height: 40, width: 20, isa: isa, threads: 4) == first)
    }
  }
}
