#include "bench/experiments/frame/report_files.hpp"

#include "core/base/atomic_file.hpp"

namespace attest {

void write_table(const Table& table,
                 const std::filesystem::path& stem,
                 std::vector<std::filesystem::path>& files) {
    std::filesystem::create_directories(stem.parent_path());
    const auto add = [&](const char* extension, const std::string& text) {
        std::filesystem::path path = stem;
        path += extension;
        write_file_atomically(path.string(), text);
        files.push_back(path);
    };
    add(".csv", to_csv(table));
    add(".md", to_markdown(table));
    add(".tex", to_latex(table));
}

}  // namespace attest
