#include "model/yaml/efficiency_yaml.h"

#include "model/efficiency/form_gates.h"
#include "model/efficiency/form_kinds.h"
#include "model/efficiency/form_slot.h"
#include "model/text/text_file.h"
#include "model/yaml/calibration_yaml.h"
#include "model/yaml/reader.h"
#include "model/yaml/writer.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

constexpr std::array sources{Choice<Source>{"measured here", Source::MeasuredHere},
                             Choice<Source>{"measured, published", Source::MeasuredPublished},
                             Choice<Source>{"same family", Source::SameFamily},
                             Choice<Source>{"prior", Source::Prior}};

constexpr auto gemmChoices = [] {
    std::array<Choice<GemmClass>, gemmClassCount> out{};
    for (std::size_t i = 0; i < gemmClassCount; ++i)
        out[i] = {gemmClassName(static_cast<GemmClass>(i)), static_cast<GemmClass>(i)};
    return out;
}();

// In-network reduction and caches may exceed what a datasheet promises, by less than twice.
constexpr Between efficiencies{0, 2};
constexpr Between anySpread{0, 3};

// Beyond these a form would divide by nothing, or give no time that a kernel can take.
Between rangeOf(FormField kind)
{
    switch (kind) {
    case FormField::Efficiency:
        return efficiencies;
    case FormField::Power:
        return {1, 50};
    case FormField::Factor:
        return {0.1, 100};
    case FormField::Count:
        return {1, 1e9};
    case FormField::Time:
    case FormField::Number:
        break;
    }
    return {};
}

template <typename Form>
void readFields(MapReader& in, Form& form)
{
    eachKind(form, [&](std::string_view key, auto& kind, const auto& words) {
        using Kind = std::remove_cvref_t<decltype(kind)>;
        std::vector<Choice<Kind>> choices;
        for (const auto& word : words)
            choices.push_back({word.word, word.kind});
        kind = in.maybeChoice(key, std::span<const Choice<Kind>>(choices)).value_or(kind);
    });
    eachField(form, [&](std::string_view key, auto& value, FormField kind) {
        if constexpr (requires { value.base(); }) {
            if (const auto time = in.maybeQuantity<Dim{.second = 1}>(key))
                value = *time;
        } else {
            if (const auto number = in.maybeNumber(key, rangeOf(kind)))
                value = *number;
        }
    });
}

void readForm(MapReader& in, EfficiencySet& set)
{
    const std::string name = in.text("form");
    const std::optional<FormSlot> slot = slotFromName(name);
    if (!slot) {
        std::string known;
        for (const FormSlot& one : allFormSlots())
            known += (known.empty() ? "" : ", ") + slotName(one);
        in.report("form", say("no form is called '{}'", name), say("one of: {}", known));
        return;
    }
    visitForm(set, *slot, [&](auto& form) { readFields(in, form); });
    Uncertainty& uncertainty = uncertaintyOf(set, *slot);
    uncertainty.lnBias = in.maybeNumber("ln_bias", {-3, 3}).value_or(0);
    uncertainty.lnSpread = in.number("ln_spread", anySpread);
    uncertainty.source = in.choice<Source>("evidence", sources);
    if (const auto samples = in.maybeWhole("samples")) {
        FormRecord record{.form = name, .samples = *samples};
        record.contradicting = in.maybeWhole("contradicting").value_or(0);
        record.medianError = in.number("median_error");
        record.meanError = in.number("mean_error");
        record.p90Error = in.number("p90_error");
        record.worstError = in.number("worst_error");
        record.groups = in.whole("groups");
        record.coverage = in.number("coverage", Between::share());
        uncertainty.trusted = in.flag("trusted");
        const bool processor = set.calibration && set.calibration->machine.kind == "cpu";
        if (uncertainty.trusted && !processor)
            for (const Message& failed : toldFailures(formGates(*slot, record)))
                in.report("trusted", say("true, but the form misses a condition: {}", failed));
        record.domain = in.text("domain");
        record.origin = in.text("origin");
        set.records.push_back(record);
    }
}

void readExactShapes(MapReader& in, EfficiencySet& set)
{
    for (MapReader& group : in.maybeMaps("exact_shapes")) {
        ExactShape shape;
        shape.gemm = group.choice<GemmClass>("type", gemmChoices);
        shape.n = group.whole("n", 1);
        shape.k = group.whole("k", 1);
        shape.lnRows = group.numbers("ln_rows");
        shape.lnResidual = group.numbers("ln_residual", {-3, 3});
        if (shape.lnRows.size() != shape.lnResidual.size())
            group.report("ln_residual", "expected as many numbers as in ln_rows");
        if (!std::is_sorted(shape.lnRows.begin(), shape.lnRows.end()))
            group.report("ln_rows", "expected rising numbers");
        group.finish();
        set.exactShapes.push_back(std::move(shape));
    }
}

template <typename Form>
void writeFields(MapWriter& out, const Form& form)
{
    eachKind(form, [&](std::string_view key, const auto& kind, const auto& words) {
        out.text(key, wordOf(words, kind));
    });
    eachField(form, [&](std::string_view key, const auto& value, FormField) {
        if constexpr (requires { value.base(); })
            out.quantity(key, value);
        else
            out.number(key, value);
    });
}

void writeForm(MapWriter& out, const EfficiencySet& set, const FormSlot& slot)
{
    out.text("form", slotName(slot));
    visitForm(set, slot, [&](const auto& form) { writeFields(out, form); });
    const Uncertainty& uncertainty = uncertaintyOf(set, slot);
    if (uncertainty.lnBias != 0)
        out.number("ln_bias", uncertainty.lnBias);
    out.number("ln_spread", uncertainty.lnSpread);
    out.text("evidence", sourceName(uncertainty.source).text);
    const auto record = std::find_if(set.records.begin(), set.records.end(),
                                     [&](const FormRecord& r) { return r.form == slotName(slot); });
    if (record == set.records.end())
        return;
    out.whole("samples", record->samples);
    if (record->contradicting > 0)
        out.whole("contradicting", record->contradicting);
    out.number("median_error", record->medianError);
    out.number("mean_error", record->meanError);
    out.number("p90_error", record->p90Error);
    out.number("worst_error", record->worstError);
    out.whole("groups", record->groups);
    out.number("coverage", record->coverage);
    out.flag("trusted", uncertainty.trusted);
    out.text("domain", record->domain);
    out.text("origin", record->origin);
}

} // namespace

Result<EfficiencySet> readEfficiencySet(const std::string& text, const std::string& file,
                                        const EfficiencySet& base)
{
    return readYaml(text, file, [&](MapReader& in) {
        EfficiencySet set = base;
        set.records.clear();
        set.exactShapes.clear();
        set.citations.clear();
        SourceReader cited(in);
        set.id = in.name("id");
        set.gpu = in.maybeText("gpu").value_or("");
        set.family = in.text("family");
        set.implementation = in.text("implementation");
        set.trusted = in.maybeFlag("trusted").value_or(true);
        set.failedGates = in.maybeTexts("failed_gates");
        if (auto overheads = in.maybeMap("overheads")) {
            cited.cite(*overheads, "overheads");
            if (const auto gap = overheads->maybeQuantity<Dim{.second = 1}>("graph_node"))
                set.graphNode = *gap;
            if (const auto launch = overheads->maybeQuantity<Dim{.second = 1}>("eager_launch"))
                set.eagerLaunch = *launch;
            if (const auto spread = overheads->maybeNumber("device_spread", anySpread))
                set.deviceSpread = *spread;
            if (const auto share = overheads->maybeNumber("read_share", efficiencies))
                set.readShare = *share;
            overheads->finish();
        }
        if (auto fit = in.maybeMap("fit")) {
            cited.cite(*fit, "fit");
            fit->finish();
        }
        set.calibration = readCalibrationRecord(in, cited);
        set.links = readLinksRecord(in, cited);
        set.engineRuns = readEngineRecord(in, cited);
        for (MapReader& form : in.maybeMaps("forms")) {
            readForm(form, set);
            form.finish();
        }
        readExactShapes(in, set);
        set.citations = cited.finish();
        return set;
    });
}

Result<EfficiencySet> readPrior(const std::filesystem::path& root, const std::string& family)
{
    const std::string name = "hw_profiles/priors/" + family + ".yaml";
    constexpr std::uintmax_t most = 1u << 20;
    const Result<std::string> text = readTextFile(root / name, most);
    if (!text)
        return refuse(text.error());
    return readEfficiencySet(*text, name);
}

std::string efficiencyYaml(const EfficiencySet& set, bool whole)
{
    MapWriter out;
    const SourceWriter cited(set.citations);
    out.text("id", set.id);
    if (!set.gpu.empty())
        out.text("gpu", set.gpu);
    out.text("family", set.family);
    out.text("implementation", set.implementation);
    if (!set.trusted)
        out.flag("trusted", false);
    if (!set.failedGates.empty())
        out.texts("failed_gates", set.failedGates);
    const auto has = [&](std::string_view key) {
        return std::any_of(set.citations.begin(), set.citations.end(),
                           [&](const Citation& c) { return c.key == key; });
    };
    if (whole || has("overheads"))
        out.map("overheads", [&](MapWriter& group) {
            group.quantity("graph_node", set.graphNode);
            group.quantity("eager_launch", set.eagerLaunch);
            group.number("device_spread", set.deviceSpread);
            group.number("read_share", set.readShare);
            cited.cite(group, "overheads");
        });
    if (has("fit"))
        out.map("fit", [&](MapWriter& group) { cited.cite(group, "fit"); });
    if (set.calibration)
        writeCalibrationRecord(out, cited, *set.calibration);
    if (set.links)
        writeLinksRecord(out, cited, *set.links);
    if (set.engineRuns)
        writeEngineRecord(out, cited, *set.engineRuns);
    std::vector<FormSlot> written;
    for (const FormSlot& slot : allFormSlots())
        if (whole || uncertaintyOf(set, slot).source != Source::Prior)
            written.push_back(slot);
    if (!written.empty())
        out.maps("forms", written,
                 [&](MapWriter& form, const FormSlot& slot) { writeForm(form, set, slot); });
    if (!set.exactShapes.empty())
        out.maps("exact_shapes", set.exactShapes, [](MapWriter& group, const ExactShape& shape) {
            group.text("type", gemmClassName(shape.gemm));
            group.whole("n", shape.n);
            group.whole("k", shape.k);
            group.numbers("ln_rows", shape.lnRows);
            group.numbers("ln_residual", shape.lnResidual);
        });
    cited.finish(out);
    return out.yaml();
}

} // namespace headroom
