#include "record/jsonl.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::record_test {

namespace {

class JsonlReader : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return directory_.path() / "demo.jsonl"; }

    [[nodiscard]] static std::string line(Index repetition) {
        return json_text(to_json_object(sample_row(repetition))) + "\n";
    }

    std::string header_ = json_text(to_json_object(sample_header())) + "\n";

private:
    test::TemporaryFolder directory_;
};

TEST_F(JsonlReader, ReadsHeaderAndRowsInOrder) {
    const std::string text = header_ + line(0) + line(1);
    write_text(file(), text);

    const ResultFile read = read_result_file(file());

    ASSERT_TRUE(read.header.has_value());
    EXPECT_EQ(read.header->configuration.id, "demo");
    ASSERT_EQ(read.rows.size(), 2U);
    EXPECT_EQ(read.rows[1].key.repetition, 1);
    EXPECT_TRUE(read.problems.empty());
    EXPECT_EQ(read.complete_bytes, text.size());
}

TEST_F(JsonlReader, ReportsEveryCorruptedRowWithItsLineAndKeepsTheOthers) {
    std::string flipped = line(1);
    flipped.replace(flipped.find("\"status\""), 8, "\"stetus\"");
    write_text(file(), header_ + line(0) + flipped + "{\"half\":\n" + line(2) + "\n" + line(3));

    const ResultFile read = read_result_file(file());

    ASSERT_EQ(read.rows.size(), 3U);
    EXPECT_EQ(read.rows[1].key.repetition, 2);
    ASSERT_EQ(read.problems.size(), 3U);
    EXPECT_EQ(read.problems[0], "demo.jsonl:3: row: got no \"status\"");
    EXPECT_EQ(read.problems[1], "demo.jsonl:4: row: not valid JSON (exception 101)");
    EXPECT_EQ(read.problems[2].find("demo.jsonl:6: "), 0U);
}

TEST_F(JsonlReader, EveryCutThroughTheLastLineIsDetected) {
    const std::string whole = header_ + line(0);
    const std::string last = line(1);
    for (std::size_t kept = 1; kept < last.size(); ++kept) {
        write_text(file(), whole + last.substr(0, kept));

        const ResultFile read = read_result_file(file());

        ASSERT_EQ(read.rows.size(), 1U) << kept;
        ASSERT_EQ(read.problems.size(), 1U) << kept;
        ASSERT_EQ(read.problems[0], "demo.jsonl:3: the last line is cut off");
        ASSERT_EQ(read.complete_bytes, whole.size());
    }
}

TEST_F(JsonlReader, CutHeaderLeavesNothingButAReport) {
    write_text(file(), header_.substr(0, 20));

    const ResultFile read = read_result_file(file());

    EXPECT_FALSE(read.header.has_value());
    EXPECT_EQ(read.complete_bytes, 0U);
    EXPECT_EQ(read.problems.at(0), "demo.jsonl:1: the last line is cut off");
}

TEST_F(JsonlReader, FileThatIsNoResultFileIsRejected) {
    write_text(file(), "name,value\n1,2\n");
    EXPECT_REFUSED("demo.jsonl:1: header: not valid JSON (exception 101)",
                   read_result_file(file()));

    write_text(file(), line(0));
    EXPECT_REFUSED("demo.jsonl:1: header: got kind \"row\"", read_result_file(file()));
}

TEST_F(JsonlReader, HeaderWithAnUnknownProfileIsBadInputNotBadUsage) {
    std::string header = header_;
    header.replace(header.find("\"quick\""), 7, "\"quack\"");
    write_text(file(), header);

    EXPECT_REFUSED("demo.jsonl:1: profile: got 'quack'", read_result_file(file()));
}

TEST_F(JsonlReader, AbsentFilesDirectoriesAndDevicesAreRejected) {
    EXPECT_EQ(test::error_message<InvalidInput>([&] { (void)read_result_file(file()); }),
              file().string() + ": cannot be opened");
    EXPECT_REFUSED("/: got a directory or device", read_result_file("/"));
    EXPECT_REFUSED("/dev/zero: got a directory or device", read_result_file("/dev/zero"));
}

TEST(LatestRows, RetrySupersedesWhatFailedAtItsPlace) {
    Row failed = sample_row(0);
    failed.status = RowStatus::failed;

    const std::vector<Row> latest = latest_rows({failed, sample_row(1), sample_row(0)});

    ASSERT_EQ(latest.size(), 2U);
    EXPECT_EQ(latest[0].key.repetition, 0);
    EXPECT_EQ(latest[0].status, RowStatus::ok);
    EXPECT_EQ(latest[1].key.repetition, 1);
}

using test::file_content;
using test::FileSizeLimit;

namespace fs = std::filesystem;

class Writer : public testing::Test {
protected:
    [[nodiscard]] fs::path file() const { return directory_.path() / "demo.jsonl"; }

    [[nodiscard]] JsonlWriter begin() const { return {lock_, "demo.jsonl", sample_header()}; }

    [[nodiscard]] ResumedRows resume(const ResultHeader& header = sample_header()) const {
        return JsonlWriter::resume(lock_, "demo.jsonl", header);
    }

    test::TemporaryFolder directory_;
    DirectoryLock lock_{directory_.path()};
};

TEST_F(Writer, FileIsProvenanceThenOneLineForEachRow) {
    JsonlWriter writer = begin();
    writer.append(sample_row(0));
    writer.append(sample_row(1));

    const std::string expected = json_text(to_json_object(sample_header())) + "\n" +
                                 json_text(to_json_object(sample_row(0))) + "\n" +
                                 json_text(to_json_object(sample_row(1))) + "\n";
    EXPECT_EQ(file_content(file()), expected);
}

TEST_F(Writer, RowsAreInTheFileAsSoonAsAppendReturns) {
    JsonlWriter writer = begin();
    for (Index i = 0; i < 3; ++i) {
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
    write_text(
        file(),
        file_content(file()) + "{broken\n" + json_text(to_json_object(sample_row(2))) + "\n");

    const ResumedRows resumed = resume();

    EXPECT_EQ(resumed.rows.size(), 2U);
    EXPECT_EQ(resumed.messages.at(0), "demo.jsonl:3: row: not valid JSON (exception 101)");
}

TEST_F(Writer, ResumeRefusesAnotherConfigurationAndLeavesTheFileAlone) {
    begin().append(sample_row(0));
    const std::string before = file_content(file());
    ResultHeader other = sample_header();
    other.configuration.seed = 2;

    EXPECT_EQ(test::error_message<InvalidInput>([&] { (void)resume(other); }),
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
        message = test::error_message<EnvironmentFailure>([&] { writer.append(sample_row(1)); });
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

    const std::string message = test::error_message<EnvironmentFailure>([&] { (void)begin(); });

    EXPECT_SAYS(message, "No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Writer, DirectoryInPlaceOfTheFileIsAnEnvironmentFailure) {
    fs::create_directory(file());

    EXPECT_THROW((void)begin(), EnvironmentFailure);
}

}  // namespace

}  // namespace attest::record_test
