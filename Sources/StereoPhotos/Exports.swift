// What this module's interface names: photos, maps, their files and views, by one import.
@_exported public import DepthErrors
@_exported public import DepthImages
@_exported public import PictureFiles
@_exported public import ViewSynthesis
