// What this module's interface names: photos, maps and their files, by one import.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import PictureFiles
