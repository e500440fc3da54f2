#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr
#endif
#include "library_path.h"

#include <dlfcn.h>
#include <stddef.h>

const char *cdl_library_path(void) {
  Dl_info info;
  return dladdr((const void *)&cdl_library_path, &info) ? info.dli_fname : NULL;
}
