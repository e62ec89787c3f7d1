// What a Chinese window writes is Chinese, but for names, units and words of the trade, and stands there
// whole.
#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/answer_header.h"
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/main_window.h"
#include "model/catalogue/citation.h"
#include "tests/app/desktop/cut_words.h"
#include "tests/app/desktop/fixture.h"
#include "tests/app/desktop/translation_test.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QTextDocument>

#include <set>

using namespace headroom;
using namespace headroom::app;

namespace {

const QRegularExpression latinWord(QStringLiteral("[A-Za-z]{3,}"));

void addWords(std::set<QString>& words, const QString& text)
{
    for (auto each = latinWord.globalMatch(text); each.hasNext();)
        words.insert(each.next().captured().toLower());
}

// Names of things, as the catalogue has them, and what the trade writes in Latin letters everywhere.
std::set<QString> namesOf(const Catalogue& catalogue)
{
    std::set<QString> words;
    const auto add = [&](const std::string& id, const auto& thing) {
        addWords(words, QString::fromStdString(id));
        if (!thing)
            return;
        addWords(words, QString::fromStdString((*thing)->name));
        for (const Citation& citation : (*thing)->citations) // of pages that somebody else wrote
            addWords(words, QString::fromStdString(citation.text));
    };
    for (const std::string& id : catalogue.modelIds()) {
        const auto model = catalogue.model(id);
        add(id, model);
        if (model)
            addWords(words, QString::fromStdString((*model)->licence));
    }
    for (const std::string& id : catalogue.gpuIds()) {
        const auto gpu = catalogue.gpu(id);
        add(id, gpu);
        if (gpu)
            addWords(words, QString::fromStdString((*gpu)->cloudPriceRange)); // who asks how much
    }
    for (const std::string& id : catalogue.nodeIds())
        add(id, catalogue.node(id));
    for (const std::string& id : catalogue.engineIds())
        add(id, catalogue.engine(id));
    return words;
}

QString shown(const QString& text)
{
    if (!Qt::mightBeRichText(text))
        return text;
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

void addChart(QStringList& texts, const ChartData& data)
{
    texts << data.title << data.note << data.whenEmpty;
    for (const ChartAxis* axis : {&data.x, &data.y})
        texts << axis->title << axis->unit << axis->categories;
    for (const ChartSeries& series : data.series)
        texts << series.name << series.labels << series.captions << series.endLabel;
    for (const ChartMark& mark : data.marks)
        texts << mark.text;
}

void addTable(QStringList& texts, const QAbstractItemModel& table)
{
    constexpr int mostRows = 60;
    for (int c = 0; c < table.columnCount(); ++c) {
        texts << table.headerData(c, Qt::Horizontal).toString();
        for (int r = 0; r < std::min(mostRows, table.rowCount()); ++r)
            texts << table.index(r, c).data().toString();
    }
}

// Everything in it that is read, and what is told of it.
QStringList textsOf(const QWidget& window)
{
    QStringList texts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->isHidden())
            continue;
        texts << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription();
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            texts << shown(label->text());
        else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            texts << button->text();
        else if (const auto* line = qobject_cast<const QLineEdit*>(widget))
            texts << line->placeholderText();
        else if (const auto* browser = qobject_cast<const QTextBrowser*>(widget))
            texts << browser->toPlainText();
        else if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
            texts << dock->windowTitle();
        else if (const auto* chart = qobject_cast<const Chart*>(widget))
            addChart(texts, chart->data());
        else if (const auto* table = qobject_cast<const QTableView*>(widget))
            addTable(texts, *table->model());
        else if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                texts << tabs->tabText(i) << tabs->tabToolTip(i);
        else if (const auto* box = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < box->count(); ++i)
                texts << box->itemText(i);
    }
    for (const QAction* action : window.findChildren<QAction*>())
        texts << action->text();
    return texts;
}

// Names, units, types of numbers, terms and operators that are written so everywhere, and what is typed as a
// value.
std::set<QString> knownWords(const Catalogue& catalogue)
{
    std::set<QString> known = namesOf(catalogue);
    for (const char* word :
         {"min",      "token",    "tokens",      "tok",     "req",       "flop",  "tflop",     "pflop",
          "gflop",    "int",      "mxfp",        "nvfp",    "usd",       "cny",   "pdf",       "csv",
          "json",     "yaml",     "html",        "gqa",     "mha",       "mqa",   "mla",       "moe",
          "mlp",      "mtp",      "qkv",         "pue",     "api",       "eplb",  "lora",      "rag",
          "ttft",     "tpot",     "tps",         "gpu",     "gpus",      "cpu",   "cuda",      "kv",
          "nvlink",   "nvswitch", "transformer", "trtllm",  "lognormal", "mean",  "uniform",   "routed",
          "balanced", "draft",    "ngram",       "poisson", "constant",  "gamma", "weibull",   "closed",
          "prefill",  "decode",   "attention",   "gate",    "down",      "head",  "out",       "all",
          "reduce",   "ctrl",     "language",    "english", "bench",     "http",  "localhost", "headroom",
          "validate", "fit",      "libcuda"})
        known.insert(QLatin1String(word));
    return known;
}

// What is wrong in a Chinese window whose views and explanations are gone through: one walk for all tests of
// it.
struct Walk {
    QStringList english;
    QStringList cut;    // on the smallest screen that is worked on
    QStringList halted; // why it was not gone through to the end
};

Walk walkThroughChinese()
{
    const QSize usual(1400, 900);
    const QSize smallest(1024, 700);
    Walk walk;
    Desk desk;
    const std::set<QString> known = knownWords(*desk.shared);
    MainWindow window(*desk.workspace);
    window.resize(usual);
    window.show();
    const auto look = [&](const QString& where) {
        for (const QString& text : textsOf(window)) {
            std::set<QString> words;
            addWords(words, text);
            for (const QString& word : words)
                if (!known.contains(word) && !walk.english.join(u'\n').contains(u'“' + word + u'”'))
                    walk.english << QStringLiteral("%1 “%2” %3").arg(where, word, text.left(160));
        }
        window.resize(smallest);
        QCoreApplication::processEvents(); // docks that have no room move when the window is laid out
        QCoreApplication::processEvents();
        for (const QString& cut : cutWords(window))
            walk.cut << where + u' ' + cut;
        window.resize(usual);
    };
    const auto settle = [&] {
        return QTest::qWaitFor(
            [&] {
                return desk.session().isCurrent() && !desk.session().isPlanning()
                    && desk.session().planView()->depth == PlanDepth::Replayed;
            },
            patienceMs);
    };
    for (const QString& question : {QStringLiteral("Llama-70B，H100，100 个用户，20 token/s，每年增长 40 %"),
                                    QStringLiteral("1 张 RTX 4090 能跑 Llama-70B 吗？20 TPS")}) {
        window.askBar().ask(question);
        if (!window.askBar().problem().isEmpty() || !settle())
            walk.halted << question + window.askBar().problem();
        for (const QString& view : window.viewNames()) {
            if (view == QStringLiteral("compare") || view == QStringLiteral("accuracy"))
                continue; // plan for everything there is
            window.showView(view);
            if (!QTest::qWaitFor([&] { return !window.currentView()->isBusy(); }, patienceMs))
                walk.halted << view;
            look(view);
        }
        for (const char* figure : {"tpot", "ttft", "memory", "cost", "confidence", "assumptions", "params"}) {
            window.explain(
                {.figure = QLatin1String(figure), .of = {}, .resolved = nullptr, .explanations = {}});
            look(QStringLiteral("explain ") + QLatin1String(figure));
        }
    }
    window.showStart();
    look(QStringLiteral("start"));
    return walk;
}

const Walk& chineseWalk()
{
    static const Walk walk = [] {
        auto* const application = qobject_cast<Application*>(qApp);
        application->setLanguage(QStringLiteral("zh_CN"));
        Walk walked = walkThroughChinese();
        application->setLanguage(QStringLiteral("en"));
        return walked;
    }();
    return walk;
}

void verifyNone(const QStringList& lines, const char* what)
{
    for (const QString& line : lines)
        qWarning("%s", qUtf8Printable(line));
    QVERIFY2(lines.isEmpty(), what);
}

} // namespace

void TranslationTest::noEnglishIsLeftInAChineseWindow()
{
    verifyNone(chineseWalk().halted, "not gone through, told above");
    verifyNone(chineseWalk().english, "words of English, told above");
}

void TranslationTest::noWordIsCutInASmallWindow()
{
    verifyNone(chineseWalk().cut, "words without room, told above");
}
