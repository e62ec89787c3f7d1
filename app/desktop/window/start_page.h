#pragma once

#include <QWidget>

class QCheckBox;
class QLineEdit;
class QListWidget;

namespace headroom::app {

class Settings;

// Where work begins: a question, five kinds of service to begin with, what was worked on before, and a tour.
class StartPage final : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(Settings& settings, QWidget* parent = nullptr);
    void refresh(); // files may have been opened since
    [[nodiscard]] QLineEdit* question() const { return m_question; }

signals:
    void asked(const QString& question);
    void fileMeant(const QString& path);
    void openMeant();
    void tourMeant();
    void left(); // to the example

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QWidget* gallery();
    [[nodiscard]] QWidget* beginnings();

    Settings& m_settings;
    QLineEdit* m_question;
    QListWidget* m_recent;
    QCheckBox* m_atStart;
};

} // namespace headroom::app
