#include "record/provenance.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

namespace attest::record_test {

namespace {

using Json = nlohmann::ordered_json;

Provenance sample() {
    return collect_provenance({.arguments = {"/opt/bin/attest", "reproduce", "fig2", "a b"},
                               .seed = 7,
                               .bitwise = "grid inputs are"});
}

TEST(Provenance, RecordsTheCallWithoutTheFolderOfTheProgram) {
    const Provenance provenance = sample();

    EXPECT_EQ(provenance.program, "attest");
    EXPECT_EQ(provenance.command_line, "attest reproduce fig2 'a b'");
    EXPECT_EQ(provenance.seed, 7U);
    EXPECT_EQ(provenance.bitwise, "grid inputs are");
}

TEST(Provenance, NothingThatEveryBuildKnowsIsEmpty) {
    const Provenance provenance = sample();

    for (const std::string& text : {provenance.version,
                                    provenance.commit,
                                    provenance.compiler,
                                    provenance.compiler_flags,
                                    provenance.build_type,
                                    provenance.blas_backend,
                                    provenance.blas_library,
                                    provenance.cpu,
                                    provenance.os}) {
        EXPECT_FALSE(text.empty());
    }
    EXPECT_GE(provenance.blas_threads, 1U);
    EXPECT_GE(provenance.logical_cpus, 1U);
    EXPECT_SAYS(provenance.compiler_flags, "-ffp-contract=off");
}

TEST(Provenance, ExecutableIsNamedWhereTheCommitDoesNotSayAll) {
    const Provenance provenance = sample();
    const bool needed = provenance.dirty || provenance.commit == "unknown";

    EXPECT_EQ(provenance.executable.size(), needed ? 64U : 0U);
}

TEST(Provenance, RoundTripsThroughJson) {
    const std::string text = json_text(to_json_object(sample()));

    const Provenance back = provenance_from_json(parse_json(text, "test"));

    EXPECT_EQ(json_text(to_json_object(back)), text);
}

TEST(Provenance, DocumentationNamesEveryKey) {
    const std::string documentation = test::file_content(ATTEST_DOCS "/json.md");

    const Json object = to_json_object(sample());
    for (const auto& [key, value] : object.items()) {
        EXPECT_SAYS(documentation, "`" + key + "`") << key;
    }
}

TEST(Provenance, EveryMissingOrWrongKeyIsNamed) {
    const Json whole = to_json_object(sample());
    for (const auto& [key, value] : whole.items()) {
        Json part = whole;
        part.erase(key);
        if (key == "blas_core_chosen_by") {
            EXPECT_EQ(provenance_from_json(part).blas_core_chosen_by, "") << "rows of before";
        } else {
            EXPECT_EQ(test::error_message<InvalidInput>([&] { (void)provenance_from_json(part); }),
                      "provenance: got no \"" + key + "\"");
        }

        Json wrong = whole;
        wrong[key] = Json::array();
        EXPECT_EQ(test::error_message<InvalidInput>([&] {
                      (void)provenance_from_json(wrong);
                  }).find("provenance: got an array for \"" + key + "\", expected "),
                  0U);
    }
}

TEST(Provenance, NeedsArguments) {
    EXPECT_REFUSED("collect_provenance: got no arguments", collect_provenance({}));
}

TEST(CodeVersion, DiffersBetweenTwoModifiedTreesOfOneCommit) {
    Provenance provenance;
    provenance.commit = "abc";
    EXPECT_EQ(code_version(provenance), "abc");

    provenance.executable = "0123";
    EXPECT_EQ(code_version(provenance), "abc with executable 0123");
}

TEST(BlasSummary, IsOneLine) {
    Provenance provenance;
    provenance.blas_backend = "lapacke";
    provenance.blas_library = "/lib/libblas.so.3";
    provenance.blas_threads = 1;
    EXPECT_EQ(blas_summary(provenance), "lapacke, 1 thread, /lib/libblas.so.3");

    provenance.blas_core = "Cooperlake";
    provenance.blas_threads = 2;
    EXPECT_EQ(blas_summary(provenance), "lapacke, Cooperlake, 2 threads, /lib/libblas.so.3");
}

TEST(ShellQuoted, TheShellSplitsItIntoTheSameArguments) {
    const std::vector<std::string> arguments{
        "plain", "", "two words", "it's", R"($HOME `id` \ "q")", "*?[a]", "~", "a=b", "λ", "#x"};

    const std::string command = "printf '%s\\n' " + shell_quoted(arguments);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    ASSERT_NE(pipe, nullptr);
    std::string printed;
    for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get())) {
        printed += static_cast<char>(letter);
    }

    std::string expected;
    for (const std::string& argument : arguments) {
        expected += argument + "\n";
    }
    EXPECT_EQ(printed, expected);
    EXPECT_EQ(shell_quoted({"attest", "--out", "a/b.jsonl"}), "attest --out a/b.jsonl");
}

std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 256> line{};
    return pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr ? line.data() : "";
}

TEST(Machine, UtcHasTheDocumentedFormAndIsNow) {
    // std::time reads a clock of its own on Linux, which is up to a tick behind this one.
    using Clock = std::chrono::system_clock;
    const std::time_t before = Clock::to_time_t(Clock::now());
    const std::string text = utc_now();
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

    EXPECT_EQ(executable_digest() + "\n", output_of(command));
}

TEST(Machine, UsableCpusAreThoseOfNproc) {
    EXPECT_EQ(std::to_string(usable_cpus()) + "\n",
              output_of("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc"));
}

TEST(Machine, OperatingSystemNamesKernelAndArchitecture) {
    std::string kernel = output_of("uname -s -r");
    kernel.pop_back();
    std::string architecture = output_of("uname -m");
    architecture.pop_back();

    const std::string text = operating_system();

    EXPECT_SAYS(text, ", " + kernel + ", " + architecture);
    EXPECT_EQ(text.find('"'), std::string::npos) << text;
}

TEST(Machine, EveryLibraryHasAVersionNumber) {
    const auto versions = library_versions();

    EXPECT_EQ(versions.size(), 7U);
    for (const char* name : {"boost", "eigen", "flint", "gmp", "libzip", "nlohmann_json", "zlib"}) {
        ASSERT_EQ(versions.count(name), 1U) << name;
        const std::string& version = versions.at(name);
        EXPECT_NE(std::isdigit(static_cast<unsigned char>(version.at(0))), 0) << name << version;
        EXPECT_NE(version.find('.'), std::string::npos) << name << version;
    }
}

}  // namespace

}  // namespace attest::record_test
