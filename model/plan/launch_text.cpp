#include "model/figure_text.h"
#include "model/plan/launch.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace headroom {

namespace {

// POSIX: everything but plain characters goes into single quotes.
std::string quoted(const std::string& text)
{
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0
            || std::string_view("-_./:=,@%+$(){}\"").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain && text.find('{') == std::string::npos && text.find('(') == std::string::npos
        && text.find('"') == std::string::npos)
        return text;
    if (text.rfind('$', 0) == 0 || text.rfind("\"$", 0) == 0)
        return text; // a shell variable, on purpose
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

// "{rank*8}" of rank 1 is 8.
std::string withNode(std::string value, const std::string& rank, const std::string& head)
{
    if (const std::size_t at = value.find("{rank*"); at != std::string::npos) {
        const std::size_t end = value.find('}', at);
        const std::string factor = value.substr(at + 6, end - at - 6);
        const bool number
            = std::all_of(rank.begin(), rank.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        const std::string product = number ? std::to_string(std::stoi(rank) * std::stoi(factor))
                                           : fmt::format("$(({} * {}))", rank, factor);
        value.replace(at, end - at + 1, product);
    }
    return replaced(replaced(std::move(value), "{rank}", rank), "{head}", head);
}

std::vector<LaunchFlag> flagsOf(const LaunchCommand& command, bool worker, const std::string& rank,
                                const std::string& head)
{
    std::vector<LaunchFlag> out = command.flags;
    for (const auto* more : {&command.nodeFlags, &command.workerFlags})
        if (command.nodes > 1 && (more == &command.nodeFlags || worker))
            for (const auto& [flag, value] : *more)
                out.emplace_back(flag, withNode(value, rank, head));
    return out;
}

std::string line(const LaunchCommand& command, const std::vector<LaunchFlag>& flags,
                 const std::string& indent)
{
    std::string out;
    for (const std::string& word : command.program)
        out += (out.empty() ? "" : " ") + quoted(word);
    for (const auto& [flag, value] : flags)
        out += fmt::format(" \\\n{}  {}{}", indent, flag, value.empty() ? "" : " " + quoted(value));
    return out;
}

// "{5600+slot*2}" in place 3 is 5606.
std::string environmentText(const LaunchCommand& command, int slot)
{
    std::string out;
    for (const auto& [name, value] : command.environment) {
        int base = 0;
        int factor = 0;
        const bool counted = std::sscanf(value.c_str(), "{%d+slot*%d}", &base, &factor) == 2;
        out += name + '=' + (counted ? std::to_string(base + slot * factor) : value) + ' ';
    }
    return out;
}

std::string withPort(std::string text, int port, int base)
{
    return replaced(std::move(text), fmt::format("port {}", base), fmt::format("port {}", port));
}

std::string header(const LaunchCommand& command, const Resolved& r)
{
    const Layout& l = r.deployment.layout;
    std::string out
        = fmt::format("# {}{} on {} x {}: {} of TP {} x PP {} x DP {}, EP {}; {} at once in each\n",
                      command.role.empty() ? "" : command.role + " of ", r.deployment.llm->name, l.gpus(),
                      r.deployment.gpu->name, counted(l.replicas, "replica", "replicas"), l.tp, l.pp, l.dp,
                      l.ep, counted(std::floor(r.load.batch), "sequence", "sequences"));
    for (const std::string& note : command.notes)
        out += "# " + note + '\n';
    return out;
}

std::string configText(const LaunchCommand& command)
{
    return command.configFile.empty()
        ? ""
        : fmt::format("cat > {} <<'EOF'\n{}EOF\n", configName(command), command.configFile);
}

std::string shellText(const LaunchCommand& command, const Resolved& r)
{
    std::string out = header(command, r) + configText(command);
    const int replicas = r.deployment.layout.replicas;
    const int perNode = std::max(1, r.deployment.node->gpusPerNode);
    const bool trt = command.program.front() == "trtllm-serve";
    for (int replica = 0; replica < replicas; ++replica) {
        if (command.nodes > 1 && trt) {
            out += fmt::format("# replica {}\nmpirun -n {} --hostfile hosts{} trtllm-llmapi-launch ", replica,
                               command.nodes * command.gpusPerNode, replica)
                + line(command, command.flags, "") + '\n';
            continue;
        }
        if (command.nodes > 1) {
            for (int node = 0; node < command.nodes; ++node)
                out += fmt::format("# replica {}, node {}\n", replica, node) + environmentText(command, 0)
                    + line(command, flagsOf(command, node > 0, std::to_string(node), "$HEAD_ADDRESS"), "")
                    + '\n';
            continue;
        }
        const int inOne = std::max(1, perNode / command.gpusPerNode);
        const int slot = replica % inOne;
        std::string devices;
        for (int gpu = 0; gpu < command.gpusPerNode; ++gpu)
            devices += (gpu > 0 ? "," : "") + std::to_string(slot * command.gpusPerNode + gpu);
        if (replicas > 1)
            out += fmt::format("# replica {}, node {}\n", replica, replica / inOne);
        const char* const variable
            = r.deployment.gpu->vendor == "AMD" ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
        if (perNode > command.gpusPerNode)
            out += fmt::format("{}={} ", variable, devices);
        out += environmentText(command, slot);
        out += withPort(line(command, command.flags, ""), command.port + slot, command.port);
        out += inOne > 1 && replicas > 1 ? " &\n" : "\n";
    }
    return out;
}

std::string slurmText(const LaunchCommand& command, const Resolved& r)
{
    const int replicas = r.deployment.layout.replicas;
    const bool trt = command.program.front() == "trtllm-serve";
    std::string out = "#!/bin/bash\n";
    out += fmt::format(
        "#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n#SBATCH --gres=gpu:{}\n",
        r.deployment.llm->id + (command.role.empty() ? "" : "-" + command.role), command.nodes,
        trt ? command.gpusPerNode : 1, command.gpusPerNode);
    if (replicas > 1)
        out += fmt::format("#SBATCH --array=0-{} # one job for each replica\n", replicas - 1);
    out += '\n' + header(command, r) + configText(command);
    const std::string variables = environmentText(command, 0);
    const std::string exported = variables.empty() ? "" : "export " + variables + '\n';
    if (trt)
        return out + "srun --mpi=pmix trtllm-llmapi-launch " + line(command, command.flags, "") + '\n';
    if (command.nodes == 1)
        return out + exported + "srun " + line(command, command.flags, "") + '\n';
    out += exported + "HEAD=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\nexport HEAD\n";
    if (command.workerFlags.empty())
        return out + "srun bash -c '" + line(command, flagsOf(command, false, "$SLURM_NODEID", "$HEAD"), "")
            + "'\n";
    return out + "srun bash -c '\nif [ \"$SLURM_NODEID\" = 0 ]; then\n  "
        + line(command, flagsOf(command, false, "$SLURM_NODEID", "$HEAD"), "  ") + "\nelse\n  "
        + line(command, flagsOf(command, true, "$SLURM_NODEID", "$HEAD"), "  ") + "\nfi'\n";
}

std::string image(const LaunchCommand& command)
{
    const std::string& program = command.program.front();
    if (program == "vllm")
        return "vllm/vllm-openai:latest";
    if (program == "python3")
        return "lmsysorg/sglang:latest";
    if (program == "lmdeploy")
        return "openmmlab/lmdeploy:latest";
    return "IMAGE # of " + program;
}

std::string container(const LaunchCommand& command, const Resolved& r, const std::string& name, bool worker,
                      const std::string& indent)
{
    const std::string& vendor = r.deployment.gpu->vendor;
    const std::string resource = vendor == "AMD" ? "amd.com/gpu"
        : vendor == "Intel"                      ? "habana.ai/gaudi"
                                                 : "nvidia.com/gpu";
    std::string out
        = fmt::format("{0}- name: {1}\n{0}  image: {2}\n{0}  command: [bash, -c]\n{0}  args:\n{0}    - |\n",
                      indent, name, image(command));
    std::string script;
    if (!command.configFile.empty())
        script = configText(command);
    script += environmentText(command, 0)
        + line(command, flagsOf(command, worker, "$LWS_WORKER_INDEX", "$LWS_LEADER_ADDRESS"), "") + '\n';
    for (std::size_t at = 0; at < script.size();) {
        const std::size_t end = script.find('\n', at);
        out += indent + "      " + script.substr(at, end - at) + '\n';
        at = end + 1;
    }
    out += fmt::format("{0}  ports:\n{0}    - containerPort: {1}\n{0}  resources:\n{0}    limits:\n{0}      "
                       "{2}: {3}\n{0}  volumeMounts:\n"
                       "{0}    - {{name: shm, mountPath: /dev/shm}}\n",
                       indent, command.port, resource, command.gpusPerNode);
    return out;
}

std::string kubernetesText(const LaunchCommand& command, const Resolved& r)
{
    // Names of objects are lower-case letters, figures and hyphens.
    std::string app = r.deployment.llm->id;
    std::replace_if(
        app.begin(), app.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
    if (!command.role.empty())
        app += '-' + command.role;
    const int replicas = r.deployment.layout.replicas;
    const std::string shm = "volumes:\n{0}  - name: shm\n{0}    emptyDir: {{medium: Memory}}\n";
    std::string out = header(command, r);
    if (command.nodes == 1) {
        out += fmt::format(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {0}\nspec:\n  replicas: {1}\n  "
            "selector:\n    matchLabels: {{app: {0}}}\n"
            "  template:\n    metadata:\n      labels: {{app: {0}}}\n    spec:\n      containers:\n",
            app, replicas);
        out += container(command, r, "engine", false, "        ");
        out += "      " + fmt::format(fmt::runtime(shm), "      ");
    } else {
        // A group of pods for each replica: LeaderWorkerSet (kubernetes-sigs/lws).
        out += fmt::format(
            "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata:\n  name: {}\nspec:\n  "
            "replicas: {}\n"
            "  leaderWorkerTemplate:\n    size: {}\n    restartPolicy: RecreateGroupOnPodRestart\n",
            app, replicas, command.nodes);
        out += fmt::format("    leaderTemplate:\n      metadata:\n        labels: {{app: {}}}\n      spec:\n "
                           "       containers:\n",
                           app);
        out += container(command, r, "leader", false, "          ");
        out += "        " + fmt::format(fmt::runtime(shm), "        ");
        out += "    workerTemplate:\n      spec:\n        containers:\n";
        out += container(command, r, "worker", true, "          ");
        out += "        " + fmt::format(fmt::runtime(shm), "        ");
    }
    out += fmt::format("---\napiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\nspec:\n  selector: "
                       "{{app: {0}}}\n  ports:\n    - port: {1}\n",
                       app, command.port);
    return out;
}

} // namespace

LaunchRouter launchRouter(const LaunchCommand& prompts, int promptReplicas, const LaunchCommand& decodes,
                          int decodeReplicas)
{
    // Addresses are the reader's to fill in: $PREFILL_0, $PREFILL_1, … and $DECODE_0, …
    const auto hosts = [](const char* pool, int replicas, std::string_view before, std::string_view after) {
        std::vector<std::string> out;
        for (int i = 0; i < replicas; ++i)
            out.push_back(fmt::format("{}${}_{}{}", before, pool, i, after));
        return out;
    };
    const auto ports = [](int replicas, int port) {
        return std::vector<std::string>(static_cast<std::size_t>(replicas), std::to_string(port));
    };
    LaunchRouter router;
    const auto several = [&router](const std::string& flag, const std::vector<std::string>& values) {
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
        router.flags = {{"--port", "8000"}};
        several("--prefiller-hosts", hosts("PREFILL", promptReplicas, "", ""));
        several("--prefiller-ports", ports(promptReplicas, prompts.port));
        several("--decoder-hosts", hosts("DECODE", decodeReplicas, "", ""));
        several("--decoder-ports", ports(decodeReplicas, decodes.port));
    } else if (engine == "trtllm-serve") {
        router.program = {"trtllm-serve", "disaggregated"};
        router.flags = {{"-c", "pools.yml"}};
        const auto urls = [](const std::vector<std::string>& all) {
            std::string out;
            for (const std::string& one : all)
                out += "    - \"" + one + "\"\n";
            return out;
        };
        router.configFile = fmt::format(
            "hostname: 0.0.0.0\nport: 8000\nbackend: pytorch\ncontext_servers:\n  num_instances: {}\n"
            "  urls:\n{}generation_servers:\n  num_instances: {}\n  urls:\n{}",
            promptReplicas, urls(hosts("PREFILL", promptReplicas, "", at)), decodeReplicas,
            urls(hosts("DECODE", decodeReplicas, "", to)));
    } else {
        router.program = {"python3", "-m", "sglang_router.launch_router"};
        router.flags = {{"--pd-disaggregation", ""}};
        for (const std::string& url : hosts("PREFILL", promptReplicas, "http://", at))
            router.flags.emplace_back("--prefill", url);
        for (const std::string& url : hosts("DECODE", decodeReplicas, "http://", to))
            router.flags.emplace_back("--decode", url);
        router.flags.emplace_back("--host", "0.0.0.0");
        router.flags.emplace_back("--port", "8000");
    }
    return router;
}

std::string routerText(const LaunchRouter& router)
{
    std::string out = "# the router in front of both pools\n";
    for (const std::string& note : router.notes)
        out += "# " + note + '\n';
    if (!router.configFile.empty())
        out += "cat > pools.yml <<EOF\n" + router.configFile + "EOF\n"; // the shell fills in the addresses
    for (const std::string& word : router.program)
        out += (&word == &router.program.front() ? "" : " ") + word;
    for (const auto& [flag, value] : router.flags)
        out += (flag.empty() ? "" : " \\\n  " + flag) + (value.empty() ? "" : " " + value);
    return out + '\n';
}

std::string launchText(const LaunchCommand& command, const Resolved& resolved, LaunchTarget target)
{
    switch (target) {
    case LaunchTarget::Kubernetes:
        return kubernetesText(command, resolved);
    case LaunchTarget::Slurm:
        return slurmText(command, resolved);
    case LaunchTarget::Shell:
        break;
    }
    return shellText(command, resolved);
}

} // namespace headroom
