#include "app/cli/console.h"

#include "model/json/problems_json.h"

#include <ostream>

namespace headroom::cli {

Exit Console::refuse(const Problems& problems)
{
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
