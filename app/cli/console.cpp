#include "app/cli/console.h"

#include "model/json/problems_json.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/scenario_yaml.h"

#include <ostream>

namespace headroom::cli {

Result<std::shared_ptr<const Catalogue>> Console::catalogue()
{
    if (m_catalogue)
        return m_catalogue;
    auto opened = Catalogue::open(Catalogue::defaultRoot());
    if (opened)
        m_catalogue = *opened;
    return opened;
}

Exit Console::refuse(const Problems& told)
{
    const Problems problems = placed(told, places);
    for (const Problem& problem : problems) {
        m_err << "headroom: " << problem.where << (problem.where.empty() ? "" : ": ") << problem.what << '\n';
        if (!problem.hint.empty())
            m_err << "    " << problem.hint << '\n';
    }
    if (format == Format::Json)
        m_out << problemsJson(problems) << '\n';
    return Exit::BadInput;
}

} // namespace headroom::cli
