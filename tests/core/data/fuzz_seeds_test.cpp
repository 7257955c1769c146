// The seeds of the fuzz targets in every build: each is read or refused with one line.

#include "core/data/archive/npz.hpp"
#include "tests/fuzz/read_everything.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace attest {

namespace {

TEST(FuzzSeeds, EachSeedIsReadOrRefusedInOneLine) {
    const test::MemoryLimit limit(500'000);
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(ATTEST_FUZZ_SEEDS) / "npz_fuzz")) {
        const std::string content = test::file_content(entry.path());

        EXPECT_LT(content.size(), 4096U) << entry.path();
        test::read_everything(test::bytes_of(content));
        ++count;
    }

    EXPECT_EQ(count, 18);
}

TEST(FuzzSeedsDeathTest, AReaderThatLetsOtherExceptionsThroughEndsTheRun) {
    const test::MemoryLimit nonsense(-1);
    const std::string content = test::file_content(ATTEST_TEST_FILES "/golden/npz/plain.npz");

    EXPECT_DEATH(test::read_everything(test::bytes_of(content)), "not one line that starts with");
}

}  // namespace
}  // namespace attest
