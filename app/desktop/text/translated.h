#pragma once

#include <QCoreApplication>

namespace headroom::app {

// The words of what belongs to no class of the window: their context is this namespace, as lupdate finds it.
inline QString tr(const char* text, const char* comment = nullptr, int n = -1)
{
    return QCoreApplication::translate("headroom::app", text, comment, n);
}

} // namespace headroom::app
