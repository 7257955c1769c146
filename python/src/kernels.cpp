#include "core/base/error.hpp"
#include "core/questions/check_kernel.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attest::python {

namespace py = pybind11;

namespace {

/// An array of native doubles that lie in C order.
Weight weight_of(const std::string& name, const py::buffer& array) {
    const py::buffer_info info = doubles_of(array, array.request().ndim, name);
    Weight weight;
    py::ssize_t step = info.itemsize;
    for (std::size_t axis = info.shape.size(); axis-- > 0;) {
        require(info.strides[axis] == step || info.shape[axis] <= 1,
                "{}: got entries that lie {} bytes apart, expected {}",
                name,
                info.strides[axis],
                step);
        step *= info.shape[axis];
    }
    weight.shape.assign(info.shape.begin(), info.shape.end());
    weight.values.resize(static_cast<std::size_t>(info.size));
    if (info.size > 0) {
        std::memcpy(weight.values.data(), info.ptr, weight.values.size() * sizeof(double));
    }
    return weight;
}

/// "array sequence head rows columns" of each result: what is known of the numbers behind it.
using SpreadNames = std::vector<std::tuple<std::string, Index, Index, Index, Index>>;

py::object spreads_of(const SharpCheck& check) {
    SpreadNames names;
    Index size = 0;
    for (const ResultSpread& spread : check.spreads) {
        const Index rows = spread.families[0].rows.size();
        const Index columns = spread.families[0].columns.size();
        names.emplace_back(
            spread.name.array, spread.name.sequence, spread.name.head, rows, columns);
        size += 2 * (rows + columns) + 1;
    }
    auto numbers = std::make_unique<Matrix>(size, 1);
    Index at = 0;
    const auto keep = [&](const Vector& values) {
        numbers->col(0).segment(at, values.size()) = values;
        at += values.size();
    };
    for (const ResultSpread& spread : check.spreads) {
        for (const FamilySpread& family : spread.families) {
            keep(family.rows);
            keep(family.columns);
        }
        keep(Vector::Constant(1, spread.gain));
    }
    return py::make_tuple(names, std::move(numbers));
}

std::vector<ResultSpread> spreads_from(const SpreadNames& names, const py::buffer& array) {
    const Weight numbers = weight_of("spreads", array);
    std::vector<ResultSpread> spreads;
    std::size_t at = 0;
    const auto next = [&](Index count) {
        const auto size = static_cast<std::size_t>(count);
        require(count >= 0 && size <= numbers.values.size() - at,
                "spreads: got {} numbers, fewer than their names say",
                numbers.values.size());
        Vector values = Eigen::Map<const Vector>(numbers.values.data() + at, count);
        at += size;
        return values;
    };
    for (const auto& [name, sequence, head, rows, columns] : names) {
        ResultSpread spread{{name, sequence, head}, {}, 0.0};
        for (FamilySpread& family : spread.families) {
            family.rows = next(rows);
            family.columns = next(columns);
        }
        spread.gain = next(1)(0);
        spreads.push_back(std::move(spread));
    }
    return spreads;
}

DumpFormat dump_format_of(const py::dict& options, const std::string& kind) {
    DumpFormat format;
    format.recurrence = recurrence_named(kind);
    if (options["layout"].cast<std::string>() == "head-first") {
        format.layout = DumpLayout::head_first;
    }
    format.epsilon = options["epsilon"].cast<double>();
    return format;
}

KernelRequest kernel_request_of(const py::dict& options) {
    KernelRequest request;
    request.accumulator = options["accumulator"].cast<std::string>();
    request.operands = options["operands"].cast<std::string>();
    request.output_type = options["output_type"].cast<std::string>();
    request.state_type = options["state_type"].cast<std::string>();
    request.grid = chunk_grid_named(options["chunk_grid"].cast<std::string>());
    request.slack = options["slack"].cast<double>();
    request.sharp = options["sharp"].cast<bool>() ? SharpLevel::on : SharpLevel::off;
    return request;
}

/// `arrays` as a dump has them; `known` what `spreads` of an earlier answer was, or None.
py::dict check_arrays(const std::string& kind,
                      const std::string& name,
                      const py::dict& arrays,
                      const py::dict& options,
                      const py::object& known,
                      int threads) {
    Weights file{name, "", {}};
    for (const auto& [key, array] : arrays) {
        const auto word = key.cast<std::string>();
        file.tensors.emplace(word, weight_of(word, py::cast<py::buffer>(array)));
    }
    const DumpFormat format = dump_format_of(options, kind);
    const KernelRequest request = kernel_request_of(options);
    std::vector<ResultSpread> spreads;
    if (!known.is_none()) {
        const auto pair = known.cast<std::pair<SpreadNames, py::buffer>>();
        spreads = spreads_from(pair.first, pair.second);
    }
    const KernelAnswer found = interruptible(1, [&] {
        return check_kernel(kernel_call(std::move(file), format), request, threads, spreads);
    });
    py::dict answer = answer_of(describe(found));
    answer["spreads"] = found.findings.sharp && !found.findings.sharp->spreads.empty()
                            ? spreads_of(*found.findings.sharp)
                            : py::none();
    return answer;
}

std::string_view word(ArrayExtent extent) {
    constexpr std::array<std::string_view, 4> kWords{"token", "step", "state", "head"};
    return kWords.at(static_cast<std::size_t>(extent));
}

std::string_view word(ArrayWidth width) {
    constexpr std::array<std::string_view, 5> kWords{
        "one", "key", "value", "one_or_key", "one_or_value"};
    return kWords.at(static_cast<std::size_t>(width));
}

/// (name, extent, width, whether it is always there) of each array that the kind reads.
py::list arrays_read_by(const std::string& kind) {
    py::list rows;
    for (const ArrayRow& row : arrays_of(recurrence_named(kind))) {
        rows.append(py::make_tuple(
            row.name, word(row.extent), word(row.width), row.need == ArrayNeed::always));
    }
    return rows;
}

}  // namespace

void bind_kernels(py::module_& module) {
    module.def("check_kernel",
               &check_arrays,
               py::arg("kind"),
               py::arg("name"),
               py::arg("arrays"),
               py::arg("options"),
               py::arg("known"),
               py::arg("threads"));
    module.def("kernel_kinds", &recurrence_names);
    module.def("kernel_arrays", &arrays_read_by);
}

}  // namespace attest::python
