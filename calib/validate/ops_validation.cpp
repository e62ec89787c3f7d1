#include "calib/validate/ops_validation.h"

#include "model/base/estimate.h"
#include "model/base/quantity_text.h"
#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/text/csv.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <variant>

namespace headroom {
namespace {

class OpRow {
public:
    OpRow(const CsvTable& table, const CsvRecord& record) : m_table(table), m_record(record) {}

    [[nodiscard]] std::string text(std::string_view column) const
    {
        const auto index = m_table.column(column);
        return index ? m_record.cells[*index] : std::string();
    }
    // A positive figure that the operator cannot be described without; what is wrong with it is kept.
    [[nodiscard]] double need(std::string_view column) const
    {
        return text(column).empty() ? complain(say("needs a figure in column '{}'", asIs(column)))
                                    : given(column);
    }
    // The same where an empty cell means something.
    [[nodiscard]] double orElse(std::string_view column, double empty) const
    {
        return text(column).empty() ? empty : given(column);
    }
    [[nodiscard]] const Message& wrong() const { return m_wrong; }

private:
    [[nodiscard]] double given(std::string_view column) const
    {
        const Result<double> value = numberFromText(text(column));
        return value && *value > 0
            ? *value
            : complain(say("column '{}' expects a positive figure, got '{}'", asIs(column), text(column)));
    }
    double complain(Message why) const
    {
        if (m_wrong.empty())
            m_wrong = std::move(why);
        return 1;
    }

    const CsvTable& m_table;
    const CsvRecord& m_record;
    mutable Message m_wrong; // the first thing
};

struct Type {
    GemmClass cls = GemmClass::Half;
    MathUnit unit = MathUnit::Bf16;
    double weightBytes = 2;
};

std::optional<Type> typeOf(const std::string& name, const Gpu& gpu)
{
    const MathUnit half = gpu.has(MathUnit::Bf16) ? MathUnit::Bf16 : MathUnit::Fp16;
    if (name.empty())
        return Type{.unit = half};
    const std::optional<DType> type = dtypeFromName(name);
    if (!type)
        return std::nullopt;
    switch (*type) {
    case DType::Fp32:
        return Type{GemmClass::Fp32, MathUnit::Fp32, 4};
    case DType::Fp8:
        return gpu.has(MathUnit::Fp8) ? Type{GemmClass::Fp8, MathUnit::Fp8, 1}
                                      : Type{GemmClass::WeightOnly8, half, 1};
    case DType::Int8:
        return gpu.has(MathUnit::Int8) ? Type{GemmClass::Int8, MathUnit::Int8, 1}
                                       : Type{GemmClass::WeightOnly8, half, 1};
    case DType::Mxfp4:
        if (!gpu.has(MathUnit::Fp4))
            return Type{GemmClass::Mxfp4, half, 0.53125}; // 4 bits and an 8-bit scale for 32
        [[fallthrough]];
    case DType::Nvfp4:
        // 4 bits and an 8-bit scale for 16
        return gpu.has(MathUnit::Fp4) ? Type{GemmClass::Fp4, MathUnit::Fp4, 0.5625}
                                      : Type{GemmClass::WeightOnly4, half, 0.5625};
    case DType::Int4:
        return Type{GemmClass::WeightOnly4, half, 0.53125}; // a 16-bit scale for 128
    default:
        return Type{.unit = half};
    }
}

Op attentionOf(const OpRow& row, const Gpu& gpu, const Type& type, bool decode)
{
    const double context = row.need("context");
    const double fresh = decode ? 1 : row.orElse("m", context); // the whole context is new
    const double heads = row.need("heads");
    const AttentionShape shape{.batch = row.need("batch"),
                               .queryTokens = fresh,
                               .past = std::max(0.0, context - fresh),
                               .queryHeads = heads,
                               .kvHeads = row.orElse("kv_heads", heads), // multi-head attention
                               .headDim = row.need("head_dim"),
                               .kvBytesPerElement = type.weightBytes <= 1 ? 1.0 : 2.0};
    const MathUnit half = gpu.has(MathUnit::Bf16) ? MathUnit::Bf16 : MathUnit::Fp16;
    return decode ? decodeAttentionOp(shape, half) : prefillAttentionOp(shape, half);
}

int ranksOf(const OpRow& row)
{
    constexpr double most = 1e5; // far above any cluster; keeps the count whole
    const double ranks = row.need("ranks");
    return ranks >= 2 && ranks <= most ? static_cast<int>(ranks) : 0;
}

// The operator a row describes, or what is wrong with it.
std::variant<Op, Message> opOf(const OpRow& row, const Gpu& gpu)
{
    const std::string op = row.text("op");
    const std::optional<Type> type = typeOf(row.text("dtype"), gpu);
    if (!type)
        return say("no known type: {}", row.text("dtype"));
    const auto collective
        = [&](OpName name, CollectiveClass cls, int ranks, double share) -> std::variant<Op, Message> {
        if (row.wrong().empty() && ranks < 2)
            return "column 'ranks' expects 2 or more";
        return collectiveOp(name, cls, row.need("bytes") * share, ranks, 1);
    };
    if (op == "gemm")
        return gemmOp(OpName::Qkv,
                      {.m = row.need("m"),
                       .n = row.need("n"),
                       .k = row.need("k"),
                       .weightBytesPerElement = type->weightBytes},
                      type->cls, type->unit);
    if (op == "attention_prefill" || op == "attention_decode")
        return attentionOf(row, gpu, *type, op == "attention_decode");
    if (op == "all_reduce")
        return collective(OpName::AllReduce, CollectiveClass::NcclAllReduce, ranksOf(row), 1);
    if (op == "all_gather") {
        const int ranks = ranksOf(row); // `bytes` are the gathered ones, as NCCL's tests print them
        return collective(OpName::AllGather, CollectiveClass::AllGather, ranks, 1.0 / std::max(ranks, 1));
    }
    if (op == "send_recv")
        return collective(OpName::SendRecv, CollectiveClass::SendRecv, 2, 1);
    if (op == "copy" || op == "elementwise")
        return streamOp(OpName::Activation, 1, row.need("bytes"));
    return say("no operator is called '{}'", op);
}

JudgedRow judge(const OpRow& row, std::size_t number, const Catalogue& catalogue, const Engine& engine)
{
    JudgedRow out;
    out.row.id = row.text("id").empty() ? std::to_string(number) : row.text("id");
    out.row.gpu = row.text("gpu");
    out.row.value = row.need("time_us");
    out.operation = row.text("op");
    out.engine = engine.id;
    out.run = "operator";
    const auto name = catalogue.findGpu(out.row.gpu);
    const auto gpu = name ? catalogue.gpu(name->id) : Result<const Gpu*>(refuse(name.error()));
    if (!gpu) {
        out.whySkipped = say("accelerator: {}", Message(gpu.error().front().what));
        return out;
    }
    out.gpu = (*gpu)->id;
    const auto node = catalogue.node((*gpu)->defaultNode);
    const auto efficiency = catalogue.efficiency(**gpu, engine);
    if (!node || !efficiency) {
        out.whySkipped = (node ? efficiency.error() : node.error()).front().what;
        return out;
    }
    const auto op = opOf(row, **gpu);
    if (const Message* why = std::get_if<Message>(&op)) {
        out.whySkipped = *why;
        return out;
    }
    if (!row.wrong().empty()) {
        out.whySkipped = row.wrong();
        return out;
    }
    const OpTime time = timeOp(std::get<Op>(op), **gpu, **node, **efficiency);
    constexpr double micro = 1e6;
    const double spread = std::hypot(time.lnSpread, spreadAmongCards(time, **efficiency));
    const double factor = std::exp(deviationsToNinetieth * spread);
    const double us = time.total.base() * micro;
    out.predicted = {us, us / factor, us * factor, time.source};
    out.used = std::isfinite(us) && us > 0 && out.row.value > 0;
    if (!out.used)
        out.whySkipped = "no positive figure to compare";
    out.cause = say("operators: {}", sourceName(time.source));
    return out;
}

} // namespace

Result<ValidationReport> validateOps(std::string_view csv, const std::string& name,
                                     const Catalogue& catalogue, const std::string& engine)
{
    const Result<CsvTable> table = readCsvTable(csv, name);
    if (!table)
        return refuse(table.error());
    for (const std::string_view column : {"gpu", "op", "time_us"})
        if (!table->column(column))
            return refuse(name, say("has no column '{}'", asIs(column)), "see `headroom validate --help`");
    const auto match = catalogue.findEngine(engine);
    if (!match)
        return refuse(match.error());
    const auto found = catalogue.engine(match->id);
    if (!found)
        return refuse(found.error());
    std::vector<JudgedRow> rows;
    for (const CsvRecord& record : table->records)
        if (!record.cells.empty())
            rows.push_back(judge(OpRow(*table, record), rows.size() + 1, catalogue, **found));
    return reportOf(std::move(rows));
}

} // namespace headroom
