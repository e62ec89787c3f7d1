#include "model/ask/question.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

// Any bytes are a question: read or refused with a reason, the same each time; what was read stands in them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headroom;
    constexpr std::size_t longest = 2000; // nobody types more
    static const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    static const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    const std::string text(data, data + std::min(size, longest));
    const auto question = ask::read(text, vocabulary);
    constexpr std::size_t readAgain = 8; // one in so many, by what it says
    if (std::hash<std::string>{}(text) % readAgain == 0) {
        const auto again = ask::read(text, vocabulary);
        const bool same = question.has_value() == again.has_value()
            && (question ? *question == *again : question.error() == again.error());
        if (!same)
            std::abort();
    }
    if (!question) {
        if (question.error().empty())
            std::abort();
        return 0;
    }
    if (question->scenario.model.empty())
        std::abort();
    for (const ask::Interpretation& one : question->interpretation)
        if (one.said.empty() || text.compare(one.position, one.said.size(), one.said) != 0)
            std::abort();
    return 0;
}
