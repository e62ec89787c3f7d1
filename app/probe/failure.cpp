#include "app/probe/failure.h"

#include <array>

namespace headroom::probe {

namespace {

constexpr std::array<std::string_view, std::size_t(FailureKind::ClientMemory) + 1> names{
    "none",          "no-address",     "not-connected",   "slow-connect", "tls",
    "proxy",         "no-answer",      "no-http",         "slow-headers", "huge-headers",
    "status",        "redirect",       "no-event-stream", "compressed",   "malformed",
    "reset",         "silence",        "slow-body",       "only-pings",   "request-deadline",
    "long-line",     "not-utf-8",      "bad-event",       "server-error", "half-stream",
    "no-text",       "too-short",      "too-long",        "wrong-usage",  "usage-too-high",
    "usage-too-low", "level-deadline", "client-files",    "client-ports", "client-memory"};
static_assert(!names.back().empty());

} // namespace

std::string_view failureName(FailureKind kind) { return names[static_cast<std::size_t>(kind)]; }

bool isClients(FailureKind kind) { return kind >= FailureKind::ClientFiles; }

std::string Failure::name() const
{
    std::string text(failureName(kind));
    if (kind == FailureKind::Status || kind == FailureKind::Redirect)
        text += '-' + std::to_string(status);
    return text;
}

Message Failure::sentence() const { return detail.empty() ? asIs(name()) : say("{}: {}", name(), detail); }

} // namespace headroom::probe
