#include "model/import/stored_tensors.h"

namespace headroom {

void StoredWeights::add(const StoredTensor& tensor)
{
    OfType& type = byType[tensor.type];
    ++type.tensors;
    type.elements += tensor.elements;
    type.bytes += tensor.bytes;
    ++tensors;
    elements += tensor.elements;
    bytes += tensor.bytes;
}

} // namespace headroom
