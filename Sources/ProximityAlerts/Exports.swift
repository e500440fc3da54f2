// Types in the signatures of this module, so that clients need one import: photos and maps.
@_exported public import DepthErrors
@_exported public import DepthImages
