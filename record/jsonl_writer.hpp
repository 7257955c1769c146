#pragma once

#include "record/configuration.hpp"
#include "record/directory_lock.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attest {

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
