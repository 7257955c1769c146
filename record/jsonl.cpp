#include "record/jsonl.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

namespace attest {

namespace {

std::string read_all(const std::filesystem::path& path) {
    std::error_code absent;
    const std::filesystem::file_status status = std::filesystem::status(path, absent);
    require(!std::filesystem::is_directory(status) && !std::filesystem::is_character_file(status),
            "{}: got a directory or device, expected a result file",
            path.string());
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), "{}: cannot be opened", path.string());
    std::ostringstream bytes;
    bytes << file.rdbuf();
    require(!file.bad(), "{}: cannot be read", path.string());
    return bytes.str();
}

namespace fs = std::filesystem;

bool holds_rows(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) {
        return false;
    }
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) && std::getline(file, line);
}

void keep_beside(const fs::path& path) {
    fs::path previous = path;
    previous += ".previous";
    std::error_code failed;
    fs::rename(path, previous, failed);
    if (failed) {
        throw EnvironmentFailure(
            formatted("{}: cannot rename this file: {}", path.string(), failed.message()));
    }
}

}  // namespace

ResultFile read_result_file(const std::filesystem::path& path) {
    const std::string bytes = read_all(path);
    ResultFile file;
    Index number = 0;
    const auto place = [&] { return formatted("{}:{}: ", path.filename().string(), number); };
    for (std::size_t begin = 0; begin < bytes.size();) {
        ++number;
        const std::size_t end = bytes.find('\n', begin);
        if (end == std::string::npos) {
            file.problems.push_back(place() + "the last line is cut off");
            break;
        }
        const std::string_view line = std::string_view(bytes).substr(begin, end - begin);
        begin = end + 1;
        file.complete_bytes = begin;
        try {
            const nlohmann::ordered_json object = parse_json(line, number == 1 ? "header" : "row");
            if (number == 1) {
                file.header = header_from_json(object);
            } else {
                file.rows.push_back(row_from_json(object));
            }
        } catch (const Error& error) {
            require(number > 1, "{}{}; is this a result file (.jsonl)?", place(), error.what());
            file.problems.push_back(place() + error.what());
        }
    }
    return file;
}

std::vector<Row> latest_rows(const std::vector<Row>& rows) {
    std::vector<Row> latest;
    std::map<std::string, std::size_t> positions;
    for (const Row& row : rows) {
        const auto [found, added] = positions.emplace(identity(row.key), latest.size());
        if (added) {
            latest.push_back(row);
        } else {
            latest[found->second] = row;
        }
    }
    return latest;
}

JsonlWriter::JsonlWriter(fs::path path) : path_(std::move(path)) {}

JsonlWriter::JsonlWriter(const DirectoryLock& lock,
                         const std::string& name,
                         const ResultHeader& header)
    : JsonlWriter(lock.directory() / name) {
    const std::string line = json_text(to_json_object(header)) + '\n';
    AtomicFile beginning(path_.string());
    beginning.append(std::as_bytes(std::span(line.data(), line.size())));
    // Only now, when the new first line is on its way to the disk, the old rows may step aside.
    if (holds_rows(path_)) {
        keep_beside(path_);
    }
    beginning.commit();
    open_file();
}

JsonlWriter::JsonlWriter(JsonlWriter&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

JsonlWriter::~JsonlWriter() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

ResumedRows JsonlWriter::resume(const DirectoryLock& lock,
                                const std::string& name,
                                const ResultHeader& header) {
    const fs::path path = lock.directory() / name;
    std::error_code unreadable;
    if (!fs::exists(path, unreadable)) {
        return {JsonlWriter(lock, name, header), {}, {}};
    }
    ResultFile file = read_result_file(path);
    if (!file.header) {
        return {JsonlWriter(lock, name, header), {}, std::move(file.problems)};
    }
    const std::string other = difference(file.header->configuration, header.configuration);
    require(
        other.empty(), "{}: cannot resume: {}; start anew without --resume", path.string(), other);
    JsonlWriter writer{path};
    writer.open_file();
    if (ftruncate(writer.descriptor_, static_cast<off_t>(file.complete_bytes)) != 0) {
        writer.fail(errno);
    }
    return {std::move(writer), latest_rows(file.rows), std::move(file.problems)};
}

void JsonlWriter::append(const Row& row) {
    append_line(json_text(to_json_object(row)));
}

void JsonlWriter::open_file() {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);  // NOLINT(*-vararg)
    if (descriptor_ < 0) {
        fail(errno);
    }
}

void JsonlWriter::append_line(const std::string& line) {
    const std::string bytes = line + '\n';
    const off_t before = lseek(descriptor_, 0, SEEK_END);
    ssize_t written = 0;
    do {
        written = write(descriptor_, bytes.data(), bytes.size());
    } while (written < 0 && errno == EINTR);
    if (written != static_cast<ssize_t>(bytes.size())) {
        // A short write means that the disk is full or a limit is reached.
        const int code = written < 0 ? errno : ENOSPC;
        if (before >= 0 && ftruncate(descriptor_, before) != 0) {
            // The half line stays without line end: the next resume drops it.
            close(std::exchange(descriptor_, -1));
        }
        fail(code);
    }
    // A device has nothing to flush and says EINVAL.
    if (fsync(descriptor_) != 0 && errno != EINVAL) {
        fail(errno);
    }
}

void JsonlWriter::fail(int code) const {
    throw EnvironmentFailure(formatted("{}: cannot write: {}; rows written before are kept",
                                       path_.string(),
                                       std::system_category().message(code)));
}

}  // namespace attest
