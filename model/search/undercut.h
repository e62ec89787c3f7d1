#pragma once

#include "model/search/replays.h"

#include <vector>

namespace headroom {

// The closed form may say that a layout takes more replicas than it does. Of the layouts among `candidates`
// those that would cost less than `best`, which stood, with fewer are played, the nearest to what is promised
// first, until several in a row have failed. True: `best` is another now, which stood as well.
[[nodiscard]] bool undercut(Candidate& best, const std::vector<Candidate>& candidates, Replays& replays);

} // namespace headroom
