// The page's files inside the program, so that a copied program can show the page. The compiler reads the files with
// `#embed`. As Swift arrays of numbers, they would take twenty seconds to compile.

#ifndef CDEPTH_PAGES_H
#define CDEPTH_PAGES_H

#include <stddef.h>

typedef struct {
  const unsigned char *bytes;
  size_t count;
} cdp_file;

extern const cdp_file cdp_page;
extern const cdp_file cdp_style;
extern const cdp_file cdp_script;
// Photos of the example and the tour.
extern const cdp_file cdp_example;
extern const cdp_file cdp_armchair;
extern const cdp_file cdp_doorway;
// The description of the server, OpenAPI 3.1.
extern const cdp_file cdp_openapi;

#endif
