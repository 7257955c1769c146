#include "core/kernels/kernel_dump.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/kernels/kernel_call.hpp"

#include <utility>

namespace attest {

KernelDump kernel_dump(Weights file, const DumpFormat& format) {
    const KernelCall call = kernel_call(std::move(file), format);
    std::vector<KernelDump> dumps = bounded_dumps(call);
    require(dumps.size() == 1,
            "kernel_dump: got a {} kernel, expected one with a bound, of sequences of one length",
            to_string(format.recurrence));
    return std::move(dumps.front());
}

namespace {

constexpr Choices<Recurrence, 16> kRecurrences{
    {{Recurrence::linear, "linear"},
     {Recurrence::normalised, "normalised"},
     {Recurrence::retention, "retention"},
     {Recurrence::simple_gla, "simple-gla"},
     {Recurrence::gla, "gla"},
     {Recurrence::delta, "delta"},
     {Recurrence::gated_delta, "gated-delta"},
     {Recurrence::kda, "kda"},
     {Recurrence::gated_delta_product, "gated-delta-product"},
     {Recurrence::dplr, "dplr"},
     {Recurrence::rwkv7, "rwkv7"},
     {Recurrence::comba, "comba"},
     {Recurrence::gdn2, "gdn2"},
     {Recurrence::hgrn2, "hgrn2"},
     {Recurrence::ssd, "ssd"},
     {Recurrence::mlstm, "mlstm"}}};

}  // namespace

std::string_view to_string(Recurrence recurrence) {
    return name_of(kRecurrences, recurrence);
}

std::vector<std::string> recurrence_names() {
    std::vector<std::string> names;
    for (const auto& choice : kRecurrences) {
        names.emplace_back(choice.name);
    }
    return names;
}

Recurrence recurrence_named(std::string_view name) {
    return choice_named("recurrence", name, kRecurrences);
}

bool is_delta(Recurrence recurrence) {
    return recurrence == Recurrence::delta || recurrence == Recurrence::gated_delta ||
           recurrence == Recurrence::kda;
}

}  // namespace attest
