#include "core/base/memory.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/child_process.hpp"
#include "core/base/error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace attest {
namespace {

/// Sets ATTEST_MEMORY_LIMIT for the life of a test and puts the old value back.
class MemoryLimit : public testing::Test {
protected:
    void SetUp() override {
        const char* value = std::getenv(kName);
        had_value_ = value != nullptr;
        old_value_ = had_value_ ? value : "";
        unsetenv(kName);
    }

    void TearDown() override {
        if (had_value_) {
            setenv(kName, old_value_.c_str(), 1);
        } else {
            unsetenv(kName);
        }
    }

    static void choose(const char* value) { setenv(kName, value, 1); }

private:
    static constexpr const char* kName = "ATTEST_MEMORY_LIMIT";
    bool had_value_ = false;
    std::string old_value_;
};

TEST_F(MemoryLimit, IsPositiveAndAtMostThePhysicalMemory) {
    const double physical =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));

    EXPECT_GT(memory_limit(), 0.0);
    EXPECT_LE(memory_limit(), physical);
}

TEST_F(MemoryLimit, IsTheChosenNumberOfBytes) {
    choose("4096");
    EXPECT_TRUE(bitwise_equal(memory_limit(), 4096.0));
    choose("2e15");
    EXPECT_TRUE(bitwise_equal(memory_limit(), 2e15));
}

TEST_F(MemoryLimit, RefusesAChoiceThatIsNoPositiveNumber) {
    for (const char* wrong : {"", "lots", "-5", "0", "4096 bytes", "nan", "inf"}) {
        choose(wrong);
        try {
            const double limit = memory_limit();
            ADD_FAILURE() << "'" << wrong << "' was taken as " << limit;
        } catch (const InvalidInput& error) {
            EXPECT_EQ(error.what(),
                      "ATTEST_MEMORY_LIMIT: got '" + std::string(wrong) +
                          "', expected a positive number of bytes");
        }
    }
}

TEST_F(MemoryLimit, LetsPassWhatFitsAndNamesEstimateLimitAndAlternativeOtherwise) {
    choose("1048576");
    EXPECT_NO_THROW(require_memory(1048576.0, "learn: qr", "use --solver normal"));
    try {
        require_memory(3.0 * 1048576.0, "learn: qr", "use --solver normal");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const EnvironmentFailure& error) {
        EXPECT_STREQ(error.what(),
                     "learn: qr needs about 3.0 MiB of memory, the limit is 1.0 MiB; "
                     "use --solver normal");
    }
}

TEST(PeakResidentBytes, IsThatOfTheProgramAndNotOfWhoStartedIt) {
    constexpr const char* kChild = "ATTEST_TEST_IS_CHILD";
    if (std::getenv(kChild) != nullptr) {
        std::cout << "\npeak " << peak_resident_bytes() << '\n';
        return;
    }
    constexpr double kLarge = 4e8;
    const std::vector<char> large(static_cast<std::size_t>(kLarge), 1);
    EXPECT_GT(peak_resident_bytes(), kLarge);

    const ChildResult child =
        run_child({program_folder() + "/core_base_test", "--gtest_filter=PeakResidentBytes.*"},
                  {{kChild, "1"}});
    std::istringstream answer(child.out.substr(child.out.find("\npeak ")));
    std::string word;
    double peak = 0.0;
    answer >> word >> peak;
    EXPECT_GT(peak, 1e6);
    EXPECT_LT(peak, kLarge / 2.0);
    EXPECT_EQ(large.back(), 1);
}

}  // namespace
}  // namespace attest
