#include "python/src/bindings.hpp"

namespace attest::python {

namespace py = pybind11;

namespace {

/// Text that a user chose may hold bytes that are not UTF-8: U+FFFD, as the command line shows.
py::object text_of(const std::string& text) {
    PyObject* const decoded =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (decoded == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(decoded);
}

}  // namespace

py::object python_of(const nlohmann::ordered_json& value) {
    switch (value.type()) {
        case nlohmann::ordered_json::value_t::boolean:
            return py::bool_(value.get<bool>());
        case nlohmann::ordered_json::value_t::number_integer:
            return py::int_(value.get<std::int64_t>());
        case nlohmann::ordered_json::value_t::number_unsigned:
            return py::int_(value.get<std::uint64_t>());
        case nlohmann::ordered_json::value_t::number_float:
            return py::float_(value.get<double>());
        case nlohmann::ordered_json::value_t::string:
            return text_of(value.get_ref<const std::string&>());
        case nlohmann::ordered_json::value_t::array: {
            py::list list;
            for (const nlohmann::ordered_json& part : value) {
                list.append(python_of(part));
            }
            return list;
        }
        case nlohmann::ordered_json::value_t::object: {
            py::dict object;
            for (const auto& [key, part] : value.items()) {
                object[text_of(key)] = python_of(part);
            }
            return object;
        }
        default:
            return py::none();
    }
}

py::dict answer_of(const Output& output) {
    py::dict answer;
    answer["said"] = python_of(output.json());
    answer["text"] = text_of(output.text());
    return answer;
}

}  // namespace attest::python
