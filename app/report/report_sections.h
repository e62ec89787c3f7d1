#pragma once

#include "app/report/report_block.h"
#include "app/report/report_document.h"
#include "model/advise/plan_view.h"
#include "model/ask/question.h"
#include "model/catalogue/citation.h"
#include "model/report/columns.h"
#include "model/report/explain.h"
#include "model/search/job_time.h"

#include <QCoreApplication>

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::app {

// One report being put together, section by section: what is decided on one page, then the plan, how it
// behaves, what it needs, and what it rests on.
class Report {
public:
    Report(ReportBlocks& page, const PlanView& planView, const ReportOptions& options)
        : m_page(page), m_planView(planView), m_options(options)
    {}

    void write()
    {
        summary();
        changes();
        contents();
        requirements();
        configuration();
        alternatives();
        behaviour();
        needs();
        growth();
        sensitivity();
        firstMeasurements();
        assumptions();
        sources();
        launch();
        reproduction();
        glossary();
    }

private:
    // A way to buy, and what it is called here.
    struct Choice {
        QString name;
        const Candidate* candidate;
        QString document; // where the answer's document has it: "answer"
    };

    static QString tr(const char* text, const char* = nullptr, int n = -1)
    {
        return QCoreApplication::translate("headroom::app::Report", text, nullptr, n);
    }

    // report_summary.cpp
    void summary();
    void question();
    [[nodiscard]] QString recommendation() const;
    [[nodiscard]] QString withHint(QStringList sentences) const;
    [[nodiscard]] std::vector<Choice> waysToBuy() const;
    void risks();
    void contents();
    // report_costs.cpp
    enum class Marked : std::uint8_t { None, Answer };
    void choices(const QString& title, const std::vector<Choice>& rows, Marked marked = Marked::None);
    void rentOrOwn();
    void costCurve(const std::vector<Choice>& rows);
    [[nodiscard]] std::optional<JobTime> job(const Candidate& candidate) const;
    [[nodiscard]] int monthsTold() const;
    [[nodiscard]] QString spanTold() const;
    [[nodiscard]] std::optional<double> paidBy(const Candidate& candidate) const;
    [[nodiscard]] QString costSentence() const;
    // report_changes.cpp
    void changes();
    void changedFigures(const Offer& then, const Offer& now);
    // report_plan.cpp
    void requirements();
    [[nodiscard]] QString boxText() const;
    void configuration();
    void picture();
    void memoryTable();
    void latencyTable();
    static QString accuracyText(const QVector<std::pair<QString, Source>>& figures);
    [[nodiscard]] std::vector<const Column<Candidate>*> columnsFor(const std::vector<const Candidate*>& shown,
                                                                   ReportTable& table) const;
    void alternatives();
    void hints();
    // report_behaviour.cpp
    void behaviour();
    void growth();
    void growthTable();
    void day();
    void sensitivity();
    // report_operation.cpp
    void needs();
    void firstMeasurements();
    void glossary();
    // report_evidence.cpp
    void assumptions();
    void sources();
    void tellFigure(const Explanation& explanation);
    void cite(const QString& what, const std::vector<Citation>& citations);
    void launch();
    void reproduction();
    // What the question was read as, in the language of the report; empty where it says something else by
    // now.
    [[nodiscard]] std::optional<ask::Question> readQuestion() const;
    [[nodiscard]] QStringList assumedByTheQuestion() const;

    [[nodiscard]] bool hasTargets() const { return m_planView.asked.targets.any(); } // to be sure of
    [[nodiscard]] bool fits() const { return m_planView.prediction.memory.fits; }

    ReportBlocks& m_page;
    const PlanView& m_planView;
    const ReportOptions& m_options;
};

} // namespace headroom::app
