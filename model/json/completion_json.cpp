#include "model/json/completion_json.h"

#include "model/json/value_json.h"
#include "model/text/json_document.h"

namespace headroom {

namespace {

// A whole number of tokens from zero on. What is there and no such number is told.
std::optional<std::int64_t> countOf(const JsonValue& usage, std::string_view key, std::string& wrong)
{
    const JsonValue value = usage[key];
    if (!value || value.isNull())
        return std::nullopt;
    const std::optional<std::int64_t> count = value.whole();
    if (count && *count >= 0)
        return count;
    wrong = std::string(key) + ' ' + value.shown().english();
    return std::nullopt;
}

} // namespace

std::string completionRequestJson(const std::string& model, const std::string& prompt, std::int64_t maxTokens)
{
    const Json request{{"model", model},          {"prompt", prompt},
                       {"max_tokens", maxTokens}, {"temperature", 0},
                       {"ignore_eos", true}, // vLLM, SGLang; others leave it alone
                       {"stream", true},          {"stream_options", {{"include_usage", true}}}};
    return request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<CompletionChunk> readCompletionChunk(std::string_view event)
{
    const Result<JsonDocument> document = JsonDocument::parse(std::string(event), "event");
    if (!document)
        return refuse(document.error());
    const JsonValue root = document->root();
    CompletionChunk chunk;
    if (const JsonValue error = root["error"]; error && !error.isNull())
        chunk.serverError = error["message"].text().value_or(error.text().value_or(error.shown().english()));
    const JsonValue choice = root["choices"].firstChild();
    chunk.textBytes
        = choice["text"].text().value_or("").size() + choice["delta"]["content"].text().value_or("").size();
    chunk.hasText = chunk.textBytes > 0;
    chunk.hasChoice = choice.isObject();
    chunk.finish = choice["finish_reason"].text().value_or("");
    const JsonValue usage = root["usage"];
    chunk.promptTokens = countOf(usage, "prompt_tokens", chunk.wrongUsage);
    chunk.outputTokens = countOf(usage, "completion_tokens", chunk.wrongUsage);
    return chunk;
}

Result<std::vector<std::string>> readServedModels(std::string_view text)
{
    const Result<JsonDocument> document = JsonDocument::parse(std::string(text), "/v1/models");
    if (!document)
        return refuse(document.error());
    std::vector<std::string> ids;
    for (JsonValue model = document->root()["data"].firstChild(); model; model = model.next())
        if (const auto id = model["id"].text())
            ids.emplace_back(*id);
    if (ids.empty())
        return refuse("/v1/models", "the server lists no model", "name one with --model");
    return ids;
}

std::string tokenizeRequestJson(TokenizerForm form, const std::string& model, const std::string& text)
{
    const auto written = [](const Json& request) {
        return request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    switch (form) {
    case TokenizerForm::Prompt:
        return written({{"model", model}, {"prompt", text}});
    case TokenizerForm::Content:
        return written({{"content", text}, {"add_special", true}});
    case TokenizerForm::Inputs:
        break;
    }
    return written({{"inputs", text}});
}

Result<std::int64_t> readTokenCount(TokenizerForm form, std::string_view answer)
{
    const Result<JsonDocument> document = JsonDocument::parse(std::string(answer), "/tokenize");
    if (!document)
        return refuse(document.error());
    const JsonValue root = document->root();
    const JsonValue list = form == TokenizerForm::Inputs ? root : root["tokens"];
    const std::optional<std::int64_t> count = root["count"].whole();
    if (form == TokenizerForm::Prompt && count && *count > 0)
        return *count;
    if (form != TokenizerForm::Prompt && list.isArray() && list.size() > 0)
        return static_cast<std::int64_t>(list.size());
    return refuse("/tokenize", "the server counts no tokens");
}

} // namespace headroom
