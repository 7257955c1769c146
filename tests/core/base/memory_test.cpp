#include "core/base/memory.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
    choose("300K");
    EXPECT_TRUE(bitwise_equal(memory_limit(), 300.0 * 1024.0));
}

TEST_F(MemoryLimit, IsNeverMoreThanTheMachineHas) {
    choose("2e15");
    EXPECT_TRUE(
        bitwise_equal(memory_limit(), std::min(shared_memory_limit(), process_memory_limit())));
}

TEST_F(MemoryLimit, IsWhatTheLimitOfTheAddressSpaceLeaves) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    rlimit lower = before;
    std::ifstream status("/proc/self/status");
    const std::string text(std::istreambuf_iterator<char>(status), {});
    lower.rlim_cur = static_cast<rlim_t>(status_bytes(text, "VmSize")) + (rlim_t{3} << 38U);

    ASSERT_EQ(setrlimit(RLIMIT_AS, &lower), 0);
    const double left = process_memory_limit();
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);

    EXPECT_LT(left, 1099511627776.0);
    EXPECT_GT(left, 0.5 * 1099511627776.0);
}

TEST(BytesFromText, TakesPowersOf1024) {
    EXPECT_EQ(bytes_from_text("4096"), 4096.0);
    EXPECT_EQ(bytes_from_text("300M"), 300.0 * 1048576.0);
    EXPECT_EQ(bytes_from_text("1.5g"), 1.5 * 1073741824.0);
    EXPECT_EQ(bytes_from_text("1T"), 1099511627776.0);
    for (const char* wrong : {"", "M", "4 GB", "4GB", "-1G", "0K", "1e308T", "nan"}) {
        EXPECT_EQ(bytes_from_text(wrong), std::nullopt) << wrong;
    }
}

TEST(StatusBytes, AreThoseOfTheLine) {
    const std::string status = "Name:\tVmSize\nVmSize:\t  200 kB\nRssAnon:\t 8 kB\n";
    EXPECT_EQ(status_bytes(status, "VmSize"), 204800.0);
    EXPECT_EQ(status_bytes(status, "RssAnon"), 8192.0);
    EXPECT_EQ(status_bytes(status, "VmData"), 0.0);
}

/// Control groups as files below a folder.
class ContainerMemoryLimit : public testing::Test {
protected:
    void write(const char* file, const char* text) const {
        const std::filesystem::path path = folder_.path() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    [[nodiscard]] double limit(const char* groups) const {
        return container_memory_limit(groups, folder_.path());
    }

private:
    TemporaryDirectory folder_;
};

TEST_F(ContainerMemoryLimit, IsTheLeastOfTheGroupsAbove) {
    write("memory.max", "max\n");
    write("user/memory.max", "4096\n");
    write("user/job/memory.max", "8192\n");
    EXPECT_EQ(limit("0::/user/job\n"), 4096.0);
    EXPECT_EQ(limit("0::/other\n"), kNoMemoryLimit);
}

TEST_F(ContainerMemoryLimit, IsKnownUnderVersion1AndInsideAContainerWithoutItsOwnNames) {
    write("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("memory/docker/abc/memory.limit_in_bytes", "1000000\n");
    EXPECT_EQ(limit("3:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n"), 1000000.0);
    write("memory/memory.limit_in_bytes", "2000000\n");
    EXPECT_EQ(limit("4:memory:/docker/not-seen-here\n"), 2000000.0);
    EXPECT_EQ(limit("3:cpu:/docker/abc\nno line\n"), kNoMemoryLimit);
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
                          "', expected a positive number of bytes, as 2000000, 300M or 4G");
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
