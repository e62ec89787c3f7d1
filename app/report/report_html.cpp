#include "app/desktop/charts/chart_export.h"
#include "app/report/report_block.h"

#include <QBuffer>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace headroom::app {

namespace {

constexpr double pageWidth = 495; // points: as wide as the printed column

// Self-contained: no address is fetched. A click on a head sorts its table.
const char* const style = R"(
body{font:15px/1.5 system-ui,"Noto Sans CJK SC","Microsoft YaHei",sans-serif;color:#1c2026;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1rem;color:#5f6874;font-weight:400}h2{border-bottom:2px solid #0067a3;margin-top:2.2rem}
.title{font-size:2rem;font-weight:600;margin:.3rem 0}.quiet{color:#5f6874}.lead{font-size:1.15rem}
.Good{color:#007a4d}.Doubtful{color:#8a5a00}.Bad{color:#b83a1b}.verdict{font-weight:600}
table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{padding:.25rem .5rem;border-bottom:1px solid #d5d9de;text-align:left}
th{color:#5f6874;cursor:pointer}.right{text-align:right;white-space:nowrap}.strong td{font-weight:600}
pre{background:#f4f5f7;padding:.6rem;overflow-x:auto;white-space:pre-wrap}.charts{display:flex;flex-wrap:wrap;gap:1rem}.charts figure{flex:1 1 24rem;margin:0}
figcaption{font-weight:600}svg{width:100%;height:auto}footer{color:#5f6874;border-top:1px solid #d5d9de;margin-top:2rem}
)";
const char* const script = R"(
document.querySelectorAll('th').forEach(h=>h.addEventListener('click',()=>{const b=h.closest('table').tBodies[0],i=h.cellIndex,d=h.d=-(h.d||-1);
const v=r=>{const t=r.cells[i].textContent,n=parseFloat(t.replace(/[^0-9.\-]/g,''));return isNaN(n)?t:n};
[...b.rows].sort((x,y)=>{const p=v(x),q=v(y);return (p>q?1:p<q?-1:0)*d}).forEach(r=>b.append(r))}));
)";

QString escaped(const QString& words) { return words.toHtmlEscaped(); }

QString svgOf(double width, double height, const QString& name,
              const std::function<void(QPainter&, const QRectF&)>& paint)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setViewBox(QRectF(0, 0, width, height));
    constexpr int dotsPerInch = 72; // a dot is a point
    svg.setResolution(dotsPerInch);
    QPainter painter(&svg);
    QFont letters = QGuiApplication::font();
    constexpr int size = 9;
    letters.setPixelSize(size);
    painter.setFont(letters);
    paint(painter, QRectF(0, 0, width, height));
    painter.end();
    const QString text = QString::fromUtf8(buffer.data());
    // Inside a page it needs no declaration, no size, and none of the program's own remarks.
    static const QRegularExpression body(QStringLiteral("<svg[^>]*>(.*)</svg>"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression remarks(QStringLiteral("<(title|desc)>.*?</\\1>"),
                                            QRegularExpression::DotMatchesEverythingOption);
    return QStringLiteral("<svg role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\">%4</svg>")
        .arg(escaped(name))
        .arg(width)
        .arg(height)
        .arg(body.match(text).captured(1).remove(remarks));
}

QString tableHtml(const ReportTable& table)
{
    QString out = QStringLiteral("<table><thead><tr>");
    const auto side
        = [&](qsizetype c) { return table.right.value(c) ? QStringLiteral(" class=\"right\"") : QString(); };
    for (qsizetype c = 0; c < table.headers.size(); ++c)
        out += QStringLiteral("<th%1>%2</th>").arg(side(c), escaped(table.headers[c]));
    out += QStringLiteral("</tr></thead><tbody>");
    for (qsizetype r = 0; r < table.rows.size(); ++r) {
        out += r == table.strong ? QStringLiteral("<tr class=\"strong\">") : QStringLiteral("<tr>");
        for (qsizetype c = 0; c < table.rows[r].size(); ++c) {
            const QString figure = table.figures.value(r).value(c);
            out += QStringLiteral("<td%1%2>%3</td>")
                       .arg(side(c),
                            figure.isEmpty() ? QString() : QStringLiteral(" data-figure=\"%1\"").arg(figure),
                            escaped(table.rows[r][c]));
        }
        out += QStringLiteral("</tr>\n");
    }
    return out + QStringLiteral("</tbody></table>\n");
}

QString listHtml(const QStringList& lines)
{
    QString out = QStringLiteral("<ul>");
    for (const QString& line : lines)
        out += QStringLiteral("<li>%1</li>").arg(escaped(line));
    return out + QStringLiteral("</ul>\n");
}

QString chartsHtml(const ReportBlock& block)
{
    QString out = QStringLiteral("<div class=\"charts\">");
    const double width = pageWidth / static_cast<double>(std::max<qsizetype>(1, block.charts.size()));
    for (const ChartData& chart : block.charts)
        out += QStringLiteral(
                   "<figure><figcaption>%1 <span class=\"quiet\">%2</span></figcaption>%3</figure>")
                   .arg(escaped(chart.title), escaped(chart.note),
                        svgOf(width, block.height, chart.title, [&](QPainter& painter, const QRectF& area) {
                            paintChart(painter, area, chart, ChartTheme::print());
                        }));
    return out + QStringLiteral("</div>\n");
}

QString tagged(const char* tag, const char* kind, const QString& words)
{
    return QStringLiteral("<%1%2>%3</%1>\n")
        .arg(QLatin1String(tag),
             *kind == 0 ? QString() : QStringLiteral(" class=\"%1\"").arg(QLatin1String(kind)),
             escaped(words));
}

const char* verdictClass(Tone tone)
{
    return tone == Tone::Good ? "verdict Good" : tone == Tone::Bad ? "verdict Bad" : "verdict Doubtful";
}

QString anchor(qsizetype section) { return QStringLiteral("s%1").arg(section); }

QString contentsHtml(const QVector<ReportBlock>& all)
{
    QString out = QStringLiteral("<ul>");
    for (qsizetype i = 0; i < all.size(); ++i)
        if (all[i].kind == BlockKind::Section)
            out += QStringLiteral("<li><a href=\"#%1\">%2</a></li>")
                       .arg(anchor(i), escaped(all[i].lines.constFirst()));
    return out + QStringLiteral("</ul>\n");
}

QString blockHtml(qsizetype place, const QVector<ReportBlock>& all)
{
    const ReportBlock& block = all[place];
    const QString words = block.lines.value(0);
    switch (block.kind) {
    case BlockKind::Section:
        return QStringLiteral("<h2 id=\"%1\">%2</h2>\n").arg(anchor(place), escaped(words));
    case BlockKind::Heading:
        return tagged("h3", "", words);
    case BlockKind::Title:
        return tagged("p", "title", words);
    case BlockKind::Lead:
        return tagged("p", "lead", words);
    case BlockKind::Verdict:
        return tagged("p", verdictClass(block.tone), words);
    case BlockKind::Quiet:
        return tagged("p", "quiet", words);
    case BlockKind::Paragraph:
        return tagged("p", "", words);
    case BlockKind::Bullets:
        return listHtml(block.lines);
    case BlockKind::Code:
        return tagged("pre", "", words);
    case BlockKind::Table:
        return (words.isEmpty() ? QString() : tagged("h3", "", words)) + tableHtml(block.table);
    case BlockKind::Charts:
        return chartsHtml(block);
    case BlockKind::Picture:
        return svgOf(pageWidth, block.height, block.lines.join(QStringLiteral("; ")), block.paint);
    case BlockKind::Contents:
        return contentsHtml(all);
    case BlockKind::NewPage:
        return {};
    }
    return {};
}

} // namespace

QByteArray htmlOf(const ReportBlocks& blocks, const ReportFrame& frame, const QByteArray& embedded)
{
    QString out = QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\"><meta "
                                 "name=\"viewport\" content=\"width=device-width\"><title>%2</title><style>%3"
                                 "</style></head><body>\n<h1>%2</h1>\n")
                      .arg(frame.language, escaped(frame.title), QString::fromUtf8(style));
    for (qsizetype i = 0; i < blocks.all().size(); ++i)
        out += blockHtml(i, blocks.all());
    out += QStringLiteral("<footer>%1</footer>").arg(escaped(frame.footer)) + QString::fromUtf8(embedded)
        + QStringLiteral("<script>%1</script></body></html>\n").arg(QString::fromUtf8(script));
    return out.toUtf8();
}

} // namespace headroom::app
