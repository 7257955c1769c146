#pragma once

#include "cli/output.hpp"

#include <pybind11/pybind11.h>

#include <sstream>

namespace attest::python {

/// What a command prints, for Python: "json", the text of its one object, and "text", its lines.
[[nodiscard]] inline pybind11::dict answer_of(const cli::Output& output) {
    const auto printed = [&](bool as_json) {
        std::ostringstream out;
        output.print(out, as_json);
        return out.str();
    };
    pybind11::dict said;
    said["json"] = printed(true);
    said["text"] = printed(false);
    return said;
}

// One function a file: what it adds to the module.

/// `Data`: a data set, from arrays or a file.
void bind_data(pybind11::module_& module);

/// `certify`, `suggest`, `leverage`, `spectrum`, `features`.
void bind_certify(pybind11::module_& module);

/// `Model`, `learn`, `predict`, `reduce_heads`.
void bind_learn(pybind11::module_& module);

/// `generate`, `task_names`.
void bind_tasks(pybind11::module_& module);

}  // namespace attest::python
