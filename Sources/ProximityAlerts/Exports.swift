// What this module's interface names: photos and maps, by one import.
@_exported public import DepthErrors
@_exported public import DepthImages
