import ArgumentParser
import DepthImages

/// On the command line `304x228`.
extension PixelSize: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
