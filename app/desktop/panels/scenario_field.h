#pragma once

#include "app/desktop/text/scenario_fields.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace headroom::app {

// One line of the form: label, editor, unit, slider, and the reason when what stands in it is wrong.
class ScenarioField final : public QWidget {
    Q_OBJECT

public:
    explicit ScenarioField(const FieldSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const FieldSpec& spec() const { return m_spec; }
    [[nodiscard]] QString label() const;
    // The scenario's own word, and what was chosen where it has none.
    void setValue(const QString& said, const QString& settled);
    void setProblem(const QString& reason);
    void setChoices(const QStringList& values); // for choices that the catalogue knows
    void addPreset(const QString& text, const QString& value);
    [[nodiscard]] QLineEdit* editor() const { return m_edit; }
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] QString problem() const;

signals:
    void edited(const QString& key, const QString& value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addSlider();
    [[nodiscard]] QString said(const QString& typed) const; // as the scenario says it
    void slide(int position);
    void placeSlider(double value);
    [[nodiscard]] QLineEdit* makeEdit();
    void makeCombo();

    FieldSpec m_spec;
    QLineEdit* m_edit = nullptr;
    QComboBox* m_combo = nullptr;
    QSlider* m_slider = nullptr;
    QToolButton* m_presets = nullptr;
    QLabel* m_problem;
    bool m_showing = false;
};

} // namespace headroom::app
