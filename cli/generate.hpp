#pragma once

#include "cli/command.hpp"
#include "tasks/task.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attest::cli {

struct GenerateTextOptions {
    bool chosen = false;  ///< whether the user asked for this task
    Index count = 0;      ///< windows; 0: all
    std::string output;
    std::map<std::string, std::string> parameters;  ///< only those that the user gave
};

/// Adds `generate text`: windows of the user's files. A text ends, unlike what tasks draw.
void add_generate_text(CLI::App& parent, GenerateTextOptions& options, CommonOptions& common);

[[nodiscard]] int generate_text(const GenerateTextOptions& options, const CommonOptions& common);

/// Adds an option for each parameter of a task; `given` gets those that the user gives, as text. It
/// must outlive the parse.
void add_task_options(CLI::App& app,
                      const std::vector<TaskParameter>& parameters,
                      std::map<std::string, std::string>& given);

}  // namespace attest::cli
