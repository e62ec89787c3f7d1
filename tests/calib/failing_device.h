#pragma once

#include "fake_device.h"

namespace headroom::test {

// Another device, of whose calls one fails, or all from one on. A failure may also end it for good.
class FailingDevice final : public kernels::Device {
public:
    explicit FailingDevice(kernels::Device& inner) : m_inner(inner) {}

    int failing = 0; // which call; 0: none
    bool fromThenOn = false;
    bool forGood = false; // lost() then says so
    int calls = 0;

    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_inner.facts(); }
    [[nodiscard]] Message obstacle(const kernels::Task& task) const override
    {
        return m_inner.obstacle(task);
    }
    [[nodiscard]] std::string lost() override
    {
        call();
        return forGood && failing > 0 && calls > failing ? "the card fell off the bus" : "";
    }
    [[nodiscard]] kernels::DeviceState state() override
    {
        call();
        return m_inner.state();
    }
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const kernels::Task& task, std::uint64_t seed,
                                                             int copies) override
    {
        call();
        return m_inner.prepare(task, seed, copies);
    }
    void enqueue(kernels::Prepared& prepared, int copy) override
    {
        call();
        m_inner.enqueue(prepared, copy);
    }
    [[nodiscard]] double check(kernels::Prepared& prepared) override
    {
        call();
        return m_inner.check(prepared);
    }
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& prepared, int launches) override
    {
        call();
        return m_inner.time(prepared, launches);
    }
    [[nodiscard]] kernels::Stretch timeSequence(const std::vector<kernels::Prepared*>& sequence,
                                                int rounds) override
    {
        call();
        return m_inner.timeSequence(sequence, rounds);
    }
    void synchronise() override
    {
        call();
        m_inner.synchronise();
    }

private:
    void call()
    {
        ++calls;
        if (failing > 0 && (calls == failing || (fromThenOn && calls > failing)))
            throw kernels::DeviceFailure("call " + std::to_string(calls) + " failed");
    }
    kernels::Device& m_inner;
};

} // namespace headroom::test
