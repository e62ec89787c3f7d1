#include "model/resolve/adopted_form.h"

namespace headroom {

void adoptForm(EfficiencySet& into, const EfficiencySet& from, const FormSlot& slot)
{
    visitForm(into, slot, [&](auto& target) {
        visitForm(from, slot, [&](const auto& form) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(form)>,
                                         std::remove_cvref_t<decltype(target)>>)
                target = form;
        });
    });
    std::erase_if(into.records, [&](const FormRecord& record) { return record.form == slotName(slot); });
    for (const FormRecord& record : from.records)
        if (record.form == slotName(slot))
            into.records.push_back(record);
}

} // namespace headroom
