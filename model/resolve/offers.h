#pragma once

#include "model/catalogue/gpu.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <string>

namespace headroom {

// The cheapest offer of the provider and the kind that were asked for; none where neither was, or nobody
// makes it.
[[nodiscard]] const RentOffer* askedOffer(const Gpu& listed, const Money& money);
// The offer that a rented GPU is planned with; none where the price is the user's own, or nobody's by name.
[[nodiscard]] const RentOffer* offerTaken(const Gpu& listed, const Money& money);
[[nodiscard]] bool asksOffer(const Money& money);
// An hour of one GPU: the user's price, the offer he asks for, or the catalogue's usual one.
[[nodiscard]] std::optional<DollarsPerSecond> rentPrice(const Gpu& listed, const Money& money);
// GPUs of the smallest instance of the offer that is planned with; where that is nobody's by name, of any on
// demand.
[[nodiscard]] std::optional<int> leastRented(const Gpu& listed, const Money& money);
// "Verda, Nebius": those that are known for this accelerator.
[[nodiscard]] std::string providersOf(const Gpu& listed);
// "verda" is "Verda".
[[nodiscard]] bool sameProvider(std::string_view a, std::string_view b);

} // namespace headroom
