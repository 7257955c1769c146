#pragma once

#include "record/checked_case.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace attest::cli {

/// Files for services that collect checks; empty: not asked for.
struct CheckFiles {
    std::string junit;
    std::string sarif;
};

/// Adds --junit and --sarif.
void add_check_files(CLI::App& app, CheckFiles& files);

/// Writes those that were asked for. Throws EnvironmentFailure when one cannot be written.
void write_checks(const CheckFiles& files,
                  const std::string& suite,
                  const std::vector<CheckedCase>& cases);

/// The stand-alone checker of that name beside this program; else its name, to be looked up in
/// PATH.
[[nodiscard]] std::string checker_program(const std::string& name);

}  // namespace attest::cli
