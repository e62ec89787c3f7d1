#include "app/desktop/panels/scenario_field.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace headroom::app {

namespace {
constexpr int sliderSteps = 400;
constexpr int labelWidth = 132;

QString translated(const char* text) { return QCoreApplication::translate("ScenarioField", text); }
} // namespace

ScenarioField::ScenarioField(const FieldSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_problem(new QLabel(this))
{
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    auto* name = new QLabel(label(), this);
    name->setMinimumWidth(labelWidth);
    name->setMaximumWidth(labelWidth);
    name->setToolTip(translated(spec.help));
    line->addWidget(name);
    if (spec.choices.empty())
        line->addWidget(makeEdit(), 1);
    else
        makeCombo(), line->addWidget(m_combo, 1);
    name->setBuddy(m_edit ? static_cast<QWidget*>(m_edit) : m_combo);
    if (*spec.unit != 0) {
        auto* unit = new QLabel(translated(spec.unit), this);
        unit->setForegroundRole(QPalette::PlaceholderText);
        line->addWidget(unit);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addLayout(line);
    if (spec.sliderHigh > spec.sliderLow)
        addSlider();
    m_problem->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->hide();
    column->addWidget(m_problem);
}

// A wheel over the form scrolls the form: it turns a value only where the keyboard is.
bool ScenarioField::eventFilter(QObject* watched, QEvent* event)
{
    const auto* const editor = qobject_cast<const QWidget*>(watched);
    if (event->type() == QEvent::Wheel && editor && !editor->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString ScenarioField::label() const { return translated(m_spec.label); }
QString ScenarioField::problem() const { return m_problem->isHidden() ? QString() : m_problem->text(); }

QLineEdit* ScenarioField::makeEdit()
{
    m_edit = new QLineEdit(this);
    m_edit->setObjectName(QString::fromLatin1(m_spec.key));
    m_edit->setAccessibleName(label());
    m_edit->setAccessibleDescription(translated(m_spec.help));
    m_edit->setToolTip(translated(m_spec.help));
    connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
        emit edited(QString::fromLatin1(m_spec.key), said(text.trimmed()));
    });
    return m_edit;
}

void ScenarioField::makeCombo()
{
    m_combo = new QComboBox(this);
    m_combo->setObjectName(QString::fromLatin1(m_spec.key));
    m_combo->setAccessibleName(label());
    m_combo->setAccessibleDescription(translated(m_spec.help));
    m_combo->setToolTip(translated(m_spec.help));
    m_combo->setFocusPolicy(Qt::StrongFocus);
    m_combo->installEventFilter(this);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    QStringList values;
    for (const char* choice : m_spec.choices)
        values << QString::fromLatin1(choice);
    setChoices(values);
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        emit edited(QString::fromLatin1(m_spec.key), m_combo->itemData(index).toString());
    });
}

void ScenarioField::setChoices(const QStringList& values)
{
    m_combo->clear();
    for (const QString& value : values)
        m_combo->addItem(value.isEmpty() ? tr("auto") : scenarioValueText(m_spec.key, value.toStdString()),
                         value);
}

void ScenarioField::addPreset(const QString& text, const QString& value)
{
    if (!m_presets) {
        m_presets = new QToolButton(this);
        m_presets->setText(QStringLiteral("▾"));
        m_presets->setAutoRaise(true);
        m_presets->setPopupMode(QToolButton::InstantPopup);
        m_presets->setMenu(new QMenu(m_presets));
        m_presets->setAccessibleName(tr("Presets for %1").arg(label()));
        m_presets->setToolTip(tr("Usual values"));
        qobject_cast<QHBoxLayout*>(layout()->itemAt(0)->layout())->addWidget(m_presets);
    }
    connect(m_presets->menu()->addAction(text), &QAction::triggered, this,
            [this, value] { emit edited(QString::fromLatin1(m_spec.key), value); });
}

void ScenarioField::addSlider()
{
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setRange(0, sliderSteps);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->installEventFilter(this);
    m_slider->setPageStep(sliderSteps / 10);
    m_slider->setSingleStep(2);
    m_slider->setObjectName(QString::fromLatin1(m_spec.key) + QStringLiteral("-slider"));
    m_slider->setAccessibleName(tr("%1, slider").arg(label()));
    connect(m_slider, &QSlider::valueChanged, this, &ScenarioField::slide);
    auto* line = new QHBoxLayout;
    line->addSpacing(labelWidth + 6);
    line->addWidget(m_slider);
    qobject_cast<QVBoxLayout*>(layout())->addLayout(line);
}

void ScenarioField::slide(int position)
{
    if (m_showing)
        return;
    const double share = double(position) / sliderSteps;
    double value = m_spec.sliderLogarithmic
        ? m_spec.sliderLow * std::pow(m_spec.sliderHigh / m_spec.sliderLow, share)
        : m_spec.sliderLow + (m_spec.sliderHigh - m_spec.sliderLow) * share;
    // Two digits are what a hand can mean; whole things stay whole.
    const double unit = std::pow(10, std::floor(std::log10(std::max(std::abs(value), 1e-9))) - 1);
    value = std::round(value / unit) * unit;
    if (m_spec.whole)
        value = std::round(value);
    const QString text = QString::number(value, 'g', 6);
    if (m_edit)
        m_edit->setText(text);
    emit edited(QString::fromLatin1(m_spec.key), said(text));
}

QString ScenarioField::said(const QString& typed) const
{
    return m_spec.perCent ? shareOfPerCent(typed) : typed;
}

void ScenarioField::placeSlider(double value)
{
    if (!m_slider || m_slider->isSliderDown())
        return;
    const double clamped = std::clamp(value, m_spec.sliderLow, m_spec.sliderHigh);
    const double share = m_spec.sliderLogarithmic
        ? std::log(clamped / m_spec.sliderLow) / std::log(m_spec.sliderHigh / m_spec.sliderLow)
        : (clamped - m_spec.sliderLow) / (m_spec.sliderHigh - m_spec.sliderLow);
    m_slider->setValue(static_cast<int>(std::lround(share * sliderSteps)));
}

void ScenarioField::setValue(const QString& said, const QString& settled)
{
    const QString value = m_spec.perCent ? sharePerCent(said) : said;
    const QString chosen = m_spec.perCent ? sharePerCent(settled) : settled;
    m_showing = true;
    if (m_combo) {
        int index = m_combo->findData(value);
        if (index < 0 && !value.isEmpty()) {
            m_combo->addItem(value, value);
            index = m_combo->count() - 1;
        }
        m_combo->setCurrentIndex(index);
        if (const int open = m_combo->findData(QString()); open >= 0) {
            const QString text = chosen.isEmpty() ? tr("auto") : tr("auto: %1").arg(chosen);
            if (m_combo->itemText(open) != text) // a combo that is told anything lays itself out anew
                m_combo->setItemText(open, text);
        }
    } else {
        // A wrong text stays as it was typed; the scenario still holds the last right one.
        if (m_problem->isHidden() && m_edit->text().trimmed() != value
            && !(m_slider && m_slider->isSliderDown()))
            m_edit->setText(value);
        m_edit->setPlaceholderText(chosen.isEmpty() ? tr("not set") : tr("auto: %1").arg(chosen));
    }
    bool isNumber = false;
    const double number = (value.isEmpty() ? chosen : value).toDouble(&isNumber);
    placeSlider(isNumber && number > 0 ? number : m_spec.sliderLow);
    m_showing = false;
}

void ScenarioField::setProblem(const QString& reason)
{
    if (reason == problem())
        return;
    m_problem->setText(reason);
    m_problem->setVisible(!reason.isEmpty());
    QPalette p = palette();
    const QColor ink
        = p.color(QPalette::Base).lightnessF() < 0.5F ? QColor(0xff, 0x8a, 0x70) : QColor(0xb8, 0x3a, 0x1b);
    p.setColor(QPalette::WindowText, ink);
    m_problem->setPalette(p);
    QWidget* editor = m_edit ? static_cast<QWidget*>(m_edit) : m_combo;
    editor->setAccessibleDescription(reason.isEmpty() ? translated(m_spec.help) : reason);
    QPalette wrong;
    if (!reason.isEmpty())
        wrong.setColor(QPalette::Text, ink);
    editor->setPalette(wrong);
}

} // namespace headroom::app

#include "moc_scenario_field.cpp"
