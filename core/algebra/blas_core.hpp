#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// How wide a vector the kernels of OpenBLAS use, as far as it has kernels of that width.
enum class VectorWidth { before_avx2, avx2, avx512 };

[[nodiscard]] std::string_view to_string(VectorWidth width);

/// The widest that this processor and its system offer.
[[nodiscard]] VectorWidth processor_vectors();

/// How many threads of OpenBLAS have room where the process may take so many bytes, at least one.
/// Each maps a buffer of 128 MB and a stack, and waits for ever for a buffer that it does not get;
/// half of the memory is for the data.
[[nodiscard]] int affordable_blas_threads(double bytes);

/// What decides which kernels ("core type") OpenBLAS should answer with.
struct BlasSituation {
    std::string core;                             ///< what it answers with; empty: it is another
    VectorWidth processor;                        ///< the widest vectors of the processor
    std::optional<std::string> coretype = {};     ///< OPENBLAS_CORETYPE, the user's choice
    std::optional<std::string> policy = {};       ///< ATTEST_BLAS_CORE
    std::optional<std::string> core_before = {};  ///< ATTEST_BLAS_CORE_BEFORE, what attest left
    int threads = 1;                              ///< that it has started
    int affordable = 1;                           ///< affordable_blas_threads() of the process
};

/// The situation of this process: what its BLAS says, the processor, the environment.
[[nodiscard]] BlasSituation blas_situation();

/// The core type to start again with, where OpenBLAS took kernels that leave the processor's
/// vectors unused, as it does on a processor newer than itself; empty where nothing is to change:
/// the kernels are as wide, OPENBLAS_CORETYPE is set, or ATTEST_BLAS_CORE is "off". Where that is
/// "emulated", OPENBLAS_CORETYPE stands for what OpenBLAS took by itself, for tests. Throws
/// InvalidInput where it is another word than auto, off or emulated.
[[nodiscard]] std::string better_blas_core(const BlasSituation& situation);

/// Who chose the kernels: "OpenBLAS", "OPENBLAS_CORETYPE", "attest, OpenBLAS took Prescott";
/// empty where the BLAS names no kernels.
[[nodiscard]] std::string blas_core_chosen_by(const BlasSituation& situation);

/// What to set where the kernels are narrower than the processor's vectors all the same; empty
/// where nothing is lost.
[[nodiscard]] std::string blas_advice(const BlasSituation& situation);

/// Sets OPENBLAS_CORETYPE to the better core type, and OPENBLAS_NUM_THREADS where OpenBLAS has
/// started more threads than are affordable, and starts this program again with the same arguments,
/// before it has read or written anything. Returns where nothing is to change or the system cannot
/// start it again. A program started so finds both as they should be and goes on: it is started
/// again at most once. Costs one more start of the program. Throws as better_blas_core.
void start_again_with_better_blas(char** argv);

}  // namespace attest
