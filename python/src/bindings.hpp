#pragma once

#include "core/questions/output.hpp"

#include <pybind11/pybind11.h>

namespace attest::python {

/// A JSON value as None, bool, int, float, str, list or dict.
[[nodiscard]] pybind11::object python_of(const nlohmann::ordered_json& value);

/// An answer: "said", the object that a command prints with --json, and "text", its lines.
[[nodiscard]] pybind11::dict answer_of(const Output& output);

// One function a file: what it adds to the module.

/// `Data`: a data set, from arrays or a file.
void bind_data(pybind11::module_& module);

/// `certify`, `suggest`, `leverage`, `spectrum`, `features`.
void bind_certify(pybind11::module_& module);

/// `Model`, `learn`, `learn_softmax`, `predict`, `reduce_heads`.
void bind_learn(pybind11::module_& module);

/// `check_kernel`, `kernel_kinds`, `kernel_arrays`.
void bind_kernels(pybind11::module_& module);

/// `plan`, `probe`, `read_answers`.
void bind_design(pybind11::module_& module);

/// `Stack`, `architecture`, `array_shapes`, `dimension`, `certify_stack`.
void bind_stack(pybind11::module_& module);

/// `generate`, `task_names`.
void bind_tasks(pybind11::module_& module);

}  // namespace attest::python
