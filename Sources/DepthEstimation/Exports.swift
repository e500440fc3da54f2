// One import for the whole library; MonocularDepth and StereoPhotos bring what they name.
@_exported public import DepthEffects
@_exported public import DepthGeometry
@_exported public import DepthPhotos
@_exported public import DepthVideo
@_exported public import MonocularDepth
@_exported public import StereoPhotos
