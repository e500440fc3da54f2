import ArgumentParser
package import DepthImages

/// On the command line `304x228`.
extension PixelSize: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
