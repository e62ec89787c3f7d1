#pragma once

#include "app/desktop/session/workspace.h"
#include "model/advise/plan_view.h"
#include "model/yaml/catalogue.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::app {

// For a state that comes by itself: whoever runs out of it hangs. A busy machine never does.
constexpr int patienceMs = 800'000; // below the 15 minutes of ctest

inline Scenario withSpeed(Scenario scenario, double tokensPerSecond)
{
    scenario.targets.tokensPerSecond = tokensPerSecond;
    return scenario;
}

inline void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

// What a window would tell now, line by line.
inline QStringList told(Workspace& workspace)
{
    QStringList lines;
    for (const Notice& notice : workspace.takeNotices())
        lines << notice.text;
    return lines;
}

// Read by all and changed by none: a program of tests reads its files once.
inline std::shared_ptr<const Catalogue> shippedCatalogue()
{
    static const auto open = Catalogue::open(Catalogue::defaultRoot());
    if (!open)
        qFatal("%s", open.error().front().what.english().c_str());
    return *open;
}

// A workspace of its own for each test, with places of its own.
struct Desk {
    QTemporaryDir home;
    std::unique_ptr<Workspace> workspace;

    Desk() { reopen(); }
    // As if the program were started anew on the same files.
    void reopen()
    {
        workspace.reset();
        workspace = std::make_unique<Workspace>(shared, places());
        workspace->start({});
    }
    [[nodiscard]] WorkspacePlaces places() const
    {
        return {home.filePath(QStringLiteral("settings.ini")), home.filePath(QStringLiteral("recovery")),
                home.filePath(QStringLiteral("models"))};
    }
    [[nodiscard]] Session& session() const { return workspace->current()->session(); }
    // Waits until the scenario as it is now has been planned or refused.
    [[nodiscard]] bool settle() const
    {
        return QTest::qWaitFor(
            [this] {
                return !session().isPlanning() && (session().planView() || !session().problems().empty());
            },
            patienceMs);
    }

    std::shared_ptr<const Catalogue> shared = shippedCatalogue();
};

} // namespace headroom::app
