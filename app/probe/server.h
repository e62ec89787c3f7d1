#pragma once

#include "app/probe/plan.h"
#include "app/probe/server_metrics.h"
#include "app/probe/transport.h"
#include "model/base/result.h"
#include "model/json/completion_json.h"

#include <optional>
#include <string>

namespace headroom::probe {

// A whole answer to one question.
struct Answer {
    int status = 0;
    std::string body;
    Failure failure; // none: answered, whatever its status
};

// The questions that a probe asks a server besides its load, one at a time.
class Server {
public:
    Server(Transport& transport, const Secrets& secrets, const Deadlines& deadlines, StopAsked stop = {})
        : m_transport(transport), m_secrets(secrets), m_deadlines(deadlines), m_stop(std::move(stop))
    {}

    [[nodiscard]] Answer ask(const Exchange& exchange);
    // The id of the only or first model that it serves.
    [[nodiscard]] Result<std::string> servedModel();
    // Nothing where it has none that we know.
    [[nodiscard]] std::optional<ServerCounters> counters();
    // How it counts words: by its tokenizer where it has one, else from what it says of a short and a long
    // prompt; without either, one token a word.
    [[nodiscard]] PromptWriter prompts(const std::string& model, double sharedPart, std::uint64_t nonce);

private:
    [[nodiscard]] std::optional<TokenizerForm> tokenizer(const std::string& model);
    [[nodiscard]] std::optional<double> tokensOf(TokenizerForm form, const std::string& model,
                                                 const std::string& text);
    [[nodiscard]] std::optional<PromptWriter> byTokenizer(const std::string& model, double sharedPart,
                                                          std::uint64_t nonce);
    [[nodiscard]] std::optional<double> tokensByUsage(const std::string& model, const std::string& prompt);

    Transport& m_transport;
    const Secrets& m_secrets;
    Deadlines m_deadlines;
    StopAsked m_stop;
};

} // namespace headroom::probe
