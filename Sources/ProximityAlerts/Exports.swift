// Types in this module's signatures, so that clients need a single import: photos and maps.
@_exported public import DepthErrors
@_exported public import DepthImages
