// Types in this module's signatures, so that clients need a single import: photos, maps and their files.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import PictureFiles
