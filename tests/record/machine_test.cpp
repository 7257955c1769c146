#include "record/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

namespace {

std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 256> line{};
    return pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr ? line.data() : "";
}

TEST(Machine, UtcHasTheDocumentedFormAndIsNow) {
    // std::time reads a clock of its own on Linux, which is up to a tick behind this one.
    using Clock = std::chrono::system_clock;
    const std::time_t before = Clock::to_time_t(Clock::now());
    const std::string text = attest::utc_now();
    const std::time_t after = Clock::to_time_t(Clock::now());

    std::tm parts{};
    const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    ASSERT_NE(end, nullptr) << text;
    EXPECT_EQ(*end, '\0');
    const std::time_t told = timegm(&parts);
    EXPECT_GE(told, before);
    EXPECT_LE(told, after);
}

TEST(Machine, ExecutableDigestIsThatOfSha256sum) {
    const std::string command =
        "sha256sum < '" + testing::internal::GetArgvs().at(0) + "' | cut -c 1-64";

    EXPECT_EQ(attest::executable_digest() + "\n", output_of(command));
}

TEST(Machine, UsableCpusAreThoseOfNproc) {
    EXPECT_EQ(std::to_string(attest::usable_cpus()) + "\n",
              output_of("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc"));
}

TEST(Machine, OperatingSystemNamesKernelAndArchitecture) {
    std::string kernel = output_of("uname -s -r");
    kernel.pop_back();
    std::string architecture = output_of("uname -m");
    architecture.pop_back();

    const std::string text = attest::operating_system();

    EXPECT_NE(text.find(", " + kernel + ", " + architecture), std::string::npos) << text;
    EXPECT_EQ(text.find('"'), std::string::npos) << text;
}

TEST(Machine, EveryLibraryHasAVersionNumber) {
    const auto versions = attest::library_versions();

    EXPECT_EQ(versions.size(), 7U);
    for (const char* name : {"boost", "eigen", "flint", "gmp", "libzip", "nlohmann_json", "zlib"}) {
        ASSERT_EQ(versions.count(name), 1U) << name;
        const std::string& version = versions.at(name);
        EXPECT_NE(std::isdigit(static_cast<unsigned char>(version.at(0))), 0) << name << version;
        EXPECT_NE(version.find('.'), std::string::npos) << name << version;
    }
}

}  // namespace
