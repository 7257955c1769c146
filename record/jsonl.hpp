#pragma once

#include "record/configuration.hpp"
#include "record/directory_lock.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What a result file holds. Lines that cannot be read are reported and the others are kept.
struct ResultFile {
    std::optional<ResultHeader> header =
        {};                      ///< absent when the file was cut off within its first line
    std::vector<Row> rows = {};  ///< in the order of the file
    std::vector<std::string> problems = {};  ///< "fig2.jsonl:7: row: got no \"status\""
    std::uint64_t complete_bytes = 0;        ///< length without a cut-off last line
};

/// Reads a result file. A last line without line end is the mark of a crash: a problem, never a
/// row. Throws InvalidInput when the file cannot be read or its first line is no provenance line.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path);

/// Of several rows of one case the last: a retry supersedes what failed. In order of first
/// appearance.
[[nodiscard]] std::vector<Row> latest_rows(const std::vector<Row>& rows);

struct ResumedRows;

/// Appends rows to DIRECTORY/NAME. A row is written by one write(2) of its whole line and flushed
/// to the disk before `append` returns; a row that does not fit is taken back, so the file always
/// ends with a whole line. The lock must outlive the writer. Not for several threads at once.
class JsonlWriter {
public:
    /// Begins a new file with its provenance line. A file of that name that holds rows is kept
    /// beside it as NAME.previous. Throws EnvironmentFailure.
    JsonlWriter(const DirectoryLock& lock, const std::string& name, const ResultHeader& header);
    JsonlWriter(const JsonlWriter&) = delete;
    JsonlWriter& operator=(const JsonlWriter&) = delete;
    JsonlWriter(JsonlWriter&& other) noexcept;
    JsonlWriter& operator=(JsonlWriter&&) = delete;
    ~JsonlWriter();

    /// Goes on with a file, or begins one where there is none. Throws InvalidInput, naming the
    /// difference, when the file belongs to another configuration; EnvironmentFailure as above.
    [[nodiscard]] static ResumedRows resume(const DirectoryLock& lock,
                                            const std::string& name,
                                            const ResultHeader& header);

    /// Throws EnvironmentFailure when the row cannot be stored; earlier rows stay.
    void append(const Row& row);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit JsonlWriter(std::filesystem::path path);
    void open_file();
    void append_line(const std::string& line);
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;
    int descriptor_ = -1;
};

/// A file taken up again.
struct ResumedRows {
    JsonlWriter writer;
    std::vector<Row> rows;              ///< the latest row of every case in the file
    std::vector<std::string> messages;  ///< for people: what was dropped or could not be read
};

}  // namespace attest
