#include "model/json/completion_json.h"

#include "model/json/json_document.h"
#include "model/json/value_json.h"

namespace headroom {

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
    if (const JsonValue error = root["error"]; error && !error.isNull())
        return refuse("event",
                      "the server says: " + std::string(error["message"].text().value_or(error.shown())));
    CompletionChunk chunk;
    const JsonValue choice = root["choices"].firstChild();
    chunk.hasText = !choice["text"].text().value_or("").empty()
        || !choice["delta"]["content"].text().value_or("").empty();
    chunk.promptTokens = root["usage"]["prompt_tokens"].number();
    chunk.outputTokens = root["usage"]["completion_tokens"].number();
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

} // namespace headroom
