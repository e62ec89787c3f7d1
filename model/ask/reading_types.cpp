#include "model/ask/reading.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

void Reading::readTypes()
{
    readBits();
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (!m_used[i] && at(i).kind == ItemKind::Type)
            takeType(at(i).type, i, {});
}

// "4-bit", "8 bit", "16-bit".
void Reading::readBits()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || quantity->unit != Bits)
            continue;
        const bool known = quantity->value == 4 || quantity->value == 8 || quantity->value == 16;
        take(*quantity);
        if (!known) {
            problem(quantity->first, quantity->last - 1,
                    std::string(say("no type has so many bits", "没有这种位宽的类型")), "4, 8, 16");
            continue;
        }
        if (quantity->value == 4)
            takeType(DType::Int4, i, {"mxfp4", "nvfp4", "q4_k_m"});
        else if (quantity->value == 8)
            takeType(DType::Int8, i, {"fp8", "q8_0"});
        else
            takeType(DType::Bf16, i, {"fp16"});
    }
}

void Reading::takeType(DType type, std::size_t item, std::vector<std::string> others)
{
    take(item);
    bool forKv = false;
    bool forWeights = false;
    std::size_t first = item;
    std::size_t last = item;
    if (is(next(last), Quantised)) {
        last = next(last);
        take(last);
    }
    const auto side = [&](std::size_t j) {
        if (!isAny(j, {KvCache, Weights}))
            return false;
        (is(j, KvCache) ? forKv : forWeights) = true;
        take(j);
        first = std::min(first, j);
        last = std::max(last, j);
        return true;
    };
    // To the right first: "fp8 kv", "fp8 weights and kv"; then to the left: "kv cache in fp8", "weights and
    // kv in fp8".
    const std::size_t right = next(last);
    if (side(right)) {
        side(next(right));
    } else {
        std::size_t left = previous(first);
        if (isAny(left, {Equals, In}))
            left = previous(left);
        if (side(left))
            side(previous(left));
    }
    Scenario& s = m_question.scenario;
    const std::string typeName(name(type));
    if (forKv && once(std::string(say("the KV cache type", "KV 缓存类型")), typeName, first, last))
        s.kv = type;
    if ((forWeights || !forKv)
        && once(std::string(say("the weight type", "权重类型")), typeName, first, last))
        s.weights = type;
    const bool both = forKv && forWeights;
    note(first, last,
         fmt::format(fmt::runtime(both        ? say("{} weights and KV cache", "{} 权重和 KV 缓存")
                                      : forKv ? say("{} KV cache", "{} KV 缓存")
                                              : say("{} weights", "{} 权重")),
                     typeName),
         {}, std::move(others));
}

void Reading::readLayout()
{
    readLayoutSize(Tp, &Scenario::tp, "tp");
    readLayoutSize(Pp, &Scenario::pp, "pp");
    readLayoutSize(Ep, &Scenario::ep, "ep");
    readLayoutSize(Dp, &Scenario::dp, "dp");
    readLayoutSize(Replicas, &Scenario::replicas, "replicas");
}

void Reading::readLayoutSize(Meaning topic, std::optional<int> Scenario::*field, std::string_view fieldName)
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, topic))
            continue;
        std::size_t number = next(i);
        if (is(number, Equals))
            number = next(number);
        const bool after = isNumber(number)
            && !isAny(next(number), {Times, TokenRate, Time, User, RequestRate, Request})
            && topic != Replicas;
        if (!after)
            number = previous(i);
        if (!isNumber(number))
            continue;
        const double value = at(number).value;
        const auto [first, last] = std::minmax(i, number);
        take(i);
        take(number);
        if (value < 1 || value != std::floor(value) || value > 4096) {
            problem(first, last, std::string(say("a layout is split in whole parts", "并行度必须是整数")),
                    "1, 2, 4, 8, …");
            continue;
        }
        if (!once(std::string(fieldName), countText(value), first, last))
            continue;
        m_question.scenario.*field = static_cast<int>(value);
        note(first, last, fmt::format("{} = {}", fieldName, countText(value)));
    }
}

} // namespace headroom::ask
