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
    for (const RentOffer& offer : listed.offers)
        if (offer.kind == PriceKind::OnDemand && listed.cloudPrice && offer.price == *listed.cloudPrice)
            return &offer;
    return nullptr;
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

std::optional<int> leastRented(const Gpu& listed, const Money& money)
{
    if (const RentOffer* const offer = askedOffer(listed, money))
        return offer->least;
    std::optional<int> least;
    for (const RentOffer& offer : listed.offers)
        if (offer.kind == PriceKind::OnDemand)
            least = std::min(least.value_or(offer.least), offer.least);
    return least;
}

const RentOffer* smallestOffer(const Gpu& listed)
{
    const RentOffer* best = nullptr;
    for (const RentOffer& offer : listed.offers)
        if (offer.kind == PriceKind::OnDemand && (best == nullptr || offer.least < best->least))
            best = &offer;
    return best;
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
