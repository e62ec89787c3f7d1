#pragma once

#include "app/desktop/panels/explain_request.h"
#include "model/scenario/scenario.h"

#include <QHash>
#include <QPointer>
#include <QScrollArea>

class QLabel;
class QToolButton;

namespace headroom::app {

class Document;
class LengthSketch;
class Picker;
class ScenarioField;

// Everything a scenario can say, as a form in sections. Right input becomes an edit of the document at once;
// wrong input is marked in place with its reason and changes nothing.
class ScenarioPanel final : public QScrollArea {
    Q_OBJECT

public:
    explicit ScenarioPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);
    [[nodiscard]] ScenarioField* field(const QString& key) const;
    void say(const QString& key, const QString& value) { edit(key, value); } // as if typed in its field
    void showField(const QString& key); // opens its section, and puts the keyboard there

signals:
    void importMeant(); // of a model that the catalogue lacks
    void explainRequested(const ExplainRequest& request);

protected:
    void changeEvent(QEvent* event) override; // words in the colours of another appearance

private:
    void build();
    QWidget* addSection(const QString& title, bool open);
    void addField(QWidget* section, const struct FieldSpec& spec);
    void addModelPicker(QWidget* section);
    void addGpuPicker(QWidget* section);
    void edit(const QString& key, const QString& value);
    void refresh();
    void showProblems();

    QPointer<Document> m_document;
    QHash<QWidget*, QToolButton*> m_heads; // of the sections
    QVector<ScenarioField*> m_fields;
    Picker* m_models = nullptr;
    Picker* m_gpus = nullptr;
    QLabel* m_modelFacts = nullptr;
    LengthSketch* m_promptSketch = nullptr;
    LengthSketch* m_outputSketch = nullptr;
    QHash<QString, QString> m_wrong; // key → reason, of texts that were never taken
};

} // namespace headroom::app
