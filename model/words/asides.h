#pragma once

#include "model/words/items.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace headroom::ask {

// Bytes of the question that speak of something else than what is asked, and why they are not used.
struct Aside {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view why; // English: a row of sentences.tsv
};

// Takes out of the items what speaks of another system or time ("today 8 H100 serve 120 users; how many B200
// for 250?"), of what others measured ("the paper says 2,300 tok/s on 8 A100"), and of what no plan depends
// on. resources/ask/asides.tsv says which phrases lead it and when it stays.
[[nodiscard]] std::vector<Aside> putAside(std::string_view question, std::vector<Item>& items);

} // namespace headroom::ask
