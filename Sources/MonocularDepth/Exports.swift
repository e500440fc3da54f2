// Modules whose types occur in this module's signatures, so that clients need one import: photos, maps, their files,
// refinement, and weights.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import DepthRefinement
@_exported public import PictureFiles
@_exported public import WeightsFiles
