#pragma once

#include "model/resolve/resolve.h"

namespace headroom {

// The model as this engine stores it: in a GGUF file, or with heads and columns added until all ranks have as
// many. `deployment` then points to a model of its own.
void storeAsEngineDoes(Resolved& out);

// Layers that the checkpoint leaves in 16 bits, as they were named.
void storeWidePartsAsAsked(Resolved& out, Problems& problems);

// Recurrent layers keep their state in the type that was asked for.
void storeStateAsAsked(Resolved& out, Problems& problems);

} // namespace headroom
