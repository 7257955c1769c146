#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

namespace attest::python {

/// Runs the work on a thread of its own, without the interpreter's lock and with so many BLAS
/// threads, while the calling thread looks for signals every 50 ms and tells `progress`, a callable
/// of (stage, done, total) or None, how far it is where that has changed. When either raises in
/// Python (Ctrl-C: KeyboardInterrupt), the work is asked to stop, waited for, and that exception
/// thrown; else what the work threw, or nothing. Nothing is ever left behind to compute.
void run_interruptibly(int threads,
                       const pybind11::object& progress,
                       const std::function<void()>& work);

/// The same for work with a result.
template <class Work>
[[nodiscard]] auto interruptible(int threads, const pybind11::object& progress, const Work& work) {
    std::optional<decltype(work())> result;
    run_interruptibly(threads, progress, [&] { result.emplace(work()); });
    return std::move(*result);
}

/// Of short work that tells nobody.
template <class Work>
[[nodiscard]] auto interruptible(int threads, const Work& work) {
    return interruptible(threads, pybind11::none(), work);
}

}  // namespace attest::python
