#include "core/algebra/blas_core.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace attest {

namespace {

constexpr const char* kCoreType = "OPENBLAS_CORETYPE";
constexpr const char* kPolicy = "ATTEST_BLAS_CORE";
constexpr const char* kBefore = "ATTEST_BLAS_CORE_BEFORE";
constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";

constexpr Choices<VectorWidth, 3> kWidths{{{VectorWidth::before_avx2, "no avx2"},
                                           {VectorWidth::avx2, "avx2"},
                                           {VectorWidth::avx512, "avx512"}}};

/// OpenBLAS's names of its kernels for 64-bit x86 processors without AVX-512.
/// python/attest/_blas.py has the same.
constexpr std::array<std::pair<std::string_view, VectorWidth>, 19> kCores{{
    {"Prescott", VectorWidth::before_avx2},
    {"Core2", VectorWidth::before_avx2},
    {"Penryn", VectorWidth::before_avx2},
    {"Dunnington", VectorWidth::before_avx2},
    {"Atom", VectorWidth::before_avx2},
    {"Nano", VectorWidth::before_avx2},
    {"Nehalem", VectorWidth::before_avx2},
    {"Athlon", VectorWidth::before_avx2},
    {"Opteron", VectorWidth::before_avx2},
    {"Opteron_SSE3", VectorWidth::before_avx2},
    {"Barcelona", VectorWidth::before_avx2},
    {"Bobcat", VectorWidth::before_avx2},
    {"Sandybridge", VectorWidth::before_avx2},
    {"Bulldozer", VectorWidth::before_avx2},
    {"Piledriver", VectorWidth::before_avx2},
    {"Steamroller", VectorWidth::before_avx2},
    {"Haswell", VectorWidth::avx2},
    {"Excavator", VectorWidth::avx2},
    {"Zen", VectorWidth::avx2},
}};

void set_variable(const char* name, const std::optional<std::string>& value) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread of ours
    static_cast<void>(value ? setenv(name, value->c_str(), 1) : unsetenv(name));
}

std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// The kernels for the processor's width where those of `core` are known and narrower.
std::string wider_core(std::string_view core, VectorWidth processor) {
    for (const auto& [name, width] : kCores) {
        if (name == core && width < processor) {
            return processor == VectorWidth::avx512 ? "SkylakeX" : "Haswell";
        }
    }
    return "";
}

/// Whether OPENBLAS_CORETYPE is what attest set for the core type before.
bool set_by_attest(const BlasSituation& situation) {
    return situation.core_before.has_value() && situation.coretype.has_value() &&
           *situation.coretype == situation.core &&
           situation.core == wider_core(*situation.core_before, situation.processor);
}

}  // namespace

std::string_view to_string(VectorWidth width) {
    return name_of(kWidths, width);
}

VectorWidth processor_vectors() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    // What OpenBLAS itself compiles its kernels of either width for.
    if (static_cast<bool>(__builtin_cpu_supports("avx512f")) &&
        static_cast<bool>(__builtin_cpu_supports("avx512cd")) &&
        static_cast<bool>(__builtin_cpu_supports("avx512bw")) &&
        static_cast<bool>(__builtin_cpu_supports("avx512dq")) &&
        static_cast<bool>(__builtin_cpu_supports("avx512vl"))) {
        return VectorWidth::avx512;
    }
    if (static_cast<bool>(__builtin_cpu_supports("avx2")) &&
        static_cast<bool>(__builtin_cpu_supports("fma"))) {
        return VectorWidth::avx2;
    }
#endif
    return VectorWidth::before_avx2;
}

int affordable_blas_threads(double bytes) {
    constexpr double kOfThread = 136.0 * 1048576.0;
    constexpr double kMost = 1024.0;  // more than OpenBLAS has
    return static_cast<int>(std::clamp(bytes / 2.0 / kOfThread, 1.0, kMost));
}

BlasSituation blas_situation() {
    const LapackInfo info = lapack_info();
    return {info.core,
            processor_vectors(),
            variable(kCoreType),
            variable(kPolicy),
            variable(kBefore),
            info.threads,
            affordable_blas_threads(process_memory_limit())};
}

std::string better_blas_core(const BlasSituation& situation) {
    const std::string policy = situation.policy.value_or("auto");
    require(policy == "auto" || policy == "off" || policy == "emulated",
            "{}: got '{}', expected auto, off or emulated",
            kPolicy,
            policy);
    if (policy == "off" || (situation.coretype.has_value() && policy != "emulated")) {
        return "";
    }
    return wider_core(situation.core, situation.processor);
}

std::string blas_core_chosen_by(const BlasSituation& situation) {
    if (situation.core.empty()) {
        return "";
    }
    if (set_by_attest(situation)) {
        return formatted("attest, OpenBLAS took {}", *situation.core_before);
    }
    return situation.coretype.has_value() ? kCoreType : "OpenBLAS";
}

std::string blas_advice(const BlasSituation& situation) {
    const std::string better = wider_core(situation.core, situation.processor);
    if (better.empty()) {
        return "";
    }
    return formatted("OpenBLAS answers with its kernels for {}, this processor has {}: set {}={}{}",
                     situation.core,
                     to_string(situation.processor),
                     kCoreType,
                     better,
                     situation.policy == "off" && !situation.coretype.has_value()
                         ? formatted(", or unset {}", kPolicy)
                         : "");
}

void start_again_with_better_blas(char** argv) {
    const BlasSituation situation = blas_situation();
    const std::string better = better_blas_core(situation);
    const bool fewer = !situation.core.empty() && situation.threads > situation.affordable;
    if (better.empty() && !fewer) {
        return;
    }
    // Not /proc/self/exe itself, or the process would be called "exe".
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed) {
        return;
    }
    const std::optional<std::string> chosen_threads = variable(kThreads);
    if (fewer) {
        set_variable(kThreads, std::to_string(situation.affordable));
    }
    if (!better.empty()) {
        set_variable(kCoreType, better);
        set_variable(kBefore, situation.core);
        set_variable(kPolicy, std::nullopt);
    }
    execv(program.c_str(), argv);
    // Not started: as if nothing had been tried.
    set_variable(kCoreType, situation.coretype);
    set_variable(kBefore, situation.core_before);
    set_variable(kPolicy, situation.policy);
    set_variable(kThreads, chosen_threads);
}

}  // namespace attest
