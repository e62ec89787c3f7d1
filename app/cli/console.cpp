#include "app/cli/console.h"

#include "app/cli/hidden_keys.h"
#include "model/base/told_problems.h"
#include "model/json/problems_json.h"
#include "model/report/translation.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/scenario_yaml.h"

#include <ostream>

namespace headroom::cli {

Result<std::shared_ptr<const Catalogue>> Console::catalogue()
{
    if (m_catalogue)
        return m_catalogue;
    auto opened = Catalogue::open(Catalogue::defaultRoot(), OwnCalibrations::ofUser());
    if (opened)
        m_catalogue = *opened;
    return opened;
}

std::string Console::told(const Message& message) const
{
    return language == ask::Language::Chinese ? inChinese(message) : message.english();
}

void Console::note(const Message& message) { m_err << "headroom: " << told(message) << '\n'; }

Exit Console::refuse(const Problems& told)
{
    tell(placed(toldProblems(told), places));
    return Exit::BadInput;
}

Exit Console::breakOff(const Problem& problem)
{
    tell({problem});
    return Exit::BrokenMachine;
}

void Console::tell(Problems problems)
{
    for (Problem& problem : problems) {
        problem = {withoutKeys(problem.where), asIs(withoutKeys(told(problem.what))),
                   asIs(withoutKeys(told(problem.hint)))};
        m_err << "headroom: " << problem.where << (problem.where.empty() ? "" : ": ")
              << problem.what.english() << '\n';
        if (!problem.hint.empty())
            m_err << "    " << problem.hint.english() << '\n';
    }
    if (format == Format::Json)
        out() << problemsJson(problems) << '\n';
}

} // namespace headroom::cli
