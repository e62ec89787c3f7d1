#include "model/yaml/node_yaml.h"

#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <array>

namespace headroom {

namespace {

constexpr std::array topologies{
    Choice<LinkTopology>{"switch", LinkTopology::Switch},   Choice<LinkTopology>{"mesh", LinkTopology::Mesh},
    Choice<LinkTopology>{"pairs", LinkTopology::Pairs},     Choice<LinkTopology>{"pcie", LinkTopology::Pcie},
    Choice<LinkTopology>{"network", LinkTopology::Network}, Choice<LinkTopology>{"none", LinkTopology::None},
};

Link readLink(MapReader in, std::string_view group, SourceReader& sources)
{
    Link link;
    link.name = in.text("name");
    link.topology
        = in.choice(std::string_view("topology"), std::span<const Choice<LinkTopology>>(topologies));
    const bool none = link.topology == LinkTopology::None;
    if (!none) {
        link.perGpuPerDirection
            = in.quantity<Dim{.byte = 1, .second = -1}>("per_gpu_per_direction", positive);
        link.latency = in.quantity<Dim{.second = 1}>("latency", positive);
    }
    link.inNetworkReduction = in.maybeFlag("in_network_reduction").value_or(false);
    sources.cite(in, std::string(group));
    in.finish();
    return link;
}

void writeLink(MapWriter& out, std::string_view group, const Link& link, const SourceWriter& sources)
{
    out.map(group, [&](MapWriter& in) {
        in.text("name", link.name);
        in.text("topology", name(link.topology));
        if (link.topology != LinkTopology::None) {
            in.quantity("per_gpu_per_direction", link.perGpuPerDirection);
            in.quantity("latency", link.latency);
        }
        if (link.inNetworkReduction)
            in.flag("in_network_reduction", true);
        sources.cite(in, group);
    });
}

void readPrices(MapReader& in, Node& node, SourceReader& sources)
{
    std::optional<MapReader> price = in.maybeMap("price");
    if (!price)
        return;
    node.serverPrice = price->maybeQuantity<Dim{.dollar = 1}>("server");
    node.networkPrice = price->maybeQuantity<Dim{.dollar = 1}>("network");
    node.priceAsOf = price->maybeText("as_of").value_or("");
    if (!node.serverPrice && !node.networkPrice)
        price->report("", "names no price", "give 'server' or 'network', or leave the group out");
    sources.cite(*price, "price");
    price->finish();
}

void writePrices(MapWriter& out, const Node& node, const SourceWriter& sources)
{
    if (!node.serverPrice && !node.networkPrice)
        return;
    out.map("price", [&](MapWriter& price) {
        if (node.serverPrice)
            price.quantity("server", *node.serverPrice);
        if (node.networkPrice)
            price.quantity("network", *node.networkPrice);
        if (!node.priceAsOf.empty())
            price.text("as_of", node.priceAsOf);
        sources.cite(price, "price");
    });
}

void checkNode(const Node& node, MapReader& in)
{
    if (node.gpusPerNode > 1 && node.intra.topology == LinkTopology::None)
        in.report("intra", "several GPUs need a link between them");
    if (node.gpusPerNode == 1 && node.intra.topology != LinkTopology::None)
        in.report("intra", "a single GPU has no link inside its node", "write 'topology: none'");
    if (node.intra.topology == LinkTopology::Network)
        in.report("intra", "'network' joins nodes, not the GPUs of one");
    if (node.inter.topology != LinkTopology::Network && node.inter.topology != LinkTopology::None)
        in.report("inter", "between nodes the topology is 'network' or 'none'");
    if (node.gpus.empty())
        in.report("gpus", "no accelerator is named");
}

} // namespace

std::string_view name(LinkTopology topology) { return topologies[static_cast<std::size_t>(topology)].name; }

Result<Node> readNode(const std::string& text, const std::string& file)
{
    return readYaml(text, file, [](MapReader& in) {
        Node node;
        node.id = in.identifier("id");
        node.name = in.name("name");
        node.aliases = in.maybeTexts("aliases");
        node.gpus = in.texts("gpus");
        node.gpusPerNode = in.count("gpus_per_node", 1, 10000);
        node.notes = in.maybeText("notes").value_or("");
        SourceReader sources(in);
        node.intra = readLink(in.map("intra"), "intra", sources);
        node.inter = readLink(in.map("inter"), "inter", sources);
        node.host = readLink(in.map("host"), "host", sources);
        MapReader box = in.map("box");
        node.storageRead = box.quantity<Dim{.byte = 1, .second = -1}>("storage_read", positive);
        node.hostPower = box.quantity<Dim{.second = -1, .joule = 1}>("host_power");
        sources.cite(box, "box");
        box.finish();
        readPrices(in, node, sources);
        checkNode(node, in);
        node.citations = sources.finish();
        return node;
    });
}

std::string writeNode(const Node& node)
{
    const SourceWriter sources(node.citations);
    MapWriter out;
    out.text("id", node.id);
    out.text("name", node.name);
    if (!node.aliases.empty())
        out.texts("aliases", node.aliases);
    out.texts("gpus", node.gpus);
    out.whole("gpus_per_node", node.gpusPerNode);
    if (!node.notes.empty())
        out.text("notes", node.notes);
    writeLink(out, "intra", node.intra, sources);
    writeLink(out, "inter", node.inter, sources);
    writeLink(out, "host", node.host, sources);
    out.map("box", [&](MapWriter& box) {
        box.quantity("storage_read", node.storageRead);
        box.quantity("host_power", node.hostPower);
        sources.cite(box, "box");
    });
    writePrices(out, node, sources);
    sources.finish(out);
    return out.yaml();
}

} // namespace headroom
