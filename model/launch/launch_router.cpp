#include "model/launch/launch.h"
#include "model/launch/quote.h"

#include <fmt/format.h>

namespace headroom {

LaunchRouter launchRouter(const LaunchCommand& prompts, int promptReplicas, const LaunchCommand& decodes,
                          int decodeReplicas)
{
    // Addresses are the reader's to fill in: $PREFILL_0, $PREFILL_1, … and $DECODE_0, …
    const auto hosts = [](const char* pool, int replicas, const std::string& before,
                          const std::string& after) {
        std::vector<LaunchWord> out;
        for (int i = 0; i < replicas; ++i)
            out.push_back(
                {before,
                 LaunchVariable{.kind = LaunchVariable::Kind::Host, .name = fmt::format("{}_{}", pool, i)},
                 after});
        return out;
    };
    const auto ports = [](int replicas, int port) {
        return std::vector<LaunchWord>(static_cast<std::size_t>(replicas), LaunchWord{std::to_string(port)});
    };
    LaunchRouter router;
    const auto several = [&router](const std::string& flag, const std::vector<LaunchWord>& values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            router.flags.emplace_back(i == 0 ? flag : "", values[i]);
    };
    const std::string& engine = prompts.program.front();
    const std::string at = fmt::format(":{}", prompts.port);
    const std::string to = fmt::format(":{}", decodes.port);
    router.notes = {
        "replicas that share a box count their ports upwards; pools that share one take other devices each"};
    if (engine == "vllm") {
        // The example proxy of vLLM's own tree.
        router.program = {"python3", "tests/v1/kv_connector/nixl_integration/toy_proxy_server.py"};
        router.flags = {{"--port", {"8000"}}};
        several("--prefiller-hosts", hosts("PREFILL", promptReplicas, "", ""));
        several("--prefiller-ports", ports(promptReplicas, prompts.port));
        several("--decoder-hosts", hosts("DECODE", decodeReplicas, "", ""));
        several("--decoder-ports", ports(decodeReplicas, decodes.port));
    } else if (engine == "trtllm-serve") {
        router.program = {"trtllm-serve", "disaggregated"};
        router.flags = {{"-c", {"pools.yml"}}};
        const auto urls = [](const std::vector<LaunchWord>& all) {
            std::string out;
            for (const LaunchWord& one : all)
                out += "    - \"" + shellWord(one, {}) + "\"\n";
            return out;
        };
        router.configFile = fmt::format(
            "hostname: 0.0.0.0\nport: 8000\nbackend: pytorch\ncontext_servers:\n  num_instances: {}\n"
            "  urls:\n{}generation_servers:\n  num_instances: {}\n  urls:\n{}",
            promptReplicas, urls(hosts("PREFILL", promptReplicas, "", at)), decodeReplicas,
            urls(hosts("DECODE", decodeReplicas, "", to)));
    } else {
        router.program = {"python3", "-m", "sglang_router.launch_router"};
        router.flags = {{"--pd-disaggregation", {}}};
        for (const LaunchWord& url : hosts("PREFILL", promptReplicas, "http://", at))
            router.flags.emplace_back("--prefill", url);
        for (const LaunchWord& url : hosts("DECODE", decodeReplicas, "http://", to))
            router.flags.emplace_back("--decode", url);
        router.flags.emplace_back("--host", LaunchWord{"0.0.0.0"});
        router.flags.emplace_back("--port", LaunchWord{"8000"});
    }
    return router;
}

std::string routerText(const LaunchRouter& router, const CommentTeller& tell)
{
    std::string out = "# " + tell("the router in front of both pools") + '\n';
    for (const Message& note : router.notes)
        out += "# " + commentText(tell(note)) + '\n';
    if (!router.configFile.empty())
        out += "cat > pools.yml <<EOF\n" + router.configFile + "EOF\n"; // the shell fills in the addresses
    for (const std::string& word : router.program)
        out += (&word == &router.program.front() ? "" : " ") + shellQuoted(word);
    for (const auto& [flag, value] : router.flags)
        out += (flag.empty() ? "" : " \\\n  " + flag) + (value.empty() ? "" : " " + shellWord(value, {}));
    return out + '\n';
}

} // namespace headroom
