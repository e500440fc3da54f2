#include "CDepthPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "Page/page.html"
};
static const unsigned char style[] = {
#embed "Page/style.css"
};
// The scripts are joined to one script, in this order.
static const unsigned char script[] = {
#embed "Page/depth.js" suffix(,)
#embed "Page/view.js" suffix(,)
#embed "Page/ruler.js" suffix(,)
#embed "Page/cloud.js" suffix(,)
#embed "Page/server.js" suffix(,)
#embed "Page/compare.js" suffix(,)
#embed "Page/tour.js" suffix(,)
#embed "Page/cameraname.js" suffix(,)
#embed "Page/confidence.js" suffix(,)
#embed "Page/measure.js" suffix(,)
#embed "Page/strip.js" suffix(,)
#embed "Page/tabs.js" suffix(,)
#embed "Page/live.js" suffix(,)
#embed "Page/modes.js" suffix(,)
#embed "Page/saves.js" suffix(,)
#embed "Page/opening.js" suffix(,)
#embed "Page/app.js" suffix(,)
};
static const unsigned char example[] = {
#embed "Page/example.jpg"
};
static const unsigned char armchair[] = {
#embed "Page/armchair.jpg"
};
static const unsigned char doorway[] = {
#embed "Page/doorway.jpg"
};

static const unsigned char openapi[] = {
#embed "openapi.json"
};

const cdp_file cdp_page = {page, sizeof page};
const cdp_file cdp_style = {style, sizeof style};
const cdp_file cdp_script = {script, sizeof script};
const cdp_file cdp_example = {example, sizeof example};
const cdp_file cdp_armchair = {armchair, sizeof armchair};
const cdp_file cdp_doorway = {doorway, sizeof doorway};
const cdp_file cdp_openapi = {openapi, sizeof openapi};
