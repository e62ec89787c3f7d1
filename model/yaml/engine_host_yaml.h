#pragma once

#include "model/catalogue/engine.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

namespace headroom {

// What an engine costs beside its kernels, on the platform that it is mostly run on and elsewhere.
void readHost(MapReader in, Engine& engine, SourceReader& sources);
void writeHost(MapWriter& out, const Engine& engine);

} // namespace headroom
