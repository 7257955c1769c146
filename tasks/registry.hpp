#pragma once

#include "core/rng/stream.hpp"
#include "tasks/task.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One row of the table of tasks.
struct TaskEntry {
    std::string_view name;
    std::string_view summary;  ///< one line
    std::vector<TaskParameter>
        parameters;  ///< the task's own, then those every task takes: relabel, noise
    std::unique_ptr<Task> (*read)(const ParameterReader&, const Stream&);
};

/// Every task, in the order in which `attest generate --help` lists them.
[[nodiscard]] std::span<const TaskEntry> task_registry();

/// The task of that name; throws UnknownName with the list and the nearest name otherwise.
[[nodiscard]] const TaskEntry& task_named(std::string_view name);

/// Builds a task from names and values as a user gives them; what is missing has its default. The
/// task draws from root.child(name), so all parameters share one stream of random words. Throws
/// UnknownName for an unknown task, parameter or choice, InvalidInput for a value that does not
/// parse or is out of range; messages list what is known and the nearest name.
[[nodiscard]] std::unique_ptr<Task> make_task(std::string_view name,
                                              const std::map<std::string, std::string>& parameters,
                                              const Stream& root);

/// The same with Stream(seed) as the root.
[[nodiscard]] std::unique_ptr<Task> make_task(std::string_view name,
                                              const std::map<std::string, std::string>& parameters,
                                              std::uint64_t seed);

}  // namespace attest
