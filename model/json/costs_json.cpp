#include "model/json/costs_json.h"

#include <optional>

namespace headroom {

namespace {

Json maybe(const std::optional<double>& value) { return value ? numberJson(*value) : Json(); }

Json curve(const std::vector<double>& dollars)
{
    Json out = Json::array();
    for (const double each : dollars)
        out.push_back(numberJson(each));
    return out;
}

} // namespace

Json billJson(const Bill& bill)
{
    return {{"gpus", bill.gpus},
            {"boxes", bill.boxes},
            {"gpus_usd", numberJson(bill.accelerators.base())},
            {"servers_usd", bill.serversKnown ? numberJson(bill.servers.base()) : Json()},
            {"network_usd", bill.networkKnown ? numberJson(bill.network.base()) : Json()},
            {"total_usd", numberJson(bill.total().base())}};
}

Json rentOrOwnJson(const RentOrOwn& choice)
{
    return {{"rent_usd_per_hour", numberJson(choice.rent)},
            {"own_usd_per_hour", numberJson(choice.own)},
            {"purchase_usd", numberJson(choice.purchase.base())},
            {"bill", billJson(choice.bill)},
            {"years", numberJson(choice.years)},
            {"months_to_pay", choice.owningPays() ? numberJson(choice.monthsToPay()) : Json()}};
}

Json costsJson(const CostOverYears& c)
{
    return {{"years", numberJson(c.years)},
            {"bill", c.bill ? billJson(*c.bill) : Json()},
            {"own_usd", maybe(c.own)},
            {"rent_usd", maybe(c.rent)},
            {"api_usd", maybe(c.api)},
            {"electricity_usd", numberJson(c.electricity)},
            {"hosting_usd", numberJson(c.room)},
            {"staff_usd", numberJson(c.staff)},
            {"interest_usd", numberJson(c.interest)},
            {"residual_usd", numberJson(c.gotBack)},
            {"usd_per_month", maybe(c.perMonth())},
            {"usd_per_user_and_month", maybe(c.perUserAndMonth)},
            {"tokens_per_month", c.tokensPerMonth > 0 ? numberJson(c.tokensPerMonth) : Json()},
            {"tokens_per_month_worth_it", maybe(c.tokensWorthIt)},
            {"months_to_rent", maybe(c.monthsToRent)},
            {"months_to_api", maybe(c.monthsToApi)},
            {"own_usd_by_month", curve(c.ownByMonth)},
            {"rent_usd_by_month", curve(c.rentByMonth)},
            {"api_usd_by_month", curve(c.apiByMonth)}};
}

} // namespace headroom
