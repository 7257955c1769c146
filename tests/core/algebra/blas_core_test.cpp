#include "core/algebra/blas_core.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/memory.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {

namespace {

constexpr VectorWidth kOld = VectorWidth::before_avx2;

TEST(BetterBlasCore, IsAsWideAsTheProcessorWhereOpenBlasTookNarrowerKernels) {
    EXPECT_EQ(better_blas_core({"Prescott", VectorWidth::avx512}), "SkylakeX");
    EXPECT_EQ(better_blas_core({"Prescott", VectorWidth::avx2}), "Haswell");
    EXPECT_EQ(better_blas_core({"Sandybridge", VectorWidth::avx2}), "Haswell");
    EXPECT_EQ(better_blas_core({"Haswell", VectorWidth::avx512}), "SkylakeX");
    EXPECT_EQ(better_blas_core({"Zen", VectorWidth::avx512}), "SkylakeX");
}

TEST(BetterBlasCore, IsNoneWhereNothingIsLost) {
    EXPECT_EQ(better_blas_core({"Haswell", VectorWidth::avx2}), "");
    EXPECT_EQ(better_blas_core({"Cooperlake", VectorWidth::avx512}), "");
    EXPECT_EQ(better_blas_core({"SkylakeX", VectorWidth::avx512}), "");
    EXPECT_EQ(better_blas_core({"Prescott", kOld}), "");
    EXPECT_EQ(better_blas_core({"", VectorWidth::avx512}), "");
    EXPECT_EQ(better_blas_core({"neoversen1", VectorWidth::avx512}), "");
}

TEST(BetterBlasCore, TheUsersVariableWinsAndOffSwitchesItOff) {
    BlasSituation situation{"Prescott", VectorWidth::avx512};
    situation.coretype = "Prescott";
    EXPECT_EQ(better_blas_core(situation), "");
    situation.policy = "auto";
    EXPECT_EQ(better_blas_core(situation), "");
    situation.policy = "emulated";
    EXPECT_EQ(better_blas_core(situation), "SkylakeX");
    situation.coretype.reset();
    situation.policy = "off";
    EXPECT_EQ(better_blas_core(situation), "");
}

TEST(BetterBlasCore, RefusesAnotherWordInTheVariable) {
    EXPECT_REFUSED("ATTEST_BLAS_CORE: got 'fast', expected auto, off or emulated",
                   better_blas_core({"Prescott", VectorWidth::avx512, {}, "fast"}));
}

TEST(AffordableBlasThreads, LeaveHalfOfTheMemoryToTheData) {
    constexpr double kMegabyte = 1048576.0;
    EXPECT_EQ(affordable_blas_threads(100.0 * kMegabyte), 1);
    EXPECT_EQ(affordable_blas_threads(543.0 * kMegabyte), 1);
    EXPECT_EQ(affordable_blas_threads(544.0 * kMegabyte), 2);
    EXPECT_GE(affordable_blas_threads(kNoMemoryLimit), 256);
}

TEST(BlasCoreChosenBy, NamesWhoChose) {
    const VectorWidth wide = VectorWidth::avx512;
    EXPECT_EQ(blas_core_chosen_by({"Haswell", wide}), "OpenBLAS");
    EXPECT_EQ(blas_core_chosen_by({"Zen", wide, "Zen"}), "OPENBLAS_CORETYPE");
    EXPECT_EQ(blas_core_chosen_by({"SkylakeX", wide, "SkylakeX", {}, "Prescott"}),
              "attest, OpenBLAS took Prescott");
    // A program of ours started one with another variable.
    EXPECT_EQ(blas_core_chosen_by({"Zen", wide, "Zen", {}, "Prescott"}), "OPENBLAS_CORETYPE");
    EXPECT_EQ(blas_core_chosen_by({"", wide}), "");
}

TEST(BlasAdvice, NamesTheVariableWhereOpenBlasLeavesTheProcessorsVectorsUnused) {
    EXPECT_EQ(blas_advice({"Prescott", VectorWidth::avx512, "Prescott"}),
              "OpenBLAS answers with its kernels for Prescott, this processor has avx512: set "
              "OPENBLAS_CORETYPE=SkylakeX");
    EXPECT_EQ(blas_advice({"Sandybridge", VectorWidth::avx2, {}, "off"}),
              "OpenBLAS answers with its kernels for Sandybridge, this processor has avx2: set "
              "OPENBLAS_CORETYPE=Haswell, or unset ATTEST_BLAS_CORE");
    EXPECT_EQ(blas_advice({"Sandybridge", VectorWidth::avx2, "Sandybridge", "off"}),
              "OpenBLAS answers with its kernels for Sandybridge, this processor has avx2: set "
              "OPENBLAS_CORETYPE=Haswell")
        << "with the variable set, ATTEST_BLAS_CORE changes nothing";
    EXPECT_EQ(blas_advice({"Haswell", VectorWidth::avx2}), "");
    EXPECT_EQ(blas_advice({"", VectorWidth::avx512}), "");
}

TEST(BlasSituation, HoldsWhatTheBlasSays) {
    EXPECT_EQ(blas_situation().core, lapack_info().core);
}

}  // namespace

}  // namespace attest
