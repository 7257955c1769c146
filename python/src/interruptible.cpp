#include "python/src/interruptible.hpp"

#include "core/algebra/mapped_blas.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace attest::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

/// One call's work on its thread; the destructor waits for its end.
class Worker {
public:
    Worker(int threads, const std::function<void()>& work)
        : thread_([this, threads, &work] {
              const StopScope scope(&token_);
              const ProgressScope progress(&board_);
              try {
                  const ScopedBlasThreads blas(threads);
                  work();
              } catch (...) {
                  error_ = std::current_exception();
              }
              const std::lock_guard lock(mutex_);
              done_ = true;
              finished_.notify_one();
          }) {}

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    ~Worker() { thread_.join(); }

    void stop() { token_.request(); }

    [[nodiscard]] StageProgress progress() const { return board_.read(); }

    /// Whether it ended within a moment; other Python threads run meanwhile.
    [[nodiscard]] bool ends_soon() {
        const py::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        return finished_.wait_for(lock, kBetweenLooks, [this] { return done_; });
    }

    /// What it threw; only after its end.
    [[nodiscard]] const std::exception_ptr& error() const { return error_; }

private:
    StopToken token_;
    ProgressBoard board_;
    std::exception_ptr error_;
    std::mutex mutex_;
    std::condition_variable finished_;
    bool done_ = false;
    std::thread thread_;  // last: it uses what is above
};

/// Tells a Python callable how far the work is, where that has changed.
class Teller {
public:
    explicit Teller(const py::object& progress) : progress_(progress) {}

    void tell(const StageProgress& at) {
        const bool same = at.stage == last_.stage && at.done == last_.done;
        if (!progress_.is_none() && !same) {
            last_ = at;
            progress_(std::string(at.stage), at.done, at.total);
        }
    }

private:
    const py::object& progress_;
    StageProgress last_;
};

}  // namespace

void run_interruptibly(int threads, const py::object& progress, const std::function<void()>& work) {
    std::optional<py::error_already_set> raised;
    std::exception_ptr error;
    {
        Worker worker(threads, work);
        Teller teller(progress);
        const auto look = [&] {
            try {
                if (PyErr_CheckSignals() != 0) {
                    throw py::error_already_set();
                }
                teller.tell(worker.progress());
            } catch (py::error_already_set& in_python) {
                raised.emplace(std::move(in_python));
                worker.stop();
            }
        };
        while (!worker.ends_soon()) {
            if (!raised) {
                look();
            }
        }
        error = worker.error();
    }
    if (raised) {
        throw std::move(*raised);
    }
    if (error) {
        std::rethrow_exception(error);
    }
}

}  // namespace attest::python
