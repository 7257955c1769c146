#include "cli/blas_advice.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <array>

namespace attest::cli {

namespace {

/// OpenBLAS's names of kernels for 64-bit x86 processors without AVX2.
constexpr std::array<std::string_view, 13> kWithoutAvx2{"Prescott",
                                                        "Core2",
                                                        "Penryn",
                                                        "Dunnington",
                                                        "Atom",
                                                        "Nano",
                                                        "Nehalem",
                                                        "Athlon",
                                                        "Opteron",
                                                        "Barcelona",
                                                        "Bobcat",
                                                        "Sandybridge",
                                                        "Bulldozer"};

}  // namespace

std::string blas_advice(std::string_view core, Isa widest) {
    const bool old =
        std::find(kWithoutAvx2.begin(), kWithoutAvx2.end(), core) != kWithoutAvx2.end();
    if (!old || widest == Isa::portable) {
        return "";
    }
    return formatted(
        "OpenBLAS answers with its kernels for {}, this processor has {}: set OPENBLAS_CORETYPE={}",
        core,
        to_string(widest),
        widest == Isa::avx512 ? "SkylakeX" : "Haswell");
}

}  // namespace attest::cli
