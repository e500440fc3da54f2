import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Monochrome HEIC and AVIF pictures, whose range is expanded once with every libheif.
@Suite(.enabled(if: CCompiler.isInstalled, CCompiler.absence))
struct MonochromePhotoTests {
  /// A substitute for libheif with one picture of 40 × 30 pixels, whose luma in column x is 16 + 5
  /// · x. libheif 1.15 does not expand the range in RGB. With `EXPANDS`, the substitute does.
  private static let source = """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    typedef struct { int32_t code, subcode; const char *message; } error;
    typedef struct { uint8_t version; int32_t primaries, transfer, matrix; uint8_t full_range_flag; } nclx;
    typedef struct { int space; uint8_t rows[30 * 128 * 2]; } image;
    static const error fine = {0, 0, ""};
    static int object;
    const char *heif_get_version(void) { return "1.99"; }
    void *heif_context_alloc(void) { return &object; }
    error heif_context_read_from_memory_without_copy(void *c, const void *b, size_t n, const void *o) { return fine; }
    error heif_context_get_primary_image_handle(void *c, void **h) { *h = &object; return fine; }
    int heif_have_decoder_for_format(int f) { return 1; }
    int heif_image_handle_get_width(const void *h) { return 40; }
    int heif_image_handle_get_height(const void *h) { return 30; }
    #ifndef OPACITY
    #define OPACITY 255
    #define IS_PREMULTIPLIED 0
    #endif
    static uint8_t opacities[30 * 256];
    int heif_image_handle_has_alpha_channel(const void *h) { return OPACITY < 255; }
    int heif_image_handle_is_premultiplied_alpha(const void *h) { return IS_PREMULTIPLIED; }
    int heif_image_handle_get_list_of_metadata_block_IDs(const void *h, const char *t, uint32_t *i, int n) { return 0; }
    size_t heif_image_handle_get_metadata_size(const void *h, uint32_t i) { return 0; }
    error heif_image_handle_get_metadata(const void *h, uint32_t i, void *o) { return fine; }
    size_t heif_image_handle_get_raw_color_profile_size(const void *h) { return 0; }
    error heif_image_handle_get_raw_color_profile(const void *h, void *o) { return fine; }
    int heif_image_handle_get_list_of_depth_image_IDs(const void *h, uint32_t *i, int n) { return 0; }
    error heif_image_handle_get_depth_image_handle(const void *h, uint32_t i, void **o) { return fine; }
    int heif_image_handle_get_depth_image_representation_info(const void *h, uint32_t i, const void **o) { return 0; }
    int heif_image_handle_get_luma_bits_per_pixel(const void *h) { return BITS; }
    error heif_decode_image(const void *h, void **out, int space, int chroma, const void *o) {
      image *made = calloc(1, sizeof *made);
      made->space = space == 1 ? 1 : 2;
      for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) {
          uint16_t luma = (16 + 5 * x) << (BITS - 8);
          uint8_t *row = made->rows + 256 * y;
          if (made->space == 2) {
            if (BITS > 8) memcpy(row + 2 * x, &luma, 2); else row[x] = luma;
            continue;
          }
          luma >>= BITS - 8;
    #ifdef EXPANDS
          luma = ((luma - 16) * 255 + 109) / 219;
    #endif
          memset(row + 3 * x, luma, 3);
        }
      *out = made;
      return fine;
    }
    int heif_image_get_width(const void *i, int c) { return 40; }
    int heif_image_get_height(const void *i, int c) { return 30; }
    int heif_image_get_bits_per_pixel_range(const void *i, int c) { return ((image *)i)->space == 1 ? 8 : BITS; }
    int heif_image_get_colorspace(const void *i) { return ((image *)i)->space; }
    error heif_image_handle_get_nclx_color_profile(const void *h, nclx **o) { *o = 0; return (error){10, 0, ""}; }
    error heif_image_get_nclx_color_profile(const void *i, nclx **o) {
      *o = calloc(1, sizeof **o);
      (*o)->full_range_flag = IS_FULL;
      return fine;
    }
    const uint8_t *heif_image_get_plane_readonly(const void *i, int c, int *stride) {
      *stride = 256;
      return c == 6 ? memset(opacities, OPACITY, sizeof opacities) : ((image *)i)->rows;
    }
    """

  /// The pixels of a picture from a substitute that is compiled with these definitions.
  private static func pixels(_ definitions: [String]) throws -> [UInt8] {
    let box = HEIFFixture.box
    let file = HEIFFixture.boxes(
      [HEIFFixture.extents(40, 30), box("av1C", [0x81, 0, 0x1C, 0])], brand: "avif", type: "av01")
    let folder = try TemporaryFolder()
    let library = try CCompiler.compile(
      source, definitions.map { "-D" + $0 } + ["-shared", "-fPIC", "-w"], in: folder)
    try FileManager.default.moveItem(atPath: library, toPath: folder.path("libheif.so.1"))
    _ = try folder.write(file, to: "a.avif")
    _ = try folder.write(TestPhoto.depth(height: 30, width: 40).encoded(as: .pfm), to: "d.pfm")
    let outcome = try CommandLineTool("depth").run(
      ["effect", "haze", "a.avif", "--depth", "d.pfm", "--strength", "0", "-o", "o.png"],
      environment: ["LD_LIBRARY_PATH": folder.path], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try Image(contentsOf: folder.url("o.png")).pixels
  }

  @Test("limited luma is expanded once", arguments: [8, 10], [false, true])
  func theRangeIsExpandedOnce(bits: Int, isFull: Bool) throws {
    for expands in [[], ["EXPANDS"]] {
      let pixels = try Self.pixels(expands + ["BITS=\(bits)", "IS_FULL=\(isFull ? 1 : 0)"])
      for x in 0..<40 {
        let luma = 16 + 5 * x
        let wanted = isFull ? luma : Int((Double(luma - 16) * 255 / 219).rounded())
        #expect(pixels[3 * x..<3 * x + 3] == [UInt8](repeating: UInt8(wanted), count: 3)[...])
      }
    }
  }

  /// The library states whether colors are already multiplied by opacity.
  @Test("colors are multiplied by opacity once", arguments: [false, true])
  func opacityIsMultipliedOnce(isPremultiplied: Bool) throws {
    let pixels = try Self.pixels(
      ["BITS=8", "IS_FULL=1", "OPACITY=128", "IS_PREMULTIPLIED=\(isPremultiplied ? 1 : 0)"])
    for x in 0..<40 {
      let luma = 16 + 5 * x
      let light = isPremultiplied ? luma : Int((Double(luma * 128) / 255).rounded())
      #expect(pixels[3 * x] == UInt8(min(255, light + 127)))
    }
  }
}
