// One import for the whole product: photos and depth maps, their files, and the errors.
@_exported public import DepthEffects
@_exported public import DepthErrors
@_exported public import DepthGeometry
@_exported public import DepthImages
@_exported public import DepthPhotos
@_exported public import DepthRefinement
@_exported public import DepthVideo
@_exported public import MonocularDepth
@_exported public import PictureFiles
@_exported public import StereoPhotos
@_exported public import ViewSynthesis
