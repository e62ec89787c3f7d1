#pragma once

#include "app/report/page_flow.h"
#include "app/report/report_document.h"
#include "model/advise/plan_view.h"
#include "model/catalogue/citation.h"
#include "model/report/explain.h"

#include <QCoreApplication>

#include <vector>

namespace headroom::app {

// One report being written, section by section: what is decided on one page, then the plan, how it behaves,
// and what it rests on.
class Report {
public:
    Report(PageFlow& page, const PlanView& planView, const ReportOptions& options)
        : m_page(page), m_planView(planView), m_options(options)
    {}

    void write()
    {
        summary();
        requirements();
        configuration();
        alternatives();
        behaviour();
        growth();
        sensitivity();
        assumptions();
        sources();
        launch();
        reproduction();
    }

private:
    // A way to buy, and what it is called here.
    struct Choice {
        QString name;
        const Candidate* candidate;
    };

    static QString tr(const char* text, const char* = nullptr, int n = -1)
    {
        return QCoreApplication::translate("headroom::app::Report", text, nullptr, n);
    }

    // report_summary.cpp
    void summary();
    void answer();
    void choices(const QString& title, const std::vector<Choice>& rows);
    void inShort();
    // report_plan.cpp
    void requirements();
    void configuration();
    void memoryTable();
    void latencyTable();
    static QString accuracyText(const QVector<std::pair<QString, Source>>& figures);
    void alternatives();
    // report_behaviour.cpp
    void behaviour();
    void growth();
    void growthTable();
    void day();
    void sensitivity();
    // report_evidence.cpp
    void assumptions();
    void sources();
    void tellFigure(const Explanation& explanation);
    void cite(const QString& what, const std::vector<Citation>& citations);
    void launch();
    void reproduction();

    [[nodiscard]] bool hasTargets() const { return m_planView.asked.targets.any(); } // to be sure of
    [[nodiscard]] bool fits() const { return m_planView.prediction.memory.fits; }

    PageFlow& m_page;
    const PlanView& m_planView;
    const ReportOptions& m_options;
};

} // namespace headroom::app
