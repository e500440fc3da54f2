import ArgumentParser
import DepthBase
import DepthGeometry
import DepthImages
import Foundation
import PictureFiles

extension MeasureGeometry {
  /// Milliseconds of making and writing, beside writing the same bytes alone.
  struct Time: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Best time of a cloud and a mesh of a photo with depth, without reading files.")

    @Argument(help: "The photo.") var photo: String
    @Argument(help: "Its depth, metres.") var depth: String
    @Option(help: "Folder for files, which are removed again.") var folder = "."
    @Option(help: "Runs; the best counts.") var runs = 5
    @Option var threads = 2

    func run() throws {
      let photo = try Image(contentsOf: URL(filePath: photo))
      let depth = try DepthMap(contentsOf: URL(filePath: depth))
      let camera = try Camera(of: photo, focalLength: .fieldOfView(70))
      let clock = ContinuousClock()
      for format in ["ply", "glb"] {
        let file = URL(filePath: folder).appending(path: "geometry.\(format)")
        defer { try? FileManager.default.removeItem(at: file) }
        var (make, write, bytes) = (Double.infinity, Double.infinity, 0)
        var content = ""
        for _ in 0..<runs {
          make = min(
            make,
            try clock.measure {
              if format == "ply" {
                let cloud = try depth.pointCloud(of: photo, camera: camera, threads: threads)
                try cloud.write(to: file, threads: threads)
                content = "\(cloud.count) points"
              } else {
                let mesh = try depth.mesh(of: photo, camera: camera, threads: threads)
                try mesh.write(to: file, threads: threads)
                content = "\(mesh.vertexCount) vertices, \(mesh.triangleCount) triangles"
              }
            } / .milliseconds(1))
          let data = Array(try Data(contentsOf: file))
          bytes = data.count
          write = min(
            write, try clock.measure { try AtomicFile.write(data, to: file) } / .milliseconds(1))
        }
        print(
          String(
            format: "%@ %d×%d %@: %.0f ms, writing its %.1f MB alone %.0f ms, ratio %.2f", format,
            photo.width, photo.height, content, make, Double(bytes) / 1e6, write, make / write))
      }
    }
  }
}
