#include "core/algebra/blas_core.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/mapped_blas.hpp"
#include "core/base/files.hpp"
#include "core/base/memory.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/errors.hpp"

#include <pybind11/stl.h>

PYBIND11_MODULE(_core, module) {
    namespace py = pybind11;
    using namespace attest;
    module.attr("version") = ATTEST_VERSION;
    python::bind_errors(module);
    python::bind_arrays(module);
    python::bind_data(module);
    python::bind_certify(module);
    python::bind_learn(module);
    python::bind_design(module);
    python::bind_stack(module);
    python::bind_tasks(module);
    python::bind_kernels(module);
    module.def("write_text", [](const std::string& path, const std::string& text) {
        write_file_atomically(path, std::string_view(text));
    });
    module.def("require_memory", &require_memory);
    module.def("linear_algebra", [] {
        const LapackInfo info = lapack_info();
        py::dict said;
        said["backend"] = info.backend;
        said["library"] = info.library;
        said["core"] = info.core;
        said["core_chosen_by"] = blas_core_chosen_by(blas_situation());
        said["threads"] = info.threads;
        said["mapped"] = mapped_blas();
        return said;
    });
}
