// What the service needs of a room and a network, what to measure before it is paid for, and the words used.
#include "app/desktop/text/glossary.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/report/report_sections.h"
#include "model/deploy/boxes.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

void Report::needs()
{
    if (!fits())
        return;
    const Candidate& answer = m_planView.answer();
    const Deployment& d = answer.deployment;
    const Service& service = m_planView.prediction.service;
    m_page.section(tr("Power and network"));
    ReportTable table{.headers = {tr("What"), tr("Value")}, .rows = {}, .widths = {3, 4}, .right = {}};
    const auto add = [&](const QString& what, const QString& value, const char* figure = "") {
        table.rows << QStringList{what, value};
        table.figures << QStringList{{}, QLatin1String(figure)};
    };
    add(tr("Machines"), wholeText(answer.nodes()), "answer.nodes");
    if (service.power.value > Watts())
        add(tr("Power of all of them"), text(service.power.value), "answer.power_w");
    if (sharesBox(d))
        add(tr("Between the GPUs of a machine"), QString::fromStdString(d.node->intra.name));
    const QString network = QString::fromStdString(d.node->inter.name);
    add(tr("Between machines"),
        answer.prompts && answer.nodes() > 1
            ? tr("%1: caches of prompts go to the GPUs that decode").arg(network)
            : spansBoxes(d) ? network
                            : tr("what a web service needs: replicas speak to nobody"));
    m_page.table(table);
}

void Report::firstMeasurements()
{
    QStringList lines;
    if (timesSource(m_planView) != Source::MeasuredHere && m_planView.sizing->meets)
        lines << tr("One replica on one machine, before the rest is paid for: start it as below and run "
                    "`headroom probe` against it. It tells measured times beside these.");
    const std::vector<Sensitivity>& all = m_planView.sizing->sensitivity;
    const auto width = [](const Sensitivity& s) { return std::abs(s.speedHigh - s.speedLow); };
    const auto most = std::max_element(all.begin(), all.end(),
                                       [&](const auto& a, const auto& b) { return width(a) < width(b); });
    if (most != all.end() && width(*most) > 0)
        lines << tr("The speed moves most with %1: make sure of it.").arg(modelText(most->input));
    for (const UsualValue& usual : usualValuesOf(m_planView))
        if (usual.key == "prompt" || usual.key == "output")
            lines << tr("Lengths were not stated (%1): take them from what your users send.").arg(usual.text);
    if (lines.isEmpty() && m_planView.sizing->meets)
        lines << tr("The times were measured on this machine; the traffic is what remains to be watched.");
    if (lines.isEmpty())
        return; // nothing that would run
    m_page.section(tr("What to measure first"));
    m_page.bullets(lines);
}

void Report::glossary()
{
    constexpr double wholeTable = 330; // points
    m_page.section(tr("Words"), wholeTable);
    ReportTable table{.headers = {tr("Word"), tr("Meaning")}, .rows = {}, .widths = {1.4, 5}, .right = {}};
    for (const GlossaryEntry& entry : app::glossary())
        table.rows << QStringList{entry.word, entry.meaning};
    m_page.table(table);
}

} // namespace headroom::app
