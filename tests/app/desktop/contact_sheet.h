#pragma once

#include <QPainter>
#include <QPixmap>
#include <QString>

namespace headroom::app {

// Four pictures on one, beneath each other and beside each other: FOLDER/sheet-NAME-1.png, -2 …
class ContactSheet {
public:
    explicit ContactSheet(QString path) : m_path(std::move(path)) {}
    ~ContactSheet() { save(); }
    ContactSheet(const ContactSheet&) = delete;
    ContactSheet& operator=(const ContactSheet&) = delete;

    void add(const QPixmap& picture)
    {
        QPixmap plain = picture;
        plain.setDevicePixelRatio(1);
        const QPixmap small = plain.scaledToWidth(width, Qt::SmoothTransformation);
        const int place = m_count++ % perSheet;
        if (place == 0) {
            save();
            m_sheet = QPixmap(columns * (width + gap), perSheet / columns * (small.height() + gap));
            m_sheet.fill(Qt::magenta); // no colour of the program
        }
        QPainter painter(&m_sheet);
        painter.drawPixmap(place % columns * (width + gap), place / columns * (small.height() + gap), small);
    }

private:
    static constexpr int width = 960;
    static constexpr int gap = 8;
    static constexpr int columns = 2;
    static constexpr int perSheet = 4;

    void save()
    {
        if (!m_sheet.isNull())
            m_sheet.save(QStringLiteral("%1-%2.png").arg(m_path).arg(++m_saved));
        m_sheet = {};
    }

    QString m_path;
    QPixmap m_sheet;
    int m_count = 0;
    int m_saved = 0;
};

} // namespace headroom::app
