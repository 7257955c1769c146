#include "core/base/parallel.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace attest {

void parallel_for(Index count, int threads, const std::function<void(Index)>& task) {
    const Index workers = std::min<Index>(threads, count);
    if (workers <= 1) {
        for (Index i = 0; i < count; ++i) {
            throw_if_stopped("parallel_for");
            task(i);
        }
        return;
    }
    std::atomic<Index> next{0};
    std::atomic<bool> failed{false};
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
    const StopToken* const token = StopScope::current();
    ProgressBoard* const board = ProgressScope::current();
    const auto work = [&] {
        const StopScope scope(token);
        const ProgressScope progress(board);
        while (!failed.load()) {
            const Index i = next.fetch_add(1);
            if (i >= count) {
                return;
            }
            try {
                throw_if_stopped("parallel_for");
                task(i);
            } catch (...) {
                errors[static_cast<std::size_t>(i)] = std::current_exception();
                failed.store(true);
            }
        }
    };
    std::vector<std::thread> pool;
    try {
        for (Index w = 1; w < workers; ++w) {
            pool.emplace_back(work);
        }
    } catch (const std::system_error&) {  // the system has no more threads: those there are suffice
    }
    work();
    for (std::thread& thread : pool) {
        thread.join();
    }
    for (const std::exception_ptr& error : errors) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

}  // namespace attest
