#include "model/json/bench_json.h"

#include "model/json/value_json.h"

namespace headroom {

namespace {

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}
Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json rowOf(const MeasuredRow& row)
{
    return {{"id", row.id},
            {"source", row.source},
            {"engine", orNull(row.engine)},
            {"engine_version", orNull(row.engineVersion)},
            {"model", orNull(row.model)},
            {"gpu", orNull(row.gpu)},
            {"gpus", orNull(row.gpus)},
            {"tp", orNull(row.tp)},
            {"pp", orNull(row.pp)},
            {"dp", orNull(row.dp)},
            {"weight_dtype", orNull(row.weightDtype)},
            {"kv_dtype", orNull(row.kvDtype)},
            {"input_len", orNull(row.inputLength)},
            {"output_len", orNull(row.outputLength)},
            {"batch_or_concurrency", orNull(row.load)},
            {"metric", metricName(row.metric)},
            {"value", numberJson(row.value)},
            {"unit", metricUnit(row.metric)}};
}

} // namespace

std::string benchJson(const ImportedBench& bench)
{
    Json rows = Json::array();
    for (const MeasuredRow& row : bench.rows)
        rows.push_back(rowOf(row));
    const Json document{{"schema", "headroom.import-bench/1"},
                        {"format", bench.format},
                        {"missing", bench.missing},
                        {"warnings", inEnglish(bench.warnings)},
                        {"rows", std::move(rows)}};
    return documentText(document);
}

} // namespace headroom
