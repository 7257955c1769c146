#include "core/algebra/blas_core.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/child_process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace attest {

namespace {

/// What doctor says in this environment.
nlohmann::json doctor(EnvironmentChanges changes) {
    changes.emplace("ATTEST_BLAS_CORE", std::nullopt);
    changes.emplace("OPENBLAS_CORETYPE", std::nullopt);
    changes.emplace("ATTEST_BLAS_CORE_BEFORE", std::nullopt);
    const ChildResult run = run_child({ATTEST_BINARY, "doctor", "--json"}, changes);
    EXPECT_EQ(run.code, 0);
    return nlohmann::json::parse(run.out, nullptr, false);
}

/// Whether OpenBLAS is there and a processor that Prescott's kernels leave unused.
bool can_be_better() {
    return !lapack_info().core.empty() && processor_vectors() != VectorWidth::before_avx2;
}

TEST(PrescottsBlasCore, AProgramThatFindsPrescottsKernelsStartsAgainWithWiderOnes) {
    if (!can_be_better()) {
        GTEST_SKIP() << "needs OpenBLAS and a processor with AVX2";
    }

    const nlohmann::json said =
        doctor({{"OPENBLAS_CORETYPE", "Prescott"}, {"ATTEST_BLAS_CORE", "emulated"}});

    EXPECT_EQ(said["blas_core"],
              processor_vectors() == VectorWidth::avx512 ? "SkylakeX" : "Haswell");
    EXPECT_EQ(said["blas_core_chosen_by"], "attest, OpenBLAS took Prescott");
    EXPECT_FALSE(said.contains("blas_advice"));
}

TEST(PrescottsBlasCore, TheUsersVariableIsLeftAlone) {
    if (!can_be_better()) {
        GTEST_SKIP() << "needs OpenBLAS and a processor with AVX2";
    }

    const nlohmann::json said = doctor({{"OPENBLAS_CORETYPE", "Prescott"}});

    EXPECT_EQ(said["blas_core"], "Prescott");
    EXPECT_EQ(said["blas_core_chosen_by"], "OPENBLAS_CORETYPE");
    EXPECT_TRUE(said.contains("blas_advice"));
}

TEST(BlasCoreTakenByAttest, OffLeavesWhatOpenBlasTook) {
    const std::string chosen = doctor({}).value("blas_core_chosen_by", "");
    if (!chosen.starts_with("attest")) {
        GTEST_SKIP() << "needs a processor whose vectors OpenBLAS leaves unused by itself";
    }

    const nlohmann::json said = doctor({{"ATTEST_BLAS_CORE", "off"}});

    EXPECT_EQ(said["blas_core_chosen_by"], "OpenBLAS");
    EXPECT_EQ(chosen, "attest, OpenBLAS took " + said["blas_core"].get<std::string>());
}

TEST(BlasCore, ByDefaultNoKernelsAreNarrowerThanTheProcessor) {
    EXPECT_FALSE(doctor({}).contains("blas_advice"));
}

TEST(BlasCore, AnotherWordInTheVariableIsBadInput) {
    EXPECT_EQ(run_child({ATTEST_BINARY, "--version"}, {{"ATTEST_BLAS_CORE", "fast"}}).code, 4);
}

}  // namespace

}  // namespace attest
