#include "record/derive/derived.hpp"

#include "core/base/files.hpp"

namespace attest {

std::vector<std::filesystem::path> write_derived(const Derived& derived,
                                                 const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    const auto write = [&](const char* kind, const std::string& name, const std::string& text) {
        std::filesystem::create_directories(folder / kind);
        files.push_back(folder / kind / name);
        write_file_atomically(files.back().string(), text);
    };
    for (const auto& [name, table] : derived.tables) {
        write("tables", name + ".csv", to_csv(table));
        write("tables", name + ".md", to_markdown(table));
        write("tables", name + ".tex", to_latex(table));
    }
    for (const auto& [name, figure] : derived.figures) {
        write("figures", name + ".svg", draw_svg(figure));
    }
    return files;
}

}  // namespace attest
