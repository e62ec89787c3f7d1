#include "calib/engine/run_machine.h"

#include "calib/validate/row_engine.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>

namespace headroom {

namespace {

bool isFile(std::string_view name) { return name.ends_with(".yaml") || name.find('/') != std::string::npos; }

// "vLLM" of "vLLM with asynchronous scheduling": presets of one engine differ in what follows.
std::string_view makeOf(const Engine& engine)
{
    return std::string_view(engine.name).substr(0, engine.name.find(' '));
}

class Stated {
public:
    Stated(const MeasuredRow& row, const Scenario& asked, const Catalogue& catalogue)
        : m_row(row), m_scenario(asked), m_catalogue(catalogue)
    {
        engine();
        accelerator();
        model();
        weightsAreSaid();
        type(m_scenario.weights, row.weightDtype, "--weights", "weights");
        type(m_scenario.kv, row.kvDtype, "--kv", "cache");
        number(m_scenario.tp, row.tp, "--tp");
        number(m_scenario.pp, row.pp, "--pp");
        number(m_scenario.ep, row.ep, "--ep");
    }

    [[nodiscard]] Result<std::shared_ptr<const Resolved>> resolved() &&
    {
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return resolve(m_scenario, m_catalogue).map([](Resolved found) {
            return std::make_shared<const Resolved>(std::move(found));
        });
    }

private:
    void differs(std::string flag, std::string_view said, std::string_view asked)
    {
        m_problems.push_back({flag, say("the runs are of {}, not of {}", asIs(said), asIs(asked)),
                              say("leave {} out, or give the files that it is about", flag)});
    }
    void engine()
    {
        std::string& asked = m_scenario.engine;
        const auto own = m_row.engine.empty() ? Result<const Engine*>(static_cast<const Engine*>(nullptr))
                                              : engineOf(m_catalogue, m_row.engine, m_row.engineVersion);
        const Engine* const said = own ? *own : nullptr; // nobody's name says nothing
        if (asked.empty() && said != nullptr)
            asked = said->id; // else what is usual on the accelerator
        if (said == nullptr || isFile(asked))
            return;
        const auto match = m_catalogue.findEngine(asked);
        const auto found = match ? m_catalogue.engine(match->id)
                                 : Result<const Engine*>(static_cast<const Engine*>(nullptr));
        if (found && *found != nullptr && makeOf(**found) != makeOf(*said))
            differs("--engine", m_row.engine, asked);
    }
    void accelerator()
    {
        if (m_row.gpu.empty())
            return;
        if (m_scenario.gpus.empty()) {
            m_scenario.gpus = {m_row.gpu};
            return;
        }
        const std::string& asked = m_scenario.gpus.front();
        const auto said = m_catalogue.matchGpu(m_row.gpu);
        const auto meant = isFile(asked) ? std::nullopt : m_catalogue.matchGpu(asked);
        if (said && meant && said->isNamed() && said->id != meant->id)
            differs("--gpu", m_row.gpu, asked);
    }
    void model()
    {
        if (m_row.model.empty() || m_row.model == m_scenario.model)
            return;
        if (m_scenario.model.empty()) {
            m_scenario.model = m_row.model;
            return;
        }
        const auto said = m_catalogue.matchModel(m_row.model);
        const auto meant = isFile(m_scenario.model) ? std::nullopt : m_catalogue.matchModel(m_scenario.model);
        if (said && meant && said->id == m_row.model && said->id != meant->id)
            differs("--model", m_row.model, m_scenario.model);
    }
    // One name of a model stands for files of many types where the engine reads GGUF: nothing is usual there.
    void weightsAreSaid()
    {
        const auto match = m_catalogue.findEngine(m_scenario.engine);
        if (!match || !m_row.weightDtype.empty() || m_scenario.weights)
            return;
        const auto engine = m_catalogue.engine(match->id);
        if (engine && std::ranges::count((*engine)->weightTypes, DType::Q4_0) > 0)
            m_problems.push_back({"--weights", "the runs do not say in which type the weights are",
                                  "--weights says it, or a model_type in each line"});
    }
    void type(std::optional<DType>& asked, const std::string& text, const char* flag, const char* what)
    {
        if (text.empty())
            return;
        const std::optional<DType> said = dtypeFromName(text);
        if (!said && !asked)
            m_problems.push_back({flag,
                                  say("the runs' {} '{}' are of no type that is known", asIs(what), text),
                                  say("{} says which", asIs(flag))});
        else if (said && asked && *said != *asked)
            differs(flag, text, name(*asked));
        else if (said)
            asked = said;
    }
    void number(std::optional<int>& asked, const std::optional<int>& said, const char* flag)
    {
        if (said && asked && *said != *asked)
            differs(flag, std::to_string(*said), std::to_string(*asked));
        else if (said)
            asked = said;
    }

    const MeasuredRow& m_row;
    Scenario m_scenario;
    const Catalogue& m_catalogue;
    Problems m_problems;
};

} // namespace

Result<std::shared_ptr<const Resolved>> runMachine(const MeasuredRow& row, const Scenario& asked,
                                                   const Catalogue& catalogue)
{
    return Stated(row, asked, catalogue).resolved();
}

Problems severalModels(std::span<const MeasuredRow> rows, const Scenario& asked)
{
    std::set<std::string_view> names;
    for (const MeasuredRow& row : rows)
        if (!row.model.empty())
            names.insert(row.model);
    if (asked.model.empty() || names.size() < 2)
        return {};
    return {{"--model",
             say("the runs of one file are of several models, '{}' and '{}' among them", asIs(*names.begin()),
                 asIs(*std::next(names.begin()))),
             "leave --model out, or give the runs of each model apart"}};
}

} // namespace headroom
