#pragma once

#include "core/algebra/matrix.hpp"

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace attest::python {

namespace py = pybind11;

/// An array of native doubles of that rank, where it lies. Throws InvalidInput, naming it `what`,
/// for another type or rank.
[[nodiscard]] py::buffer_info doubles_of(const py::buffer& array,
                                         py::ssize_t rank,
                                         const std::string& what);

/// The rows of an array (R,C) of native doubles, any strides, as the columns of a C×R matrix. One
/// copy. Throws as doubles_of.
[[nodiscard]] Matrix columns_from_rows(const py::buffer& array, const std::string& what);

/// A one-dimensional array of int64. Throws InvalidInput for another type or rank.
[[nodiscard]] std::vector<Index> integers_from(const py::buffer& array, const std::string& what);

/// A two-dimensional array of native doubles as it stands. Throws as doubles_of.
[[nodiscard]] Matrix matrix_from(const py::buffer& array, const std::string& what);

/// Python's `Array`: owns a matrix and shows it by the buffer protocol, so numpy.asarray copies
/// nothing.
void bind_arrays(py::module_& module);

}  // namespace attest::python
