// Start lines as their languages read them: each is run with programs that only write down what they were
// given, and that is held against the words that were meant.

#include "model/launch/launch.h"
#include "model/launch/quote.h"
#include "model/yaml/tree.h"
#include "tests/model/shipped_catalogue.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace headroom::tests {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string content(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Programs in a folder of their own that goes first in PATH. Each call of an engine leaves a file of its
// words, one NUL after each.
class Stubs {
public:
    Stubs()
    {
        std::string name = (fs::temp_directory_path() / "headroom-launch-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        m_folder = name;
        fs::create_directories(m_folder / "bin");
        const std::string engine = R"(#!/bin/bash
out=$(mktemp "$STUB_LOG/call-XXXXXXXX")
printf '%s\0' "${0##*/}" "$@" > "$out"
printf '%s\0' "${VLLM_NIXL_SIDE_CHANNEL_HOST-}" "${VLLM_NIXL_SIDE_CHANNEL_PORT-}" > "$out.environment"
cp -f config*.yml "$STUB_LOG" 2>/dev/null || true
)";
        for (const char* program :
             {"vllm", "python3", "trtllm-serve", "lmdeploy", "text-generation-launcher", "llama-server"})
            add(program, engine);
        add("trtllm-llmapi-launch", "#!/bin/bash\nexec \"$@\"\n");
        add("mpirun", "#!/bin/bash\nshift 4\nexec \"$@\"\n"); // -n N --hostfile FILE
        add("srun",
            "#!/bin/bash\n[ \"$1\" = --mpi=pmix ] && shift\n"
            "for ((i = 0; i < STUB_NODES; ++i)); do SLURM_NODEID=$i \"$@\"; done\n");
        add("scontrol", "#!/bin/bash\nprintf 'head.of.all\\nanother\\n'\n");
        add("hostname", "#!/bin/bash\necho 10.0.0.7\n");
    }
    ~Stubs() { fs::remove_all(m_folder); }
    Stubs(const Stubs&) = delete;
    Stubs& operator=(const Stubs&) = delete;

    // What arrived at engines, in any order: replicas start together.
    std::vector<Words> run(const std::string& script, int nodes,
                           const std::map<std::string, std::string>& more)
    {
        fs::remove_all(m_folder / "log");
        fs::create_directories(m_folder / "log");
        fs::remove_all(m_folder / "here");
        fs::create_directories(m_folder / "here");
        std::ofstream(m_folder / "script", std::ios::binary) << script << "\nwait\n";
        std::string command = fmt::format("cd {0}/here && PATH={0}/bin:$PATH STUB_LOG={0}/log STUB_NODES={1} "
                                          "HEAD_ADDRESS=head.of.all SLURM_JOB_NODELIST=both ",
                                          m_folder.string(), nodes);
        for (const auto& [name, value] : more)
            command += name + '=' + value + ' ';
        CHECK(std::system((command + "bash ../script >../said 2>&1").c_str()) == 0);
        std::vector<Words> calls;
        for (const auto& entry : fs::directory_iterator(m_folder / "log")) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("call-") && !name.ends_with(".environment"))
                calls.push_back(wordsIn(content(entry.path())));
        }
        std::sort(calls.begin(), calls.end());
        return calls;
    }
    [[nodiscard]] std::string said() const { return content(m_folder / "said"); }
    [[nodiscard]] std::string config(const std::string& name) const
    {
        return content(m_folder / "log" / name);
    }
    [[nodiscard]] bool touched() const { return fs::exists(m_folder / "here" / "pwned"); }

private:
    static Words wordsIn(const std::string& bytes)
    {
        Words out;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = bytes.find('\0', at);
            out.push_back(bytes.substr(at, end - at));
            at = end + 1;
        }
        return out;
    }
    void add(const std::string& name, const std::string& text) const
    {
        const fs::path file = m_folder / "bin" / name;
        std::ofstream(file, std::ios::binary) << text;
        fs::permissions(file, fs::perms::owner_all);
    }
    fs::path m_folder;
};

// What is meant, worked out by this test: flags with the variables filled in.
Words meant(const LaunchCommand& command, int rank, int slot, const std::string& own)
{
    const auto text = [&](const LaunchWord& word) {
        std::string out;
        for (const auto& piece : word) {
            if (const auto* literal = std::get_if<std::string>(&piece)) {
                out += *literal;
                continue;
            }
            const auto& variable = std::get<LaunchVariable>(piece);
            using Kind = LaunchVariable::Kind;
            out += variable.kind == Kind::NodeRank   ? std::to_string(rank * variable.factor)
                : variable.kind == Kind::HeadAddress ? "head.of.all"
                                                     : own;
        }
        return out;
    };
    Words words = command.program;
    for (const auto& [flag, value] : command.flags) {
        words.push_back(flag);
        if (flag == "--port" || flag == "--server-port")
            words.push_back(std::to_string(command.port + slot));
        else if (!value.empty())
            words.push_back(value);
    }
    if (command.nodes > 1)
        for (const auto* more : {&command.nodeFlags, &command.workerFlags})
            if (more == &command.nodeFlags || rank > 0)
                for (const auto& [flag, value] : *more) {
                    words.push_back(flag);
                    if (!value.empty())
                        words.push_back(text(value));
                }
    return words;
}

// Kubernetes' own rule, of its documentation: $$ is a dollar, $(NAME) a variable where it is known.
std::string expandedByKubelet(const std::string& text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (text[i] == '$' && next == '$') {
            out += '$';
            ++i;
        } else if (text[i] == '$' && next == '(' && text.find(')', i) != std::string::npos) {
            out += "EXPANDED";
            i = text.find(')', i);
        } else {
            out += text[i];
        }
    }
    return out;
}

std::vector<YamlNode> documents(const std::string& text)
{
    std::vector<YamlNode> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find("\n---\n", at), text.size());
        const auto node = parseYaml(text.substr(at, end - at) + '\n', "launch.yaml");
        if (!node)
            FAIL(node.error().front().what.english() << "\n" << text);
        out.push_back(*node);
        at = end + 5;
    }
    return out;
}

// Everything under `key`, anywhere.
void gather(const YamlNode& node, const std::string& key, std::vector<const YamlNode*>& out)
{
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (node.kind == YamlNode::Kind::Map && node.keys[i].name == key)
            out.push_back(&node.items[i]);
        gather(node.items[i], key, out);
    }
}

bool isLabel(const std::string& name) // RFC 1035
{
    const auto low = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto figure = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && name.size() <= 63 && low(name.front()) && name.back() != '-'
        && std::all_of(name.begin(), name.end(), [&](char c) { return low(c) || figure(c) || c == '-'; });
}

const std::array hostile{"$(touch pwned)",
                         "`touch pwned`",
                         "a'b",
                         "a\"b",
                         "a\\b",
                         "a b",
                         "$HOME",
                         "${IFS}x",
                         ";touch pwned;",
                         "&& touch pwned",
                         "| touch pwned",
                         "EOF",
                         "#c",
                         "{rank}",
                         "{head}",
                         "port 8000",
                         "*",
                         "~",
                         "!x",
                         "模型",
                         "%s%n",
                         "a{b,c}",
                         "$$(X)",
                         "$(X)",
                         "'; touch pwned; '",
                         "\"; touch pwned; \"",
                         "a\\'b",
                         "NODE",
                         "x=y",
                         "<(touch pwned)",
                         ">pwned",
                         "meta-llama/Llama-3.1-8B",
                         "on",
                         "true",
                         "1e3",
                         ": x",
                         "- x#",
                         "a: b",
                         "[x]",
                         "&a",
                         "*a",
                         "?",
                         "@x",
                         "\\$(X)"};

struct Hostile {
    Llm llm;
    Llm draft;
    Resolved resolved;
};

template <typename T>
const T& oneOf(const std::vector<T>& all, std::mt19937_64& random)
{
    return all[random() % all.size()];
}

std::string hostileName(std::mt19937_64& random)
{
    std::string out = "m/";
    for (std::size_t i = random() % 3 + 1; i > 0; --i)
        out += hostile[random() % hostile.size()];
    return out;
}

Scenario drawn(std::mt19937_64& random)
{
    Scenario s;
    s.engine = oneOf<std::string>({"vllm", "sglang", "tensorrt-llm", "lmdeploy", "tgi", "llama-cpp"}, random);
    const bool small = random() % 2 == 0 || s.engine == "tgi" || s.engine == "llama-cpp";
    s.model = small ? "llama-3.1-8b" : "llama-3.1-405b";
    s.gpus = {"h100-sxm-80gb"};
    s.tp = small ? oneOf<int>({1, 2, 4}, random) : 8;
    s.pp = small || s.engine == "lmdeploy" ? 1 : oneOf<int>({1, 2, 4}, random);
    if (!small && *s.pp == 1)
        s.weights = DType::Fp8;
    s.replicas = oneOf<int>({1, 2, 3}, random);
    s.batch = 4;
    s.prompt = LengthDistribution::of(1000);
    s.output = LengthDistribution::of(200);
    if (s.engine == "vllm" && small && random() % 2 == 0)
        s.speculation = "draft:llama-3.2-1b:g=4,a=0.7";
    return s;
}

// The deployment of a scenario, of a model whose names somebody chose to do harm.
std::unique_ptr<Hostile> hostileOf(const Scenario& scenario, std::mt19937_64& random)
{
    const auto plain = resolve(scenario, shipped());
    if (!plain)
        return nullptr;
    auto out = std::make_unique<Hostile>();
    out->resolved = *plain;
    out->llm = *plain->deployment.llm;
    out->llm.hfId = hostileName(random);
    out->llm.id = hostileName(random);
    out->llm.name = hostileName(random) + "\ntouch pwned\n";
    out->resolved.deployment.llm = &out->llm;
    if (const Llm* const draft = plain->deployment.speculative.draft) {
        out->draft = *draft;
        out->draft.hfId = hostileName(random);
        out->resolved.deployment.speculative.draft = &out->draft;
    }
    return out;
}

std::vector<Words> expectedOf(const LaunchCommand& command, const Resolved& r, LaunchTarget target)
{
    std::vector<Words> out;
    const int replicas = target == LaunchTarget::Shell ? r.deployment.layout.replicas : 1;
    const bool trt = command.program.front() == "trtllm-serve";
    const int perNode = std::max(1, r.deployment.node->gpusPerNode / command.gpusPerNode);
    for (int replica = 0; replica < replicas; ++replica)
        for (int rank = 0; rank < (trt ? 1 : command.nodes); ++rank)
            out.push_back(meant(command, rank,
                                target == LaunchTarget::Shell && command.nodes == 1 ? replica % perNode : 0,
                                "10.0.0.7"));
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

TEST_CASE("start lines of random and hostile scenarios hand every program the words that were meant")
{
    const int scenarios = test::cases(25, 200);
    std::mt19937_64 random(20);
    Stubs stubs;
    std::map<std::string, int> ran;
    for (int i = 0; i < scenarios;) {
        const Scenario scenario = drawn(random);
        const auto target = oneOf<LaunchTarget>(
            {LaunchTarget::Shell, LaunchTarget::Slurm, LaunchTarget::Kubernetes}, random);
        const auto given = hostileOf(scenario, random);
        if (!given)
            continue;
        const Resolved& r = given->resolved;
        const auto command = launchCommand(r);
        if (!command)
            continue;
        ++i;
        ++ran[fmt::format("{} {}", command->program.front(), command->nodes > 1 ? "nodes" : "node")];
        const std::string text = launchText(*command, r, target);
        CAPTURE(text);
        if (target != LaunchTarget::Kubernetes) {
            const bool trt = command->program.front() == "trtllm-serve";
            const std::vector<Words> arrived
                = stubs.run(text, target == LaunchTarget::Slurm && !trt ? command->nodes : 1, {});
            CAPTURE(stubs.said());
            CHECK(arrived == expectedOf(*command, r, target));
            if (trt)
                CHECK(stubs.config("config.yml") == command->configFile);
        } else {
            std::vector<const YamlNode*> scripts;
            std::vector<const YamlNode*> names;
            const std::vector<YamlNode> all = documents(text);
            for (const YamlNode& document : all) {
                gather(document, "args", scripts);
                gather(document, "app", names);
                CHECK(isLabel(document.find("metadata")->find("name")->text));
            }
            CHECK(names.size() >= 2);
            for (const YamlNode* name : names)
                CHECK(isLabel(name->text));
            const bool worker = command->nodes > 1 && command->program.front() != "trtllm-serve";
            REQUIRE(scripts.size() == (command->nodes > 1 ? 2U : 1U));
            for (std::size_t rank = 0; rank < (worker ? 2U : 1U); ++rank) {
                const std::string script = expandedByKubelet(scripts[rank]->items.at(0).text);
                const std::vector<Words> arrived = stubs.run(
                    script, 1,
                    {{"LWS_WORKER_INDEX", std::to_string(rank)}, {"LWS_LEADER_ADDRESS", "head.of.all"}});
                CAPTURE(stubs.said());
                CHECK(arrived == std::vector<Words>{meant(*command, static_cast<int>(rank), 0, "10.0.0.7")});
            }
        }
        CHECK_FALSE(stubs.touched());
    }
    CHECK(ran.size() >= 8); // every engine, and those that span nodes
}

TEST_CASE("names of Kubernetes are labels")
{
    CHECK(kubernetesName("3.1_Llama") == "m-3-1-llama");
    CHECK(kubernetesName("---") == "m");
    CHECK(isLabel(kubernetesName(std::string(200, 'x'))));
    CHECK(isLabel(kubernetesName(std::string(62, 'x') + "..y")));
    CHECK(isLabel(kubernetesName("")));
}

} // namespace headroom::tests
