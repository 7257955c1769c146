#include "python/src/bindings.hpp"
#include "python/src/data.hpp"
#include "python/src/interruptible.hpp"
#include "tasks/registry.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attest::python {

namespace {

namespace py = pybind11;

std::unique_ptr<Data> draw(const std::string& name,
                           const std::map<std::string, std::string>& settings,
                           std::uint64_t seed,
                           Index count,
                           int threads) {
    const std::unique_ptr<Task> task = make_task(name, settings, seed);
    return std::make_unique<Data>(
        interruptible(threads, [&] { return materialise(*task, 0, count, threads); }));
}

std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (const TaskEntry& entry : task_registry()) {
        all.push_back(entry.name);
    }
    return all;
}

}  // namespace

void bind_tasks(py::module_& module) {
    module.def("generate", &draw);
    module.def("task_names", &names);
}

}  // namespace attest::python
