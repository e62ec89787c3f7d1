#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <string_view>

namespace headroom {

// Readers of keys about prices, costs over years, jobs and limits (scenario_keys.h).
[[nodiscard]] Problems setProvider(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setPriceKind(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setServer(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setHoursPerDay(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setDaysPerWeek(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setYears(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setHosting(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setStaff(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setResidual(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setInterest(Scenario& scenario, std::string_view text);
// "0.5/1.5": dollars for a million tokens of prompts and of answers.
[[nodiscard]] Problems setApiPrice(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setMessages(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setTokensPerMonth(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setJobTokens(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setJobRequests(Scenario& scenario, std::string_view text);
// "8h", "7d", "90min", "3600".
[[nodiscard]] Problems setDeadline(Scenario& scenario, std::string_view text);
// "40 kW", or a bare number of kW.
[[nodiscard]] Problems setPowerCap(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setMostGpus(Scenario& scenario, std::string_view text);
[[nodiscard]] Problems setMostBoxes(Scenario& scenario, std::string_view text);

} // namespace headroom
