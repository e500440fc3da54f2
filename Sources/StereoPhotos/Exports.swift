// Types in this module's signatures, so that clients need a single import: photos, maps, their files, and views.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import PictureFiles
@_exported public import ViewSynthesis
