#include "app/report/report_block.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {

QString cell(QString words) { return words.replace(u'|', QStringLiteral("\\|")).replace(u'\n', u' '); }

QString tableText(const ReportTable& table)
{
    QString out;
    QStringList head;
    QStringList rule;
    for (qsizetype c = 0; c < table.headers.size(); ++c) {
        head << cell(table.headers[c]);
        rule << (table.right.value(c) ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    out += QStringLiteral("| %1 |\n| %2 |\n")
               .arg(head.join(QStringLiteral(" | ")), rule.join(QStringLiteral(" | ")));
    for (qsizetype r = 0; r < table.rows.size(); ++r) {
        QStringList cells;
        for (const QString& words : table.rows[r])
            cells << (r == table.strong && !words.isEmpty() ? QStringLiteral("**%1**").arg(cell(words))
                                                            : cell(words));
        out += QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
    }
    return out + u'\n';
}

// A picture has no place in plain text: which one it is, and where it stands.
QString chartText(const ChartData& chart)
{
    return QStringLiteral("*%1*\n\n")
        .arg(QCoreApplication::translate("Report", "%1: drawn in the PDF and HTML report").arg(chart.title));
}

QString contentsText(const QVector<ReportBlock>& all)
{
    QString out;
    for (const ReportBlock& block : all)
        if (block.kind == BlockKind::Section)
            out += QStringLiteral("- %1\n").arg(block.lines.constFirst());
    return out + u'\n';
}

QString bulletsText(const QStringList& lines)
{
    QString out;
    for (const QString& line : lines)
        out += QStringLiteral("- %1\n").arg(line);
    return out + u'\n';
}

QString blockText(const ReportBlock& block, const QVector<ReportBlock>& all)
{
    const QString words = block.lines.value(0);
    switch (block.kind) {
    case BlockKind::Section:
        return QStringLiteral("## %1\n\n").arg(words);
    case BlockKind::Heading:
        return QStringLiteral("### %1\n\n").arg(words);
    case BlockKind::Title:
    case BlockKind::Verdict:
        return QStringLiteral("**%1**\n\n").arg(words);
    case BlockKind::Lead:
    case BlockKind::Quiet:
    case BlockKind::Paragraph:
        return words + QStringLiteral("\n\n");
    case BlockKind::Bullets:
    case BlockKind::Picture:
        return bulletsText(block.lines);
    case BlockKind::Code:
        return QStringLiteral("```\n%1\n```\n\n").arg(words);
    case BlockKind::Table:
        return (words.isEmpty() ? QString() : QStringLiteral("### %1\n\n").arg(words))
            + tableText(block.table);
    case BlockKind::Charts: {
        QString out;
        for (const ChartData& chart : block.charts)
            out += chartText(chart);
        return out;
    }
    case BlockKind::Contents:
        return contentsText(all);
    case BlockKind::NewPage:
        return QStringLiteral("---\n\n");
    }
    return {};
}

} // namespace

QByteArray markdownOf(const ReportBlocks& blocks, const ReportFrame& frame, const QByteArray& embedded)
{
    QString out = QStringLiteral("# %1\n\n").arg(frame.title);
    for (const ReportBlock& block : blocks.all())
        out += blockText(block, blocks.all());
    return (out + QStringLiteral("---\n\n%1\n\n").arg(frame.footer)).toUtf8() + embedded + '\n';
}

} // namespace headroom::app
