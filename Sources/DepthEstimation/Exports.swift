// What a caller needs of the modules below: photos and depth maps, their files, and the errors.
@_exported public import DepthNetworks
@_exported public import DepthRefinement
@_exported public import ImageCoding
@_exported public import NeuralLayers
@_exported public import StereoCoding
@_exported public import Tensors
@_exported public import ViewSynthesis
