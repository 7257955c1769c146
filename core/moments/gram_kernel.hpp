#pragma once

#include "core/moments/gram_path.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

/// Instruction set of the structured Gram's inner loops.
enum class Isa : std::uint8_t {
    automatic,  ///< what ATTEST_ISA names, else the widest this processor has
    avx512,
    avx2,
    portable,  ///< the compiler's generic vectors: every processor
};

[[nodiscard]] std::string_view to_string(Isa isa);
/// "auto", "avx512", "avx2" or "portable"; throws InvalidInput otherwise.
[[nodiscard]] Isa isa_from_string(std::string_view text);

/// The instruction sets this processor and this build have, widest first; `portable` is always
/// there.
[[nodiscard]] std::vector<Isa> available_isas();

/// `wanted`, or for `automatic` the first of `available`. Throws NotAvailable if it is not there.
[[nodiscard]] Isa choose_isa(Isa wanted, const std::vector<Isa>& available);

/// choose_isa among this processor's; `automatic` is what ATTEST_ISA names, where it is set. Throws
/// InvalidInput if ATTEST_ISA names none.
[[nodiscard]] Isa resolve_isa(Isa wanted);

/// The inner loops for resolve_isa(isa). Scalar is double or float.
template <class Scalar>
[[nodiscard]] const GramPathOf<Scalar>& gram_path(Isa isa);

extern template const GramPathOf<double>& gram_path<double>(Isa);
extern template const GramPathOf<float>& gram_path<float>(Isa);

/// Fused multiply-adds in registers alone: 10⁹ flops a second of one thread, best of `repetitions`
/// runs of about a millisecond. The ceiling of every kernel of this instruction set.
template <class Scalar>
[[nodiscard]] double peak_gflops(Isa isa, Index repetitions);

extern template double peak_gflops<double>(Isa, Index);
extern template double peak_gflops<float>(Isa, Index);

}  // namespace attest
