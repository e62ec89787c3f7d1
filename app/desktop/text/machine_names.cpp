// Names of usual boxes that describe them; those of products stay as they are.
#include "app/desktop/text/model_sentences.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {
constexpr const char* names[]{
    QT_TRANSLATE_NOOP("Model", "%1 server, %2 OAM"),
    QT_TRANSLATE_NOOP("Model", "%1 platform, %2 OAM"),
    QT_TRANSLATE_NOOP("Model", "%1 server, %2 cards in a bridged ring"),
    QT_TRANSLATE_NOOP("Model", "PCIe %1 server, pairs joined by NVLink %2 bridge of %3 GB/s"),
    QT_TRANSLATE_NOOP("Model", "PCIe %1 server, pairs joined by NVLink %2 bridge (cut) of %3 GB/s"),
    QT_TRANSLATE_NOOP("Model", "PCIe %1 server, four %2 joined by a bridge"),
    QT_TRANSLATE_NOOP("Model", "PCIe %1 server with %2 GeForce cards"),
    QT_TRANSLATE_NOOP("Model", "PCIe %1 server with %2 cards"),
    QT_TRANSLATE_NOOP("Model", "Workstation with GeForce cards on PCIe %1"),
    QT_TRANSLATE_NOOP("Model", "Workstation with bridged pairs on PCIe %1"),
    QT_TRANSLATE_NOOP("Model", "Workstation with up to %1 cards on PCIe %2"),
    QT_TRANSLATE_NOOP("Model", "Workstation with one card"),
    QT_TRANSLATE_NOOP("Model", "Single machine with unified memory"),
    QT_TRANSLATE_NOOP("Model", "One processor socket"),
    QT_TRANSLATE_NOOP("Model", "%1 single superchip server"),
    QT_TRANSLATE_NOOP("Model", "DGX Spark, one or two units"),
    QT_TRANSLATE_NOOP("Model", "GroqNode, %1 cards"),
    QT_TRANSLATE_NOOP("Model", "HGX %1 with one %2 GbE port"),
    QT_TRANSLATE_NOOP("Model", "HGX %1 with %2x RoCE %3"),
    QT_TRANSLATE_NOOP("Model", "TPU %1 host with %2 chips"),
};
} // namespace

std::span<const char* const> machineNames() { return names; }

} // namespace headroom::app
