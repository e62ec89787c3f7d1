#include "app/desktop/drawing/layout_picture.h"

#include "app/desktop/text/quantities.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr double gap = 4;
constexpr double smallestSquare = 9;
constexpr double largestSquare = 60;

// How the squares of one replica are arranged: pipeline stages below each other in as many columns as it
// takes, in each dp groups of tp squares.
struct Grid {
    int shownReplicas = 1;
    int replicaColumns = 1;
    int groupColumns = 1; // squares of a tp group side by side
    int groupRows = 1;
    int dpColumns = 1;
    int dpRows = 1;
    int stageColumns = 1;
    int stageRows = 1;
    double square = largestSquare;
    double frame = gap; // between the frame of a group and its squares
    QSizeF group;
    QSizeF stage;
    QSizeF replica;
};

Grid measured(const Layout& layout, const QSizeF& room, int replicas, int replicaColumns, int stageColumns)
{
    Grid grid{.shownReplicas = replicas, .replicaColumns = replicaColumns, .stageColumns = stageColumns};
    grid.stageRows = (layout.pp + stageColumns - 1) / stageColumns;
    grid.groupColumns = layout.tp <= 4 ? layout.tp : (layout.tp + 1) / 2;
    grid.groupRows = (layout.tp + grid.groupColumns - 1) / grid.groupColumns;
    if (layout.tp > 16) {
        grid.groupColumns = static_cast<int>(std::ceil(std::sqrt(layout.tp)));
        grid.groupRows = (layout.tp + grid.groupColumns - 1) / grid.groupColumns;
    }
    grid.dpColumns = static_cast<int>(std::ceil(std::sqrt(layout.dp * 2.0)));
    grid.dpColumns = std::min(grid.dpColumns, layout.dp);
    grid.dpRows = (layout.dp + grid.dpColumns - 1) / grid.dpColumns;
    const int rows = (replicas + replicaColumns - 1) / replicaColumns;
    const int stagesAcross = replicaColumns * stageColumns;
    const int stagesDown = rows * grid.stageRows;
    const double across = stagesAcross * grid.dpColumns * grid.groupColumns;
    const double down = stagesDown * grid.dpRows * grid.groupRows;
    grid.frame = layout.tp > 1 ? gap : 0;
    const auto around = [&grid](int squares) { return (squares - 1) * gap + 2 * grid.frame + gap; };
    const double frames
        = stagesAcross * (grid.dpColumns * around(grid.groupColumns) + gap) + 2 * gap * replicaColumns;
    const double framesDown = stagesDown * (grid.dpRows * around(grid.groupRows) + gap) + 2 * gap * rows;
    grid.square
        = std::min({(room.width() - frames) / across, (room.height() - framesDown) / down, largestSquare});
    grid.group = {grid.groupColumns * (grid.square + gap) - gap + 2 * grid.frame,
                  grid.groupRows * (grid.square + gap) - gap + 2 * grid.frame};
    grid.stage = {grid.dpColumns * (grid.group.width() + gap) + gap,
                  grid.dpRows * (grid.group.height() + gap) + gap};
    grid.replica = {stageColumns * grid.stage.width() + gap, grid.stageRows * grid.stage.height() + gap};
    return grid;
}

// As many replicas as keep the squares readable, in the arrangement with the largest squares.
Grid arranged(const Layout& layout, const QSizeF& room)
{
    for (int shown = std::min(layout.replicas, 16); shown >= 1; --shown) {
        Grid best = measured(layout, room, shown, 1, 1);
        for (int columns = 1; columns <= shown; ++columns)
            for (int stages = 1; stages <= layout.pp; ++stages)
                if (const Grid grid = measured(layout, room, shown, columns, stages);
                    grid.square > best.square)
                    best = grid;
        if (best.square >= smallestSquare || shown == 1)
            return best;
    }
    return measured(layout, room, 1, 1, 1);
}

void paintSquare(QPainter& painter, const QRectF& area, double share, const ChartTheme& theme)
{
    const double radius = std::min(3.0, area.width() / 5);
    QColor ground = theme.series[0];
    ground.setAlphaF(0.16F);
    painter.setPen(QPen(theme.series[0], 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(area, radius, radius);
    const double level = area.height() * std::clamp(share, 0.0, 1.0);
    QColor fill = share > 1 ? theme.bad : theme.series[0];
    fill.setAlphaF(0.55F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRect(
        QRectF(area.left() + 1, area.bottom() - level, area.width() - 2, std::max(0.0, level - 1)));
    // How full, in words, where they fit; a pool drawn empty is not what memory limits.
    const QString words = percentText(share);
    const QFontMetricsF metrics(painter.font(), painter.device());
    if (share <= 0 || metrics.horizontalAdvance(words) > area.width() - 6)
        return;
    painter.setPen(theme.text);
    painter.drawText(area, Qt::AlignCenter, words);
}

// One pool of GPUs.
struct Pool {
    Layout layout;
    double memoryShare = 0;
};

void paintGroup(QPainter& painter, QPointF at, const Grid& grid, const Pool& scene, const ChartTheme& theme)
{
    if (scene.layout.tp > 1) {
        QColor frame = theme.series[2];
        painter.setPen(QPen(frame, 1.4));
        frame.setAlphaF(0.07F);
        painter.setBrush(frame);
        painter.drawRoundedRect(QRectF(at, grid.group), 4, 4);
    }
    for (int i = 0; i < scene.layout.tp; ++i) {
        const QPointF place(at.x() + grid.frame + (i % grid.groupColumns) * (grid.square + gap),
                            at.y() + grid.frame + (i / grid.groupColumns) * (grid.square + gap));
        paintSquare(painter, QRectF(place, QSizeF(grid.square, grid.square)), scene.memoryShare, theme);
    }
}

void paintReplica(QPainter& painter, QPointF at, const Grid& grid, const Pool& scene, const ChartTheme& theme)
{
    painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    if (scene.layout.replicas > 1 || scene.layout.pp > 1 || scene.layout.dp > 1)
        painter.drawRoundedRect(QRectF(at, grid.replica), 5, 5);
    for (int stage = 0; stage < scene.layout.pp; ++stage) {
        const double left = at.x() + gap + (stage / grid.stageRows) * grid.stage.width();
        const double top = at.y() + gap + (stage % grid.stageRows) * grid.stage.height();
        for (int rank = 0; rank < scene.layout.dp; ++rank) {
            const QPointF place(left + (rank % grid.dpColumns) * (grid.group.width() + gap),
                                top + gap / 2 + (rank / grid.dpColumns) * (grid.group.height() + gap));
            paintGroup(painter, place, grid, scene, theme);
        }
        if (stage % grid.stageRows > 0) { // activations flow downwards, then on from the next column's top
            const double x = left + (grid.stage.width() - gap) / 2;
            painter.setPen(QPen(theme.series[1], 1.6));
            painter.drawLine(QPointF(x, top - gap), QPointF(x, top + gap / 2));
        }
    }
}

// The pool in the middle of the area; where it ends below.
double paintPool(QPainter& painter, const QRectF& area, const Pool& pool, const ChartTheme& theme)
{
    const Grid grid = arranged(pool.layout, area.size());
    const int rows = (grid.shownReplicas + grid.replicaColumns - 1) / grid.replicaColumns;
    const QSizeF whole(grid.replicaColumns * (grid.replica.width() + gap),
                       rows * (grid.replica.height() + gap));
    const QPointF origin(area.left() + std::max(0.0, (area.width() - whole.width()) / 2),
                         area.top() + std::max(0.0, (area.height() - whole.height()) / 2));
    for (int i = 0; i < grid.shownReplicas; ++i)
        paintReplica(painter,
                     origin
                         + QPointF((i % grid.replicaColumns) * (grid.replica.width() + gap),
                                   (i / grid.replicaColumns) * (grid.replica.height() + gap)),
                     grid, pool, theme);
    return origin.y() + std::min(whole.height(), area.height());
}

// A cache on its way from the pool on the left to the one on the right.
void paintArrow(QPainter& painter, const QRectF& area, const ChartTheme& theme)
{
    constexpr double head = 4;
    const QPointF tip(area.right(), area.center().y());
    painter.setPen(QPen(theme.series[1], 1.6));
    painter.drawLine(QPointF(area.left(), tip.y()), tip);
    painter.drawLine(tip, tip - QPointF(head, head));
    painter.drawLine(tip, tip - QPointF(head, -head));
}

} // namespace

QString describeLayout(const LayoutScene& scene)
{
    const Layout& layout = scene.layout;
    QStringList parts;
    if (layout.tp > 1)
        parts << (scene.intraLink.isEmpty()
                      ? LayoutPicture::tr("tensor parallel %1").arg(layout.tp)
                      : LayoutPicture::tr("tensor parallel %1 over %2").arg(layout.tp).arg(scene.intraLink));
    if (layout.pp > 1)
        parts << LayoutPicture::tr("%1 pipeline stages").arg(layout.pp);
    if (layout.dp > 1)
        parts << LayoutPicture::tr("%1 attention ranks").arg(layout.dp);
    if (layout.ep > 1)
        parts << LayoutPicture::tr("experts over %1").arg(layout.ep);
    if (layout.replicas > 1)
        parts << LayoutPicture::tr("%1 replicas").arg(layout.replicas);
    if (scene.prompts)
        parts.prepend(LayoutPicture::tr("prompts on %1 GPUs, decoding on %2")
                          .arg(scene.prompts->gpus())
                          .arg(layout.gpus()));
    if (!scene.interLink.isEmpty())
        parts << LayoutPicture::tr("%1 between nodes").arg(scene.interLink);
    if (!scene.fits)
        parts.prepend(LayoutPicture::tr("does not fit"));
    return parts.isEmpty() ? LayoutPicture::tr("one GPU holds everything")
                           : parts.join(QStringLiteral(" · "));
}

namespace {

const QString dot = QStringLiteral(" · ");

// A line ends where a part does: no part is torn that fits on a line.
QString inLines(const QString& words, const QFontMetricsF& metrics, double width)
{
    QStringList lines;
    for (const QString& part : words.split(dot))
        if (!lines.isEmpty() && metrics.horizontalAdvance(lines.last() + dot + part) <= width)
            lines.last() += dot + part;
        else
            lines << part;
    return lines.join(u'\n');
}

} // namespace

void paintLayout(QPainter& painter, const QRectF& area, const LayoutScene& scene, const ChartTheme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(painter.font(), painter.device());
    constexpr int captionFlags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const auto captionHeight = [&](const QString& said, bool bounded = true) {
        constexpr int mostLines = 3;
        const double most = mostLines * metrics.height() + 4;
        const QRectF wide(0, 0, area.width(), 1e6);
        const QString lines = inLines(said, metrics, area.width());
        const double needed = metrics.boundingRect(wide, captionFlags, lines).height() + 4;
        return bounded ? std::clamp(needed, 2 * metrics.height() + 4, most) : needed;
    };
    constexpr double between = 22;      // two pools
    constexpr double leastShare = 0.35; // of the width, however few GPUs a pool has
    const double share = !scene.prompts
        ? 0
        : std::clamp(double(scene.prompts->gpus()) / std::max(1, scene.prompts->gpus() + scene.layout.gpus()),
                     leastShare, 1 - leastShare);
    const double left
        = scene.prompts ? (area.width() - between) * share + between : 0; // before those that decode
    // How many replicas there is room for depends on the words below, and these tell how many.
    QString words = describeLayout(scene);
    double caption = captionHeight(words);
    const int shown = arranged(scene.layout, {area.width() - left, area.height() - caption}).shownReplicas;
    if (shown < scene.layout.replicas) {
        words = LayoutPicture::tr("%1 of %2 replicas drawn").arg(shown).arg(scene.layout.replicas)
            + QStringLiteral(" · ") + words;
        caption = captionHeight(words);
    }
    while (captionHeight(words, false) > caption && words.contains(dot)) // the rest is in the tip
        words = words.left(words.lastIndexOf(dot)) + QStringLiteral(" …");
    const double height = area.height() - caption;
    double under = area.top();
    if (scene.prompts) {
        // Its memory is not what limits it: drawn empty.
        under = paintPool(painter, QRectF(area.topLeft(), QSizeF(left - between, height)),
                          {*scene.prompts, 0}, theme);
        paintArrow(painter, QRectF(area.left() + left - between + 3, area.top(), between - 6, height), theme);
    }
    const QRectF decodes(area.left() + left, area.top(), area.width() - left, height);
    under = std::max(under, paintPool(painter, decodes, {scene.layout, scene.memoryShare}, theme)) + gap;
    painter.setPen(theme.muted);
    painter.drawText(QRectF(area.left(), under, area.width(), caption), captionFlags,
                     inLines(words, metrics, area.width()));
    painter.restore();
}

LayoutPicture::LayoutPicture(QWidget* parent) : QWidget(parent)
{
    setMinimumSize(130, 110);
    setAccessibleName(tr("Picture of the layout"));
}

void LayoutPicture::setScene(const LayoutScene& scene)
{
    if (!m_empty && scene == m_scene)
        return;
    m_scene = scene;
    m_empty = false;
    setAccessibleDescription(describeLayout(scene));
    setToolTip(describeLayout(scene));
    update();
}

void LayoutPicture::paintEvent(QPaintEvent*)
{
    if (m_empty)
        return;
    QPainter painter(this);
    paintLayout(painter, rect(), m_scene, ChartTheme::from(palette()));
}

} // namespace headroom::app

#include "moc_layout_picture.cpp"
