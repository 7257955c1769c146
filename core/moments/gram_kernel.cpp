#include "core/moments/gram_kernel.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

namespace attest {

namespace {

constexpr Choices<Isa, 4> kIsaNames{{{Isa::automatic, "auto"},
                                     {Isa::avx512, "avx512"},
                                     {Isa::avx2, "avx2"},
                                     {Isa::portable, "portable"}}};

bool processor_has(Isa isa) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (isa == Isa::avx512) {
        return static_cast<bool>(__builtin_cpu_supports("avx512f"));
    }
    if (isa == Isa::avx2) {
        return static_cast<bool>(__builtin_cpu_supports("avx2")) &&
               static_cast<bool>(__builtin_cpu_supports("fma"));
    }
#endif
    return isa == Isa::portable;
}

}  // namespace

std::string_view to_string(Isa isa) {
    return name_of(kIsaNames, isa);
}

Isa isa_from_string(std::string_view text) {
    if (const std::optional<Isa> isa = find_choice(kIsaNames, text)) {
        return *isa;
    }
    throw InvalidInput(formatted("isa: got '{}', expected auto, avx512, avx2 or portable", text));
}

std::vector<Isa> available_isas() {
    std::vector<Isa> available;
    for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::portable}) {
        if (processor_has(isa)) {
            available.push_back(isa);
        }
    }
    return available;
}

Isa choose_isa(Isa wanted, const std::vector<Isa>& available) {
    if (wanted == Isa::automatic) {
        return available.front();
    }
    if (std::find(available.begin(), available.end(), wanted) == available.end()) {
        throw NotAvailable(
            formatted("isa: got {}, expected an instruction set of this processor, at most {}",
                      to_string(wanted),
                      to_string(available.front())));
    }
    return wanted;
}

Isa resolve_isa(Isa wanted) {
    const char* forced = std::getenv("ATTEST_ISA");  // NOLINT(concurrency-mt-unsafe)
    if (wanted == Isa::automatic && forced != nullptr) {
        wanted = isa_from_string(forced);
    }
    return choose_isa(wanted, available_isas());
}

template <class Scalar>
const GramPathOf<Scalar>& gram_path(Isa isa) {
    switch (resolve_isa(isa)) {
        case Isa::avx512:
            return *gram_path_avx512(Scalar{});
        case Isa::avx2:
            return *gram_path_avx2(Scalar{});
        default:
            return *gram_path_portable(Scalar{});
    }
}

template <class Scalar>
double peak_gflops(Isa isa, Index repetitions) {
    constexpr Index kSteps = 100000;
    const GramPathOf<Scalar>& path = gram_path<Scalar>(isa);
    double best = std::numeric_limits<double>::infinity();
    for (Index r = 0; r < repetitions; ++r) {
        const Timer timer;
        // Through a volatile, or the compiler could drop the loop.
        volatile Scalar result = path.spin(kSteps);
        static_cast<void>(result);
        best = std::min(best, timer.seconds());
    }
    return 1e-9 * static_cast<double>(kSteps * path.flops_in_spin) / best;
}

template const GramPathOf<double>& gram_path<double>(Isa);
template const GramPathOf<float>& gram_path<float>(Isa);
template double peak_gflops<double>(Isa, Index);
template double peak_gflops<float>(Isa, Index);

}  // namespace attest
