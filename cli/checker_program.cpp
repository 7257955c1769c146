#include "cli/checker_program.hpp"

#include "core/base/child_process.hpp"

#include <filesystem>

namespace attest::cli {

std::string checker_program(const std::string& name) {
    const std::string beside = program_folder() + '/' + name;
    return std::filesystem::exists(beside) ? beside : name;
}

}  // namespace attest::cli
