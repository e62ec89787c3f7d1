#include "app/cli/sizing.h"

#include "model/json/sizing_json.h"
#include "model/report/sizing_table.h"
#include "model/report/sizing_text.h"

#include <ostream>

namespace headroom::cli {

Result<ask::Language> languageFrom(const Arguments& arguments, ask::Language usual)
{
    const auto text = arguments.text("--lang");
    if (!text)
        return usual;
    if (*text == "en")
        return ask::Language::English;
    if (*text == "zh" || *text == "zh_CN" || *text == "zh-CN")
        return ask::Language::Chinese;
    return refuse("--lang", "unknown language '" + *text + "'", "en or zh");
}

Exit printSizing(const SizingPlan& plan, const ask::Question* question, ask::Language language,
                 Console& console)
{
    switch (console.format) {
    case Format::Json:
        console.out() << (question != nullptr ? sizingJson(plan, *question) : sizingJson(plan)) << '\n';
        break;
    case Format::Csv:
    case Format::Markdown:
        console.out() << sizingTable(plan, console.format == Format::Markdown);
        break;
    case Format::Text:
        console.out() << sizingText(plan, question, language);
        break;
    }
    return plan.meets ? Exit::Done : Exit::No;
}

} // namespace headroom::cli
