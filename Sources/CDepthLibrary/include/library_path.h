// Not for users of the library.
#ifndef SWIFT_DEPTH_LIBRARY_PATH_H
#define SWIFT_DEPTH_LIBRARY_PATH_H

/// The file that contains this function: the shared library, or the program with the linked library; NULL if
/// unknown.
const char *cdl_library_path(void);

#endif
