#include "app/desktop/jobs/job_runner.h"

namespace headroom::app {

JobRunner::JobRunner(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

JobRunner::~JobRunner()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void JobRunner::cancel()
{
    m_stop.request_stop();
    setRunning(false);
}

void JobRunner::stop()
{
    cancel();
    m_pool.waitForDone();
}

std::stop_token JobRunner::begin()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    setRunning(true);
    return m_stop.get_token();
}

void JobRunner::setRunning(bool running)
{
    if (running != std::exchange(m_running, running))
        emit runningChanged(running);
}

RunControl JobRunner::control(const std::stop_token& stop)
{
    return {.stop = stop, .progress = [this, stop](double fraction, std::string_view stage) {
                const auto text = QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size()));
                QMetaObject::invokeMethod(this, [this, stop, fraction, text] {
                    if (!stop.stop_requested())
                        emit progressed(fraction, text);
                });
            }};
}

void JobRunner::post(const std::stop_token& stop, std::function<void()> deliver)
{
    QMetaObject::invokeMethod(this, [this, stop, deliver = std::move(deliver)] {
        if (stop.stop_requested())
            return;
        setRunning(false);
        deliver();
    });
}

} // namespace headroom::app

#include "moc_job_runner.cpp"
