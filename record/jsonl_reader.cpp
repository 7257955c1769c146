#include "record/jsonl_reader.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/json_text.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
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

}  // namespace attest
