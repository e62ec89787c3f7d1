#include "app/desktop/text/model_sentences.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {
#define SENTENCE(text) QT_TRANSLATE_NOOP("Model", text)
constexpr const char* sentences[]{
    SENTENCE("compute"),
    SENTENCE("memory"),
    SENTENCE("launch"),
    SENTENCE("link"),
};
#undef SENTENCE
} // namespace

std::span<const char* const> modelSentences() { return sentences; }

} // namespace headroom::app
