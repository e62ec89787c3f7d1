#include "app/desktop/text/example_questions.h"

#include "app/desktop/text/translated.h"

namespace headroom::app {

QStringList exampleQuestions()
{
    return {tr("how many A100s for Llama-70B at 20 TPS"),
            tr("cheapest way to serve DeepSeek R1 fp8 to 500 users at 20 tokens/s"),
            tr("can 8 RTX 4090 run Qwen3 32B for 50 users?"),
            tr("8 H100 or 4 B200 for Llama 70B, 64 users, 25 tokens/s?"),
            tr("Qwen2.5-72B on H200, 4 requests per second, 2k prompts, TTFT within 1 s"),
            tr("gpt-oss-120b on H100, 100 users, 30 tokens/s, 8k prompts")};
}

QVector<GalleryEntry> galleryEntries()
{
    return {{tr("Chat"), tr("Answers that are read while they are written: as fast as people read."),
             tr("cheapest GPUs for a Llama-70B chatbot with 50 users at 20 tokens/s")},
            {tr("Documents (RAG)"),
             tr("Long prompts, short answers: the first token is what people wait for."),
             tr("Qwen2.5-72B on H200 for RAG, 2 requests per second, TTFT within 2 s")},
            {tr("Code"), tr("Long prompts that are mostly the same, and answers faster than anybody reads."),
             tr("gpt-oss-120b on H100 for 40 developers, 8k prompts, 400 token answers, 60 tokens/s")},
            {tr("Agents"), tr("Very long contexts that grow from call to call."),
             tr("DeepSeek R1 fp8 on H200, 32k prompts, 1k answers, 16 users, 25 tokens/s")},
            {tr("Batch jobs"), tr("Nobody waits: the most tokens for the money."),
             tr("cheapest tokens with Llama-3.1-8B, 2k prompts, 300 token answers, 64 users")}};
}

} // namespace headroom::app
