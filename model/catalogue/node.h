#pragma once

#include "model/base/units.h"
#include "model/catalogue/citation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// How the GPUs of one box, or several boxes, talk to each other.
enum class LinkTopology : std::uint8_t {
    Switch,  // every GPU has its full rate to every other (NVSwitch)
    Mesh,    // direct links; a pair gets only its share (xGMI)
    Pairs,   // bridges join two; beyond a pair traffic goes over PCIe
    Pcie,    // through the host bridge or a PCIe switch
    Network, // between nodes
    None     // a single GPU
};

struct Link {
    std::string name; // "NVLink 4", "PCIe 5.0 x16", "8x NDR 400"
    LinkTopology topology = LinkTopology::None;
    BytesPerSecond perGpuPerDirection;
    Seconds latency;                 // one hop, small message
    bool inNetworkReduction = false; // NVLS / SHARP: all-reduce may exceed the ring bound

    friend bool operator==(const Link&, const Link&) = default;
};

struct Node {
    std::string id;
    std::string name;
    std::vector<std::string> aliases;
    std::vector<std::string> gpus; // ids of the accelerators it is built with
    int gpusPerNode = 1;
    Link intra;                          // between the GPUs of one node
    Link inter;                          // between nodes, per GPU
    Link host;                           // GPU to host memory
    BytesPerSecond storageRead;          // for the loading time of weights
    Watts hostPower;                     // CPUs, fans, switches: everything but the GPUs, at load
    std::optional<Dollars> serverPrice;  // of one box without its accelerators
    std::optional<Dollars> networkPrice; // switches and cables of one box among several
    std::string priceAsOf;
    std::vector<Citation> citations;
    std::string notes;

    friend bool operator==(const Node&, const Node&) = default;
};

} // namespace headroom
