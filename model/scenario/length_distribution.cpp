#include "model/scenario/length_distribution.h"

#include "model/base/quantity_text.h"
#include "model/scenario/text_lengths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace headroom {

namespace {

// The longest length anyone can mean: ten times the longest context published (10 M tokens, Llama 4 Scout).
constexpr double longestLength = 1e8;

// Quantile of the standard normal distribution, P. J. Acklam's rational approximation (2003), relative error
// below 1.2e-9. Used for sampling too: a distribution of the standard library may differ between libraries, a
// seed of ours must give the same lengths everywhere.
double normalQuantile(double p)
{
    constexpr std::array a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                           1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr std::array b{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                           6.680131188771972e+01, -1.328068155288572e+01};
    constexpr std::array c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                           -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr std::array d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                           3.754408661907416e+00};
    constexpr double tail = 0.02425;
    const auto polynomial = [](const auto& k, double x) {
        return std::accumulate(k.begin(), k.end(), 0.0,
                               [x](double sum, double term) { return sum * x + term; });
    };
    p = std::clamp(p, 1e-300, 1 - 1e-16);
    if (p < tail || p > 1 - tail) {
        const double q = std::sqrt(-2 * std::log(std::min(p, 1 - p)));
        const double x = polynomial(c, q) / (polynomial(d, q) * q + 1);
        return p < tail ? x : -x;
    }
    const double q = p - 0.5;
    const double r = q * q;
    return polynomial(a, r) * q / (polynomial(b, r) * r + 1);
}

tl::unexpected<Problems> notLengths(std::string_view text)
{
    return refuse("", say("expected a length in tokens or a distribution of them, got '{}'", asIs(text)),
                  "for example 1024, 8k, uniform:128-2048, lognormal:mean=1155,p99=7000, questions:217, "
                  "answers:162 or file:lengths.csv");
}

// "1024" or "8k" (1024 tokens each, as context lengths are named).
std::optional<double> tokens(std::string_view text)
{
    const bool thousands = !text.empty() && (text.back() == 'k' || text.back() == 'K');
    if (thousands)
        text.remove_suffix(1);
    const Result<double> number = numberFromText(text);
    if (!number)
        return std::nullopt;
    const double value = *number * (thousands ? 1024 : 1);
    return value >= 1 && value <= longestLength ? std::optional(value) : std::nullopt;
}

Result<LengthDistribution> uniformFromText(std::string_view whole, std::string_view range)
{
    const std::size_t dash = range.find('-');
    if (dash == std::string_view::npos)
        return notLengths(whole);
    const std::optional<double> low = tokens(range.substr(0, dash));
    const std::optional<double> high = tokens(range.substr(dash + 1));
    if (!low || !high || *low > *high)
        return notLengths(whole);
    return LengthDistribution::uniform(*low, *high);
}

Result<LengthDistribution> logNormalFromText(std::string_view whole, std::string_view rest)
{
    std::optional<double> mean;
    std::optional<double> quantile;
    std::optional<double> spread;
    double fraction = 0;
    for (std::size_t begin = 0; begin <= rest.size();) {
        const std::size_t end = std::min(rest.find(',', begin), rest.size());
        const std::string_view part = rest.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        const std::optional<double> value
            = equals == std::string_view::npos ? std::nullopt : tokens(part.substr(equals + 1));
        if (key == "spread" && !spread) {
            spread = numberFromText(part.substr(std::min(part.size(), equals + 1))).value_or(0);
            if (!(*spread > 0 && *spread <= 4))
                return notLengths(whole);
        } else if (key == "mean" && value && !mean) {
            mean = value;
        } else if (key.starts_with('p') && value && !quantile) {
            quantile = value;
            fraction = numberFromText(key.substr(1)).value_or(0) / 100;
        } else {
            return notLengths(whole);
        }
    }
    if (mean && spread && !quantile)
        return LengthDistribution::logNormalOf(*mean, *spread);
    if (!mean || spread || !quantile || fraction <= 0.5 || fraction >= 1)
        return notLengths(whole);
    const double z = normalQuantile(fraction);
    const double steepest = std::exp(z * z / 2);
    if (*quantile < *mean || *quantile / *mean > steepest)
        return refuse(
            "", say("no log-normal distribution has that mean and that percentile: '{}'", asIs(whole)),
            say("the percentile must lie between the mean and {}", numberText(std::floor(steepest * *mean))));
    return LengthDistribution::logNormal(*mean, *quantile, fraction);
}

} // namespace

double LengthDistribution::mean() const
{
    switch (kind) {
    case Kind::Fixed:
        return fixed;
    case Kind::Uniform:
        return (low + high) / 2;
    case Kind::LogNormal:
        return std::exp(lnMean + lnSpread * lnSpread / 2);
    case Kind::Empirical:
        break;
    }
    return sorted.empty() ? 0 : std::accumulate(sorted.begin(), sorted.end(), 0.0) / double(sorted.size());
}

double LengthDistribution::variation() const
{
    const double middle = mean();
    if (middle <= 0)
        return 0;
    switch (kind) {
    case Kind::Fixed:
        return 0;
    case Kind::Uniform:
        return (high - low) / std::sqrt(12.0) / middle;
    case Kind::LogNormal:
        return std::sqrt(std::expm1(lnSpread * lnSpread));
    case Kind::Empirical:
        break;
    }
    double squares = 0;
    for (const double length : sorted)
        squares += (length - middle) * (length - middle);
    return std::sqrt(squares / double(sorted.size())) / middle;
}

double LengthDistribution::quantile(double fraction) const
{
    fraction = std::clamp(fraction, 0.0, 1.0);
    switch (kind) {
    case Kind::Fixed:
        return fixed;
    case Kind::Uniform:
        return low + fraction * (high - low);
    case Kind::LogNormal:
        return std::min(longestLength, std::exp(lnMean + lnSpread * normalQuantile(fraction)));
    case Kind::Empirical:
        break;
    }
    if (sorted.empty())
        return 0;
    // The smallest length that at least this fraction of all does not exceed.
    const double rank = std::ceil(fraction * double(sorted.size()));
    return sorted[std::size_t(std::max(rank, 1.0)) - 1];
}

double LengthDistribution::sample(std::mt19937_64& random) const
{
    constexpr double steps = 9007199254740992.0; // 2^53: every double of a 53-bit uniform
    const double uniform = (double(random() >> 11) + 0.5) / steps;
    return std::max(1.0, std::round(quantile(uniform)));
}

LengthDistribution LengthDistribution::of(double tokens)
{
    LengthDistribution lengths;
    lengths.fixed = tokens;
    lengths.text = numberText(tokens);
    return lengths;
}

LengthDistribution LengthDistribution::uniform(double low, double high)
{
    LengthDistribution lengths;
    lengths.kind = Kind::Uniform;
    lengths.low = low;
    lengths.high = high;
    lengths.text = "uniform:" + numberText(low) + '-' + numberText(high);
    return lengths;
}

LengthDistribution LengthDistribution::logNormal(double mean, double quantile, double fraction)
{
    // ln(quantile / mean) = z s - s^2 / 2; the smaller root, since the larger one puts the mean above the
    // percentile.
    const double z = normalQuantile(fraction);
    LengthDistribution lengths;
    lengths.kind = Kind::LogNormal;
    lengths.lnSpread = z - std::sqrt(std::max(0.0, z * z - 2 * std::log(quantile / mean)));
    lengths.lnMean = std::log(mean) - lengths.lnSpread * lengths.lnSpread / 2;
    lengths.text = "lognormal:mean=" + numberText(mean) + ",p" + numberText(std::round(fraction * 1e6) / 1e4)
        + '=' + numberText(quantile);
    return lengths;
}

LengthDistribution LengthDistribution::logNormalOf(double mean, double lnSpread)
{
    LengthDistribution lengths;
    lengths.kind = Kind::LogNormal;
    lengths.lnSpread = lnSpread;
    lengths.lnMean = std::log(mean) - lnSpread * lnSpread / 2;
    lengths.text = "lognormal:mean=" + numberText(mean) + ",spread=" + numberText(lnSpread);
    return lengths;
}

LengthDistribution LengthDistribution::empirical(std::vector<double> lengths)
{
    std::sort(lengths.begin(), lengths.end());
    LengthDistribution out;
    out.kind = Kind::Empirical;
    out.sorted = std::move(lengths);
    return out;
}

Result<LengthDistribution> lengthsFromText(std::string_view text)
{
    constexpr std::string_view uniform = "uniform:";
    constexpr std::string_view logNormal = "lognormal:";
    constexpr std::string_view questions = "questions:";
    constexpr std::string_view answers = "answers:";
    constexpr std::string_view file = "file:";
    if (text.starts_with(uniform))
        return uniformFromText(text, text.substr(uniform.size()));
    if (text.starts_with(logNormal))
        return logNormalFromText(text, text.substr(logNormal.size()));
    for (const auto& [prefix, made] :
         {std::pair(questions, &questionLengths), std::pair(answers, &answerLengths)})
        if (text.starts_with(prefix)) {
            const std::optional<double> mean = tokens(text.substr(prefix.size()));
            return mean ? Result<LengthDistribution>(made(*mean)) : notLengths(text);
        }
    if (text.starts_with(file) && text.size() > file.size()) {
        LengthDistribution named;
        named.kind = LengthDistribution::Kind::Empirical;
        named.text = std::string(text);
        return named;
    }
    const std::optional<double> fixed = tokens(text);
    return fixed ? Result<LengthDistribution>(LengthDistribution::of(*fixed)) : notLengths(text);
}

} // namespace headroom
