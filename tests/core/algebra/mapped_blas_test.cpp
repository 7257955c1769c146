#include "core/algebra/mapped_blas.hpp"

#include "core/algebra/lapack.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace attest {
namespace {

/// Where the BLAS cannot be asked for a number of threads there is nothing to restore.
bool can_be_asked() {
    const int before = lapack_info().threads;
    set_blas_threads(before + 1);
    const bool changed = lapack_info().threads == before + 1;
    set_blas_threads(before);
    return changed;
}

TEST(ScopedBlasThreads, SetsTheNumberAndGivesBackTheOneBefore) {
    if (!can_be_asked()) {
        GTEST_SKIP() << "this BLAS has one number of threads";
    }
    const int before = lapack_info().threads;
    {
        const ScopedBlasThreads scope(before + 1);
        EXPECT_EQ(lapack_info().threads, before + 1);
    }
    EXPECT_EQ(lapack_info().threads, before);
}

TEST(ScopedBlasThreads, TheLastOfOverlappingScopesRestores) {
    if (!can_be_asked()) {
        GTEST_SKIP() << "this BLAS has one number of threads";
    }
    const int before = lapack_info().threads;
    auto first = std::make_unique<ScopedBlasThreads>(before + 1);
    auto second = std::make_unique<ScopedBlasThreads>(before + 2);
    first.reset();  // the first to begin ends first, as calls of two threads may
    EXPECT_EQ(lapack_info().threads, before + 2);
    second.reset();
    EXPECT_EQ(lapack_info().threads, before);
}

}  // namespace
}  // namespace attest
