import DepthPhotos
import Testing

@Suite struct PixelDataInfoTests {
  private func packet(_ attributes: String) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='rdf'><r:Description "
        + "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' \(attributes)/></r:RDF></x:xmpmeta>")
        .utf8)
  }

  @Test("a packet gives a phone's range and kind of depth") func tellsTheRangeOfAPhonesDisparity() {
    let info = PixelDataInfo(
      packet: packet(
        "apdi:AuxiliaryImageType='disparity' apdi:FloatMinValue='0.25' apdi:FloatMaxValue='2.5'"))
    #expect(info?.minimum == 0.25 && info?.maximum == 2.5 && info?.isDisparity == true)
  }

  @Test("depth is relative only if the packet says so") func tellsWhetherTheScaleIsKnown() {
    let range = "apdi:AuxiliaryImageType='disparity' apdi:FloatMinValue='0' apdi:FloatMaxValue='2'"
    for (accuracy, isRelative) in [("relative", true), ("absolute", false)] {
      let packet = packet(
        "xmlns:d='http://ns.apple.com/depthData/1.0/' d:Accuracy='\(accuracy)' \(range)")
      #expect(PixelDataInfo(packet: packet)?.isRelative == isRelative)
    }
    #expect(PixelDataInfo(packet: packet(range))?.isRelative == false)
  }

  @Test("a packet without a valid range gives no depth") func saysNothingOfOtherPackets() {
    #expect(PixelDataInfo(packet: packet("apdi:AuxiliaryImageType='hairmask'")) == nil)
    #expect(
      PixelDataInfo(
        packet: packet(
          "apdi:AuxiliaryImageType='depth' apdi:FloatMinValue='2' apdi:FloatMaxValue='1'")) == nil)
    #expect(PixelDataInfo(packet: Array("no packet".utf8)) == nil)
  }

  /// Each element copies the namespaces around it, so many elements and namespaces take hours.
  @Test("a packet with more than 256 namespaces is not read") func namespacesAreBounded() {
    let range = "apdi:AuxiliaryImageType='depth' apdi:FloatMinValue='1' apdi:FloatMaxValue='2'"
    func declared(_ count: Int) -> [UInt8] {
      packet((0..<count).map { "xmlns:n\($0)='n' " }.joined() + range)
    }
    // The element and the elements around it have three more namespaces.
    #expect(PixelDataInfo(packet: declared(253)) != nil)
    #expect(PixelDataInfo(packet: declared(254)) == nil)
  }
}
