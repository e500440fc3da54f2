// One import for the whole library. MonocularDepth and StereoPhotos also export the modules of their signatures.
@_exported public import DepthEffects
@_exported public import DepthGeometry
@_exported public import DepthPhotos
@_exported public import DepthVideo
@_exported public import MonocularDepth
@_exported public import StereoPhotos
