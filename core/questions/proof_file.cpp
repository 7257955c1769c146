#include "core/questions/proof_file.hpp"

#include "core/base/files.hpp"
#include "core/base/text.hpp"

#include <filesystem>
#include <fstream>

namespace attest {

namespace {

/// Whether a file begins as a proof does; nothing else is ever taken away.
bool is_proof(const std::string& path) {
    std::ifstream file(path);
    std::string word;
    return file >> word && word == "attest-proof";
}

}  // namespace

void write_proof(const std::string& path, const std::optional<std::string>& proof) {
    if (proof) {
        write_file_atomically(path, std::string_view(*proof));
    } else if (is_proof(path)) {
        std::filesystem::remove(path);
    }
}

void describe_proof(Output& output,
                    const std::string& path,
                    const std::optional<std::string>& proof,
                    std::string_view why_none) {
    if (proof) {
        output.add("proof",
                   path,
                   path + "; verify it with attest-check, which shares no code with this program");
    } else {
        output.add("proof", nullptr, formatted("none: {}", why_none));
    }
}

}  // namespace attest
