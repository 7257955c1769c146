#include "record/jsonl_writer.hpp"

#include "core/base/error.hpp"
#include "record/json_text.hpp"
#include "record/jsonl_reader.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/file_size_limit.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using attest::DirectoryLock;
using attest::EnvironmentFailure;
using attest::JsonlWriter;
using attest::read_result_file;
using attest::ResultFile;
using attest::ResultHeader;
using attest::ResumedRows;
using attest::Row;
using attest::record_test::message_of;
using attest::record_test::sample_header;
using attest::record_test::sample_row;
using attest::record_test::write_text;
using attest::test::file_content;
using attest::test::FileSizeLimit;

namespace fs = std::filesystem;

class Writer : public testing::Test {
protected:
    [[nodiscard]] fs::path file() const { return directory_.path() / "demo.jsonl"; }

    [[nodiscard]] JsonlWriter begin() const { return {lock_, "demo.jsonl", sample_header()}; }

    [[nodiscard]] ResumedRows resume(const ResultHeader& header = sample_header()) const {
        return JsonlWriter::resume(lock_, "demo.jsonl", header);
    }

    attest::test::TemporaryFolder directory_;
    DirectoryLock lock_{directory_.path()};
};

TEST_F(Writer, FileIsProvenanceThenOneLineForEachRow) {
    JsonlWriter writer = begin();
    writer.append(sample_row(0));
    writer.append(sample_row(1));

    const std::string expected = attest::json_text(to_json_object(sample_header())) + "\n" +
                                 attest::json_text(to_json_object(sample_row(0))) + "\n" +
                                 attest::json_text(to_json_object(sample_row(1))) + "\n";
    EXPECT_EQ(file_content(file()), expected);
}

TEST_F(Writer, RowsAreInTheFileAsSoonAsAppendReturns) {
    JsonlWriter writer = begin();
    for (attest::Index i = 0; i < 3; ++i) {
        writer.append(sample_row(i));
        EXPECT_EQ(read_result_file(file()).rows.size(), static_cast<std::size_t>(i) + 1);
    }
}

TEST_F(Writer, BeginningAnewKeepsTheOldRowsBesideIt) {
    begin().append(sample_row(0));
    const std::string old = file_content(file());

    const JsonlWriter writer = begin();

    EXPECT_EQ(file_content(directory_.path() / "demo.jsonl.previous"), old);
    EXPECT_TRUE(read_result_file(file()).rows.empty());
}

TEST_F(Writer, FileWithoutRowsIsNotWorthKeeping) {
    (void)begin();
    (void)begin();

    EXPECT_FALSE(fs::exists(directory_.path() / "demo.jsonl.previous"));
}

TEST_F(Writer, ResumeReturnsTheRowsAndAppendsBehindThem) {
    begin().append(sample_row(0));

    ResumedRows resumed = resume();
    resumed.writer.append(sample_row(1));

    EXPECT_EQ(resumed.rows.size(), 1U);
    EXPECT_TRUE(resumed.messages.empty());
    EXPECT_EQ(read_result_file(file()).rows.size(), 2U);
}

TEST_F(Writer, ResumeWithoutAFileBeginsOne) {
    ResumedRows resumed = resume();
    resumed.writer.append(sample_row(0));

    EXPECT_TRUE(resumed.rows.empty());
    EXPECT_EQ(read_result_file(file()).rows.size(), 1U);
}

TEST_F(Writer, ResumeAfterACrashDropsTheCutLineAndSaysSo) {
    {
        JsonlWriter writer = begin();
        writer.append(sample_row(0));
        writer.append(sample_row(1));
    }
    fs::resize_file(file(), fs::file_size(file()) - 17);

    ResumedRows resumed = resume();
    resumed.writer.append(sample_row(1));

    EXPECT_EQ(resumed.messages, std::vector<std::string>{"demo.jsonl:3: the last line is cut off"});
    EXPECT_EQ(resumed.rows.size(), 1U);
    const ResultFile read = read_result_file(file());
    EXPECT_TRUE(read.problems.empty());
    EXPECT_EQ(read.rows.size(), 2U);
}

TEST_F(Writer, ResumeAfterACrashInTheHeaderBeginsAgain) {
    (void)begin();
    fs::resize_file(file(), 10);

    ResumedRows resumed = resume();

    EXPECT_EQ(resumed.messages.size(), 1U);
    EXPECT_TRUE(read_result_file(file()).header.has_value());
}

TEST_F(Writer, ResumeKeepsGoodRowsAroundACorruptedOne) {
    {
        JsonlWriter writer = begin();
        writer.append(sample_row(0));
    }
    write_text(file(),
               file_content(file()) + "{broken\n" +
                   attest::json_text(to_json_object(sample_row(2))) + "\n");

    const ResumedRows resumed = resume();

    EXPECT_EQ(resumed.rows.size(), 2U);
    EXPECT_EQ(resumed.messages.at(0), "demo.jsonl:3: row: not valid JSON (exception 101)");
}

TEST_F(Writer, ResumeRefusesAnotherConfigurationAndLeavesTheFileAlone) {
    begin().append(sample_row(0));
    const std::string before = file_content(file());
    ResultHeader other = sample_header();
    other.configuration.seed = 2;

    EXPECT_EQ(message_of<attest::InvalidInput>([&] { (void)resume(other); }),
              file().string() +
                  ": cannot resume: seed is 1 there and 2 here; start anew without --resume");
    EXPECT_EQ(file_content(file()), before);
}

TEST_F(Writer, AnotherMachineOrTimeIsNoOtherConfiguration) {
    begin().append(sample_row(0));
    ResultHeader later = sample_header();
    later.provenance.utc = "2031-01-01T00:00:00Z";
    later.provenance.cpu = "another";

    EXPECT_EQ(resume(later).rows.size(), 1U);
}

TEST_F(Writer, RowThatDoesNotFitIsTakenBackAndTheOthersStay) {
    JsonlWriter writer = begin();
    writer.append(sample_row(0));
    const std::string before = file_content(file());

    std::string message;
    {
        const FileSizeLimit limit(before.size() + 25);
        message = message_of<EnvironmentFailure>([&] { writer.append(sample_row(1)); });
    }

    EXPECT_EQ(
        message,
        file().string() + ": cannot write: No space left on device; rows written before are kept");
    EXPECT_EQ(file_content(file()), before);
    writer.append(sample_row(1));
    EXPECT_EQ(read_result_file(file()).rows.size(), 2U);
}

TEST_F(Writer, NewFileThatDoesNotFitLeavesTheOldOneAlone) {
    begin().append(sample_row(0));
    const std::string before = file_content(file());

    {
        const FileSizeLimit limit(100);
        EXPECT_THROW((void)begin(), EnvironmentFailure);
    }

    EXPECT_EQ(file_content(file()), before);
    EXPECT_FALSE(fs::exists(directory_.path() / "demo.jsonl.previous"));
}

TEST_F(Writer, FullDeviceIsAnEnvironmentFailure) {
    fs::create_symlink("/dev/full", file());

    const std::string message = message_of<EnvironmentFailure>([&] { (void)begin(); });

    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Writer, DirectoryInPlaceOfTheFileIsAnEnvironmentFailure) {
    fs::create_directory(file());

    EXPECT_THROW((void)begin(), EnvironmentFailure);
}

}  // namespace
