#include "model/resolve/offers.h"

#include <algorithm>
#include <cctype>

namespace headroom {

bool sameProvider(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool asksOffer(const Money& money) { return !money.provider.empty() || money.priceKind; }

const RentOffer* askedOffer(const Gpu& listed, const Money& money)
{
    const RentOffer* best = nullptr;
    if (asksOffer(money))
        for (const RentOffer& offer : listed.offers)
            if ((money.provider.empty() || sameProvider(offer.provider, money.provider))
                && offer.kind == money.priceKind.value_or(PriceKind::OnDemand)
                && (best == nullptr || offer.price < best->price))
                best = &offer;
    return best;
}

const RentOffer* offerTaken(const Gpu& listed, const Money& money)
{
    if (money.gpuPrice)
        return nullptr;
    if (const RentOffer* const offer = askedOffer(listed, money))
        return offer;
    const RentOffer* smallest = nullptr;
    for (const RentOffer& offer : listed.offers)
        if (offer.kind == PriceKind::OnDemand && listed.cloudPrice && offer.price == *listed.cloudPrice
            && (smallest == nullptr || offer.least < smallest->least))
            smallest = &offer;
    return smallest;
}

std::optional<DollarsPerSecond> rentPrice(const Gpu& listed, const Money& money)
{
    if (money.gpuPrice)
        return money.gpuPrice;
    if (!asksOffer(money))
        return listed.cloudPrice;
    const RentOffer* const offer = askedOffer(listed, money);
    return offer != nullptr ? std::optional(offer->price) : std::nullopt;
}

namespace {

// On demand; null: none is known.
const RentOffer* smallestOffer(const Gpu& listed)
{
    const RentOffer* best = nullptr;
    for (const RentOffer& offer : listed.offers)
        if (offer.kind == PriceKind::OnDemand && (best == nullptr || offer.least < best->least))
            best = &offer;
    return best;
}

} // namespace

std::optional<int> leastRented(const Gpu& listed, const Money& money)
{
    const RentOffer* const taken = offerTaken(listed, money);
    const RentOffer* const offer = taken != nullptr ? taken : smallestOffer(listed);
    return offer != nullptr ? std::optional(offer->least) : std::nullopt;
}

std::string providersOf(const Gpu& listed)
{
    std::string out;
    for (const RentOffer& offer : listed.offers)
        if (out.find(offer.provider) == std::string::npos)
            out += (out.empty() ? "" : ", ") + offer.provider;
    return out;
}

} // namespace headroom
