#include "CDepthPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "Page/page.html"
};
static const unsigned char style[] = {
#embed "Page/style.css"
};
static const unsigned char depth[] = {
#embed "Page/depth.js"
};
static const unsigned char view[] = {
#embed "Page/view.js"
};
static const unsigned char ruler[] = {
#embed "Page/ruler.js"
};
static const unsigned char cloud[] = {
#embed "Page/cloud.js"
};
static const unsigned char server[] = {
#embed "Page/server.js"
};
static const unsigned char app[] = {
#embed "Page/app.js"
};
static const unsigned char example[] = {
#embed "Page/example.jpg"
};

const cdp_file cdp_page = {page, sizeof page};
const cdp_file cdp_style = {style, sizeof style};
const cdp_file cdp_depth = {depth, sizeof depth};
const cdp_file cdp_view = {view, sizeof view};
const cdp_file cdp_ruler = {ruler, sizeof ruler};
const cdp_file cdp_cloud = {cloud, sizeof cloud};
const cdp_file cdp_server = {server, sizeof server};
const cdp_file cdp_app = {app, sizeof app};
const cdp_file cdp_example = {example, sizeof example};
