// Types in the signatures of this module, so that clients need one import: photos, maps and their files.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import PictureFiles
