// What this module's interface names: photos, maps, their files and refinement, by one import.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import DepthRefinement
@_exported public import PictureFiles
