#include "python/src/errors.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"

#include <exception>
#include <new>

namespace attest::python {

namespace {

namespace py = pybind11;

void raise(const char* name, const char* message) {
    // Looked up, not made here: an exception has to pickle under the name of its module.
    const py::object type = py::module_::import("attest.errors").attr(name);
    PyErr_SetString(type.ptr(), message);
}

void translate(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Interrupted& error) {
        PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    } catch (const UnknownName& error) {
        raise("UnknownName", error.what());
    } catch (const InvalidInput& error) {
        raise("InvalidInput", error.what());
    } catch (const NotAvailable& error) {
        raise("NotAvailable", error.what());
    } catch (const MemoryFailure& error) {
        raise("MemoryFailure", error.what());
    } catch (const EnvironmentFailure& error) {
        raise("EnvironmentFailure", error.what());
    } catch (const BrokenInvariant& error) {
        raise("BrokenInvariant", error.what());
    } catch (const std::bad_alloc&) {
        raise("MemoryFailure", std::string(kOutOfMemory).c_str());
    }
}

}  // namespace

void bind_errors(py::module_& /*module*/) {
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as pybind11 asks
    py::register_exception_translator([](std::exception_ptr thrown) {
        if (thrown) {
            translate(thrown);
        }
    });
}

}  // namespace attest::python
