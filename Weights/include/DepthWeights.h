#ifndef DEPTHWEIGHTS_H
#define DEPTHWEIGHTS_H
// Nothing to call: the target has the weights as resources.
#endif
