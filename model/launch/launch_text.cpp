#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/launch/launch.h"
#include "model/launch/quote.h"
#include "model/memory/loading_time.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

std::vector<LaunchSetting> flagsOf(const LaunchCommand& command, bool worker)
{
    std::vector<LaunchSetting> out;
    for (const auto& [flag, value] : command.flags)
        out.emplace_back(flag, value.empty() ? LaunchWord{} : LaunchWord{value});
    for (const auto* more : {&command.nodeFlags, &command.workerFlags})
        if (command.nodes > 1 && (more == &command.nodeFlags || worker))
            out.insert(out.end(), more->begin(), more->end());
    return out;
}

// The engine's own start line; `worker`: of a node beside the head.
std::string line(const LaunchCommand& command, bool worker, const LaunchPlace& place)
{
    std::string out;
    for (const std::string& word : command.program)
        out += (out.empty() ? "" : " ") + shellQuoted(word);
    for (const auto& [flag, value] : flagsOf(command, worker)) {
        const bool port = (flag == "--port" || flag == "--server-port") && place.slot > 0;
        const LaunchWord own{std::to_string(command.port + place.slot)};
        out += fmt::format(" \\\n  {}{}{}", flag, value.empty() ? "" : " ",
                           shellWord(port ? own : value, place));
    }
    return out;
}

std::string environmentText(const LaunchCommand& command, const LaunchPlace& place)
{
    std::string out;
    for (const auto& [name, value] : command.environment)
        out += name + '=' + shellWord(value, place) + ' ';
    return out;
}

std::string commentLine(const Message& message, const CommentTeller& tell)
{
    return "# " + commentText(tell(message)) + '\n';
}

std::string header(const LaunchCommand& command, const Resolved& r, const CommentTeller& tell)
{
    const Layout& l = r.deployment.layout;
    const std::string& llm = r.deployment.llm->name;
    const Message what = command.role.empty() ? asIs(llm)
        : command.role == "prefill"           ? say("prefill of {}", llm)
                                              : say("decode of {}", llm);
    std::string out = commentLine(say("{} on {} x {}: {} of TP {} x PP {} x DP {}, EP {}; {} at once in each",
                                      what, l.gpus(), r.deployment.gpu->name,
                                      counted(l.replicas, "{} replica", "{} replicas"), l.tp, l.pp, l.dp,
                                      l.ep, counted(std::floor(r.load.batch), "{} sequence", "{} sequences")),
                                  tell);
    for (const Message& note : command.notes)
        out += commentLine(note, tell);
    if (const std::optional<LoadingTime> loading = loadingTime(r.deployment))
        out += commentLine(
            say("weights of a replica load in {:.3g} s from storage at {:.3g} GB/s, in {:.3g} s from "
                "the box's own memory; the engine's own start comes on top",
                loading->fromStorage.base(), r.deployment.node->storageRead.base() / 1e9,
                loading->fromHostMemory.base()),
            tell);
    return out;
}

std::string configText(const LaunchCommand& command)
{
    return command.configFile.empty() ? "" : shellFile(configName(command), command.configFile);
}

std::string shellText(const LaunchCommand& command, const Resolved& r, const CommentTeller& tell)
{
    std::string out = header(command, r, tell) + configText(command);
    const int replicas = r.deployment.layout.replicas;
    const int perNode = std::max(1, r.deployment.node->gpusPerNode);
    const bool trt = command.program.front() == "trtllm-serve";
    for (int replica = 0; replica < replicas; ++replica) {
        if (command.nodes > 1 && trt) {
            out += commentLine(say("replica {}", replica), tell)
                + fmt::format("mpirun -n {} --hostfile hosts{} trtllm-llmapi-launch ",
                              command.nodes * command.gpusPerNode, replica)
                + line(command, false, {}) + '\n';
            continue;
        }
        if (command.nodes > 1) {
            for (int node = 0; node < command.nodes; ++node) {
                const LaunchPlace place{.rank = std::to_string(node), .head = "$HEAD_ADDRESS"};
                out += commentLine(say("replica {}, node {}", replica, node), tell)
                    + environmentText(command, place) + line(command, node > 0, place) + '\n';
            }
            continue;
        }
        const int inOne = std::max(1, perNode / command.gpusPerNode);
        const int slot = replica % inOne;
        std::string devices;
        for (int gpu = 0; gpu < command.gpusPerNode; ++gpu)
            devices += (gpu > 0 ? "," : "") + std::to_string(slot * command.gpusPerNode + gpu);
        if (replicas > 1)
            out += commentLine(say("replica {}, node {}", replica, replica / inOne), tell);
        const std::string_view variable = platformRow(r.deployment.gpu->platform)->visibleDevices;
        if (perNode > command.gpusPerNode)
            out += variable.empty() ? commentLine(say("on accelerators {} of its box", devices), tell)
                                    : fmt::format("{}={} ", variable, devices);
        out += environmentText(command, {.slot = slot}) + line(command, false, {.slot = slot});
        out += inOne > 1 && replicas > 1 ? " &\n" : "\n";
    }
    return out;
}

std::string slurmText(const LaunchCommand& command, const Resolved& r, const CommentTeller& tell)
{
    const int replicas = r.deployment.layout.replicas;
    const bool trt = command.program.front() == "trtllm-serve";
    std::string out = "#!/bin/bash\n";
    out += fmt::format(
        "#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n#SBATCH --gres=gpu:{}\n",
        kubernetesName(r.deployment.llm->id) + (command.role.empty() ? "" : "-" + command.role),
        command.nodes, trt ? command.gpusPerNode : 1, command.gpusPerNode);
    if (replicas > 1)
        out += fmt::format("#SBATCH --array=0-{} ", replicas - 1)
            + commentLine("one job for each replica", tell);
    out += '\n' + header(command, r, tell) + configText(command);
    const LaunchPlace place{.rank = "$SLURM_NODEID", .head = "$HEAD"};
    const std::string variables = environmentText(command, place);
    const std::string exported = variables.empty() ? "" : "export " + variables + '\n';
    if (trt)
        return out + "srun --mpi=pmix trtllm-llmapi-launch " + line(command, false, place) + '\n';
    if (command.nodes == 1)
        return out + exported + "srun " + line(command, false, place) + '\n';
    out += "HEAD=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\nexport HEAD\n";
    // What every node runs, taken as it stands here: no quotes within quotes.
    std::string each = exported; // each node has an address of its own
    if (command.workerFlags.empty())
        each += line(command, false, place) + '\n';
    else
        each += "if [ \"$SLURM_NODEID\" = 0 ]; then\n" + line(command, false, place) + "\nelse\n"
            + line(command, true, place) + "\nfi\n";
    return out + "IFS= read -r -d '' NODE " + hereDocument(each) + "srun bash -c \"$NODE\"\n";
}

// The images that engines publish for CUDA hold nothing for other platforms.
std::string image(const LaunchCommand& command, Platform platform, const CommentTeller& tell)
{
    const std::string& program = command.program.front();
    if (platform == Platform::Rocm && program == "vllm")
        return "rocm/vllm:latest";
    if (platform != Platform::Cuda)
        return "IMAGE # " + tell(say("of {} for {}", program, asIs(platformName(platform))));
    if (program == "vllm")
        return "vllm/vllm-openai:latest";
    if (program == "python3")
        return "lmsysorg/sglang:latest";
    if (program == "lmdeploy")
        return "openmmlab/lmdeploy:latest";
    return "IMAGE # " + tell(say("of {}", program));
}

std::string container(const LaunchCommand& command, const Resolved& r, const std::string& name, bool worker,
                      const std::string& indent, const CommentTeller& tell)
{
    const Platform platform = r.deployment.gpu->platform;
    const std::string_view known = platformRow(platform)->kubernetes;
    const std::string_view resource = known.empty() ? "RESOURCE" : known;
    const LaunchPlace place{.rank = "$LWS_WORKER_INDEX", .head = "$LWS_LEADER_ADDRESS"};
    const std::string script
        = configText(command) + environmentText(command, place) + line(command, worker, place) + '\n';
    return fmt::format("{0}- name: {1}\n{0}  image: {2}\n{0}  command: [bash, -c]\n{0}  args:\n{0}    - {3}"
                       "{0}  ports:\n{0}    - containerPort: {4}\n{0}  resources:\n{0}    limits:\n{0}      "
                       "{5}: {6}\n{0}  volumeMounts:\n"
                       "{0}    - {{name: shm, mountPath: /dev/shm}}\n",
                       indent, name, image(command, platform, tell),
                       yamlBlock(kubernetesArgument(script), indent + "      "), command.port, resource,
                       command.gpusPerNode);
}

std::string kubernetesText(const LaunchCommand& command, const Resolved& r, const CommentTeller& tell)
{
    // A name and the pool's together stay within a label's length.
    constexpr std::size_t longestId = 48;
    const std::string app = yamlQuoted(kubernetesName(r.deployment.llm->id.substr(0, longestId)
                                                      + (command.role.empty() ? "" : "-" + command.role)));
    const int replicas = r.deployment.layout.replicas;
    const std::string shm = "volumes:\n{0}  - name: shm\n{0}    emptyDir: {{medium: Memory}}\n";
    std::string out = header(command, r, tell);
    if (command.nodes == 1) {
        out += fmt::format(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {0}\nspec:\n  replicas: {1}\n  "
            "selector:\n    matchLabels: {{app: {0}}}\n"
            "  template:\n    metadata:\n      labels: {{app: {0}}}\n    spec:\n      containers:\n",
            app, replicas);
        out += container(command, r, "engine", false, "        ", tell);
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
        out += container(command, r, "leader", false, "          ", tell);
        out += "        " + fmt::format(fmt::runtime(shm), "        ");
        out += "    workerTemplate:\n      spec:\n        containers:\n";
        out += container(command, r, "worker", true, "          ", tell);
        out += "        " + fmt::format(fmt::runtime(shm), "        ");
    }
    out += fmt::format("---\napiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\nspec:\n  selector: "
                       "{{app: {0}}}\n  ports:\n    - port: {1}\n",
                       app, command.port);
    return out;
}

} // namespace

std::string launchText(const LaunchCommand& command, const Resolved& resolved, LaunchTarget target,
                       const CommentTeller& tell)
{
    switch (target) {
    case LaunchTarget::Kubernetes:
        return kubernetesText(command, resolved, tell);
    case LaunchTarget::Slurm:
        return slurmText(command, resolved, tell);
    case LaunchTarget::Shell:
        break;
    }
    return shellText(command, resolved, tell);
}

} // namespace headroom
