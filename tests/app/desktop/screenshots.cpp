// Pictures of every view in both appearances and languages, in windows as large as screens are, and of states
// that a user meets: desktop_screenshots FOLDER [BEGIN], all or those whose name begins so, one by one and
// four to a sheet. Not a test by itself; someone looks at them. Words that have no room are told.
#include "app/desktop/panels/ask_bar.h"
#include "app/desktop/panels/explain_panel.h"
#include "app/desktop/panels/scenario_field.h"
#include "app/desktop/panels/scenario_panel.h"
#include "app/desktop/session/workspace.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/views/view.h"
#include "app/desktop/window/application.h"
#include "app/desktop/window/command_palette.h"
#include "app/desktop/window/main_window.h"
#include "model/advise/plan_view.h"
#include "model/yaml/catalogue.h"
#include "tests/app/desktop/contact_sheet.h"
#include "tests/app/desktop/cut_words.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace headroom;
using namespace headroom::app;

namespace {

const QSize usual(1440, 900);
const QSize screens[]{{1024, 700},
                      {1366, 768},
                      {1920, 1080},
                      {2560, 1440}}; // the smallest that is worked on, and what many have

// A window on a workspace of its own, on the example or on what is asked.
class Scene {
public:
    Scene(const std::shared_ptr<const Catalogue>& catalogue, const QSize& size, ContactSheet& sheet)
        : m_workspace(catalogue,
                      {m_home.filePath(QStringLiteral("s.ini")), m_home.filePath(QStringLiteral("r")),
                       m_home.filePath(QStringLiteral("m"))}),
          m_sheet(sheet)
    {
        m_workspace.start({});
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(size);
        m_window->show();
        (void)QTest::qWaitForWindowExposed(m_window.get());
        settle();
    }
    [[nodiscard]] MainWindow& window() { return *m_window; }
    void settle()
    {
        (void)QTest::qWaitFor(
            [&] {
                const Session& session = m_workspace.current()->session();
                return session.planView() && !session.isPlanning();
            },
            20000);
    }
    void show(const QString& view)
    {
        m_window->showView(view);
        QTest::qWait(60); // the queued repaint of charts
        (void)QTest::qWaitFor([&] { return !m_window->currentView()->isBusy(); }, 60000);
        QTest::qWait(60);
    }
    void ask(const QString& question, const QString& view)
    {
        m_window->askBar().ask(question);
        QTest::qWait(20);
        settle();
        show(view);
    }
    void plan(const Scenario& scenario)
    {
        m_workspace.current()->edit(scenario, QStringLiteral("another plan"));
        QTest::qWait(20);
        settle();
    }
    void save(const QString& path)
    {
        QTest::qWait(60);
        const QPixmap picture = m_window->grab();
        picture.save(path + QStringLiteral(".png"));
        m_sheet.add(picture);
        for (const QString& cut : cutWords(*m_window))
            std::printf("%s: %s\n", qPrintable(path.section(u'/', -1)), qPrintable(cut));
    }

private:
    QTemporaryDir m_home;
    Workspace m_workspace;
    ContactSheet& m_sheet;
    std::unique_ptr<MainWindow> m_window;
};

void shootViews(Scene& scene, const QString& prefix)
{
    for (const QString& view : scene.window().viewNames()) {
        scene.show(view);
        scene.save(prefix + view);
    }
    scene.show(QStringLiteral("batch"));
    scene.window().explain(
        {.figure = QStringLiteral("tpot"), .of = {}, .resolved = nullptr, .explanations = {}});
    scene.save(prefix + QStringLiteral("explain"));
}

// A service that is used by day, and by more people every year.
Scenario growingService()
{
    Scenario scenario;
    scenario.name = "A service that grows";
    scenario.model = "llama-3.1-70b";
    scenario.gpus = {"h100-sxm-80gb"};
    scenario.weights = DType::Fp8;
    scenario.prompt = LengthDistribution::of(2048);
    scenario.output = LengthDistribution::of(300);
    scenario.requestsPerSecond = 6;
    scenario.targets.tokensPerSecond = 20;
    scenario.targets.ttft = Seconds(2);
    scenario.traffic = "poisson:peak=2.5,hour=14";
    scenario.growthPerYear = 0.4;
    scenario.spares = 1;
    return scenario;
}

void shootGrowing(const std::shared_ptr<const Catalogue>& catalogue, const QString& prefix,
                  ContactSheet& sheet)
{
    Scene scene(catalogue, usual, sheet);
    scene.plan(growingService());
    for (const char* view : {"overtime", "serving", "compare", "roofline", "tradeoff"}) {
        scene.show(QString::fromLatin1(view));
        scene.save(prefix + QString::fromLatin1(view));
    }
}

void shootStates(const std::shared_ptr<const Catalogue>& catalogue, const QSize& size, const QString& prefix,
                 ContactSheet& sheet)
{
    Scene scene(catalogue, size, sheet);
    const bool chinese = speaksChinese();
    scene.ask(chinese ? QStringLiteral("DeepSeek-V3 fp8，200 个用户，每人 20 token/s，最便宜的 GPU")
                      : QStringLiteral("cheapest GPUs for DeepSeek-V3 fp8 at 20 tps for 200 users"),
              QStringLiteral("layouts"));
    scene.save(prefix + QStringLiteral("asked"));
    scene.ask(chinese ? QStringLiteral("1 张 RTX 4090 能跑 Llama-70B 吗？20 TPS")
                      : QStringLiteral("Llama-70B on 1 RTX 4090 at 20 TPS"),
              QStringLiteral("memory"));
    scene.save(prefix + QStringLiteral("refused"));
    ScenarioField* const prompt = scene.window().scenarioPanel().field(QStringLiteral("prompt"));
    prompt->editor()->setText(QStringLiteral("many"));
    emit prompt->editor()->textEdited(QStringLiteral("many"));
    scene.show(QStringLiteral("tradeoff"));
    scene.save(prefix + QStringLiteral("wrong-input"));
}

// What helps along: the start page, the tour, the palette, the tray.
void shootHelps(const std::shared_ptr<const Catalogue>& catalogue, const QSize& size, const QString& prefix,
                ContactSheet& sheet)
{
    Scene scene(catalogue, size, sheet);
    MainWindow& window = scene.window();
    window.showStart();
    scene.save(prefix + QStringLiteral("start"));
    window.showView(QStringLiteral("batch"));
    const auto press = [&](Qt::Key key) { QTest::keyClick(&window, key, Qt::ControlModifier); };
    press(Qt::Key_D);
    Scenario wider = Workspace::example();
    wider.gpuCount = 4;
    scene.plan(wider);
    scene.show(QStringLiteral("batch"));
    scene.save(prefix + QStringLiteral("pinned"));
    press(Qt::Key_K);
    QTest::keyClicks(window.commandPalette()->editor(), QStringLiteral("re"));
    scene.save(prefix + QStringLiteral("palette"));
    QTest::keyClick(window.commandPalette()->editor(), Qt::Key_Escape);
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().contains(QStringLiteral("&T")) || action->text().contains(QStringLiteral("&tour")))
            if (action->text().contains(QStringLiteral("tour"))
                || action->text().contains(QStringLiteral("导览")))
                action->trigger();
    scene.save(prefix + QStringLiteral("tour"));
}

} // namespace

int main(int argc, char** argv)
{
    Application application(argc, argv);
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    if (argc < 2 || !catalogue)
        return 2;
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    const QString begin = QString::fromLocal8Bit(argc > 2 ? argv[2] : "");
    QDir().mkpath(folder.path());
    for (const auto& [appearance, look] : {std::pair(Appearance::Light, QStringLiteral("light")),
                                           std::pair(Appearance::Dark, QStringLiteral("dark"))}) {
        for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
            application.setAppearance(appearance);
            application.setLanguage(language);
            const QString name = look + u'-' + language + u'-';
            const QString prefix = folder.filePath(name);
            if (name.startsWith(begin)) {
                ContactSheet sheet(folder.filePath(QStringLiteral("sheet-") + name));
                Scene scene(*catalogue, usual, sheet);
                shootViews(scene, prefix);
                shootStates(*catalogue, usual, prefix + QStringLiteral("state-"), sheet);
                shootGrowing(*catalogue, prefix + QStringLiteral("growing-"), sheet);
                shootHelps(*catalogue, usual, prefix + QStringLiteral("helps-"), sheet);
            }
            for (const QSize& screen : screens) {
                const QString sized
                    = QStringLiteral("%1x%2-").arg(screen.width()).arg(screen.height()) + name;
                if (!sized.startsWith(begin))
                    continue;
                ContactSheet sheet(folder.filePath(QStringLiteral("sheet-") + sized));
                Scene scene(*catalogue, screen, sheet);
                shootViews(scene, folder.filePath(sized));
                shootStates(*catalogue, screen, folder.filePath(sized) + QStringLiteral("state-"), sheet);
                shootHelps(*catalogue, screen, folder.filePath(sized) + QStringLiteral("helps-"), sheet);
            }
        }
    }
    return 0;
}
