#pragma once

#include <limits>
#include <vector>

namespace headroom::twin {

// Boxes of GPUs and what joins them, in plain numbers: bytes a second in one direction, seconds.
struct FabricSpec {
    enum class Inside {
        Switch, // each GPU has its full rate to every other
        Mesh,   // a wire for each pair, which has its share of the rate
        Pairs,  // bridges join 2k and 2k + 1; everything else goes over the host's bus
        Bus     // over the host's bus alone
    };
    int boxes = 1;
    int gpus = 8; // of a box
    Inside inside = Inside::Switch;
    double link = 0; // of a GPU, all its wires together
    double linkLatency = 0;
    double bus = 0; // of a GPU on the host's bus

    int nics = 0; // of a box; GPUs share them in equal runs. 0: the boxes are not joined
    double nic = 0;
    double nicLatency = 0;
    // Rails: the i-th adapters of all boxes meet at one leaf switch. Otherwise a leaf serves this many boxes.
    bool rails = true;
    int boxesOfLeaf = 1;
    double oversubscription = 1; // what a leaf takes from its adapters over what it passes up
};

// Every place where bytes queue: links, adapters and switch ports, each direction of its own.
class Fabric {
public:
    explicit Fabric(const FabricSpec& spec);

    static constexpr int absent = -1;
    [[nodiscard]] const FabricSpec& spec() const { return m_spec; }
    [[nodiscard]] int ranks() const { return m_spec.boxes * m_spec.gpus; }
    [[nodiscard]] int boxOf(int rank) const { return rank / m_spec.gpus; }
    [[nodiscard]] int localOf(int rank) const { return rank % m_spec.gpus; }
    [[nodiscard]] int rankAt(int box, int local) const { return box * m_spec.gpus + local; }

    // Ports that a message passes, in order; empty where there is no way or nowhere to go.
    struct Route {
        std::vector<int> ports;
        double latency = 0;
        bool exists = true;
    };
    [[nodiscard]] Route route(int from, int to) const;

    [[nodiscard]] const std::vector<double>& rates() const { return m_rates; }
    [[nodiscard]] int linkOut(int rank) const { return m_linkOut + rank; }
    [[nodiscard]] int linkIn(int rank) const { return m_linkIn + rank; }
    [[nodiscard]] int wire(int from, int to) const; // of a mesh or a bridge
    [[nodiscard]] int busOut(int rank) const { return m_busOut + rank; }
    [[nodiscard]] int busIn(int rank) const { return m_busIn + rank; }
    [[nodiscard]] int nicOf(int rank) const; // its number among all
    [[nodiscard]] int nicOut(int nic) const { return m_nicOut + nic; }
    [[nodiscard]] int nicIn(int nic) const { return m_nicIn + nic; }
    [[nodiscard]] int leafUp(int leaf) const { return m_leafUp + leaf; }
    [[nodiscard]] int leafDown(int leaf) const { return m_leafDown + leaf; }

private:
    int add(int count, double rate);
    [[nodiscard]] int leafOf(int nic) const;

    FabricSpec m_spec;
    std::vector<double> m_rates;
    int m_linkOut = 0, m_linkIn = 0, m_wires = 0, m_busOut = 0, m_busIn = 0;
    int m_nicOut = 0, m_nicIn = 0, m_leafUp = 0, m_leafDown = 0;
};

} // namespace headroom::twin
