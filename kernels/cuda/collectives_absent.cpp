#include "kernels/cuda/collectives.h"

namespace headroom::kernels {

// Where the toolkit was found without NCCL's header.
struct Collectives::State {};

Collectives::Collectives(int) {}
Collectives::~Collectives() = default;
std::string Collectives::version() const { return {}; }
std::string Collectives::obstacle(const Task&, int) const { return "this program was built without NCCL"; }
std::unique_ptr<Prepared> Collectives::prepare(const Task&) { return nullptr; }
void Collectives::enqueue(Prepared&) {}
double Collectives::check(Prepared&) { return 0; }
Stretch Collectives::time(Prepared&, int) { return {}; }
void Collectives::synchronise() {}

} // namespace headroom::kernels
