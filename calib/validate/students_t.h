#pragma once

namespace headroom {

// Below which nine of ten draws of Student's t lie: what the ninetieth percentile of a normal distribution is
// where its spread is known, and more where it was read off a sample that leaves so many degrees of freedom.
[[nodiscard]] double ninetiethOfStudentsT(int degreesOfFreedom);

} // namespace headroom
