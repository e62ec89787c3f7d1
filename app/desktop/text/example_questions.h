#pragma once

#include <QStringList>
#include <QVector>

namespace headroom::app {

// Questions to begin with, in the language of the window.
[[nodiscard]] QStringList exampleQuestions();

// A kind of service, and a question that asks for one.
struct GalleryEntry {
    QString title;
    QString about; // what is particular of it
    QString question;
};
[[nodiscard]] QVector<GalleryEntry> galleryEntries();

} // namespace headroom::app
