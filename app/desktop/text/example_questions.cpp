#include "app/desktop/text/example_questions.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("headroom::app", text); }
} // namespace

QStringList exampleQuestions()
{
    return {tr("how many A100s for Llama-70B at 20 TPS"),
            tr("cheapest way to serve DeepSeek R1 fp8 to 500 users at 20 tokens/s"),
            tr("can 8 RTX 4090 run Qwen3 32B for 50 users?"),
            tr("8 H100 or 4 B200 for Llama 70B, 64 users, 25 tokens/s?"),
            tr("Qwen2.5-72B on H200, 4 requests per second, 2k prompts, TTFT within 1 s"),
            tr("gpt-oss-120b on H100, 100 users, 30 tokens/s, 8k prompts")};
}

} // namespace headroom::app
