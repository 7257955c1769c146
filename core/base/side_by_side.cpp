#include "core/base/side_by_side.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace attest {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{10};

/// How a part ended: the first byte of what its process leaves behind.
enum class Ending : char {
    answer = 'a',
    interrupted = 'i',
    unknown_name = 'u',
    invalid_input = 'v',
    not_available = 'n',
    environment = 'e',
    memory = 'm',
    broken = 'b',
};

/// A file that only this process and its children see.
class MemoryFile {
public:
    MemoryFile() : descriptor_(memfd_create("attest", MFD_CLOEXEC)) {
        if (descriptor_ < 0) {
            throw EnvironmentFailure("run_side_by_side: no file in memory can be opened");
        }
    }

    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    MemoryFile(MemoryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

    MemoryFile& operator=(MemoryFile&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    ~MemoryFile() {
        if (descriptor_ >= 0) {
            close(descriptor_);
        }
    }

    [[nodiscard]] int descriptor() const { return descriptor_; }

    /// Whether all of it could be written.
    [[nodiscard]] bool append(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = write(descriptor_, text.data(), text.size());
            if (count <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    [[nodiscard]] std::string content() const {
        std::string text;
        std::array<char, 4096> buffer{};
        for (;;) {
            const ssize_t count =
                pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
            if (count <= 0) {
                return text;
            }
            text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }

private:
    int descriptor_;
};

struct Ended {
    Ending ending = Ending::environment;
    std::string text;  ///< the answer, or the exception's message
};

Ended end_of(const std::function<std::string()>& part) {
    try {
        std::string answer = part();
        std::cout.flush();
        return std::cout ? Ended{Ending::answer, std::move(answer)}
                         : Ended{Ending::environment, "standard output could not be written"};
    } catch (const Interrupted& error) {
        return {Ending::interrupted, error.what()};
    } catch (const UnknownName& error) {
        return {Ending::unknown_name, error.what()};
    } catch (const InvalidInput& error) {
        return {Ending::invalid_input, error.what()};
    } catch (const NotAvailable& error) {
        return {Ending::not_available, error.what()};
    } catch (const EnvironmentFailure& error) {
        return {Ending::environment, error.what()};
    } catch (const std::bad_alloc& error) {
        return {Ending::memory, error.what()};
    } catch (const std::exception& error) {
        return {Ending::broken, error.what()};
    }
}

void throw_again(const Ended& ended) {
    switch (ended.ending) {
        case Ending::answer:
            return;
        case Ending::interrupted:
            throw Interrupted(ended.text);
        case Ending::unknown_name:
            throw UnknownName(ended.text);
        case Ending::invalid_input:
            throw InvalidInput(ended.text);
        case Ending::not_available:
            throw NotAvailable(ended.text);
        case Ending::environment:
            throw EnvironmentFailure(ended.text);
        case Ending::memory:
            throw std::bad_alloc();
        case Ending::broken:
            throw BrokenInvariant(ended.text);
    }
}

/// A part's process, and what it writes.
class PartProcess {
public:
    PartProcess(std::size_t number, const std::function<std::string()>& part) : number_(number) {
        // What is buffered here would be written by the child too.
        std::cout.flush();
        (void)std::fflush(nullptr);
        const pid_t parent = getpid();
        process_ = fork();
        if (process_ < 0) {
            throw EnvironmentFailure("run_side_by_side: no process can be started");
        }
        if (process_ == 0) {
            run(part, parent);
        }
    }

    [[nodiscard]] std::size_t number() const { return number_; }

    /// How it ended, once it has.
    [[nodiscard]] std::optional<Ended> end() const {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) != process_) {
            return std::nullopt;
        }
        const std::string left = answer_.content();
        if (WIFEXITED(status) && !left.empty()) {
            return Ended{static_cast<Ending>(left.front()), left.substr(1)};
        }
        if (interrupted()) {
            return Ended{Ending::interrupted, "interrupted"};
        }
        return Ended{Ending::environment,
                     WIFSIGNALED(status)
                         ? formatted("a part of the run was ended by signal {}", WTERMSIG(status))
                         : std::string("a part of the run ended without an answer")};
    }

    [[nodiscard]] std::string output() const { return output_.content(); }

    /// Not SIGINT: the terminal may have sent that already, and a second one of a kind kills.
    void tell_to_stop() const { (void)kill(process_, SIGTERM); }

private:
    [[noreturn]] void run(const std::function<std::string()>& part, pid_t parent) const {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);  // NOLINT(*-vararg): the system's interface
        if (getppid() != parent || dup2(output_.descriptor(), STDOUT_FILENO) < 0) {
            _exit(1);
        }
        const Ended ended = end_of(part);
        const bool written = answer_.append(std::string(1, static_cast<char>(ended.ending))) &&
                             answer_.append(ended.text);
        (void)std::fflush(nullptr);
        _exit(written ? 0 : 1);
    }

    std::size_t number_;
    pid_t process_ = -1;
    MemoryFile output_;
    MemoryFile answer_;
};

/// Parts under way, and what the others came to.
class SideBySide {
public:
    SideBySide(const std::vector<std::function<std::string()>>& parts, int jobs)
        : parts_(parts),
          jobs_(static_cast<std::size_t>(jobs)),
          ended_(parts.size()),
          outputs_(parts.size()) {}

    void run() {
        while (begin() || !running_.empty()) {
            if (interrupted() && !told_) {
                told_ = true;
                std::for_each(running_.begin(), running_.end(), [](const PartProcess& process) {
                    process.tell_to_stop();
                });
            }
            if (!collect()) {
                std::this_thread::sleep_for(kBetweenLooks);
            }
            show();
        }
    }

    [[nodiscard]] std::vector<std::string> answers() const {
        std::vector<std::string> all;
        for (const std::optional<Ended>& ended : ended_) {
            if (ended) {
                throw_again(*ended);
                all.push_back(ended->text);
            }
        }
        if (all.size() < parts_.size()) {
            throw Interrupted("interrupted");
        }
        return all;
    }

private:
    /// Whether there was one to begin.
    bool begin() {
        const std::size_t before = next_;
        while (!failed_ && !interrupted() && next_ < parts_.size() && running_.size() < jobs_) {
            running_.emplace_back(next_, parts_[next_]);
            ++next_;
        }
        return next_ > before;
    }

    /// Whether one has ended.
    bool collect() {
        const std::size_t before = running_.size();
        std::erase_if(running_, [&](const PartProcess& process) {
            std::optional<Ended> ended = process.end();
            if (ended) {
                failed_ = failed_ || ended->ending != Ending::answer;
                outputs_[process.number()] = process.output();
                ended_[process.number()] = std::move(ended);
                return true;
            }
            return false;
        });
        return running_.size() < before;
    }

    /// Prints what the parts wrote up to the first that is still under way.
    void show() {
        for (; shown_ < next_ && ended_[shown_]; ++shown_) {
            std::cout << std::exchange(outputs_[shown_], {}) << std::flush;
        }
    }

    const std::vector<std::function<std::string()>>& parts_;
    std::size_t jobs_;
    std::vector<PartProcess> running_;
    std::vector<std::optional<Ended>> ended_;
    std::vector<std::string> outputs_;
    std::size_t next_ = 0;
    std::size_t shown_ = 0;
    bool failed_ = false;
    bool told_ = false;
};

}  // namespace

std::vector<std::string> run_side_by_side(const std::vector<std::function<std::string()>>& parts,
                                          int jobs) {
    require(jobs >= 1, "run_side_by_side: got {} jobs, expected at least one", jobs);
    SideBySide all(parts, jobs);
    all.run();
    return all.answers();
}

}  // namespace attest
