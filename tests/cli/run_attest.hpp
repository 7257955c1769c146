#pragma once

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace attest::test {

/// What a run of the program left behind.
struct RunResult {
    int code = -1;
    std::string out;
    std::string err;          ///< but for lines of progress, which come by the clock
    double peak_bytes = 0.0;  ///< of resident memory
};

/// A program that runs beside the test until it is waited for; killed if it never is.
class RunningProgram {
public:
    RunningProgram(const std::string& program, const std::vector<std::string>& arguments);
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;
    RunningProgram(RunningProgram&&) = delete;
    RunningProgram& operator=(RunningProgram&&) = delete;
    ~RunningProgram();

    void send(int signal_number) const;

    [[nodiscard]] pid_t id() const { return child_; }

    [[nodiscard]] RunResult wait();

private:
    struct Streams;
    std::unique_ptr<Streams> streams_;
    pid_t child_ = 0;
};

/// Whether a process is there and no zombie that nobody waits for.
[[nodiscard]] bool runs(pid_t process);

/// What a process has computed so far, in ticks of the system's clock for processor time; 0 where
/// there is none.
[[nodiscard]] long processor_ticks(pid_t process);

/// Runs a program with these arguments and waits for it.
[[nodiscard]] RunResult run_program(const std::string& program,
                                    const std::vector<std::string>& arguments);

/// The arguments of a command as a user types it; none holds a space.
[[nodiscard]] std::vector<std::string> typed(const std::string& command);

/// Runs build/bin/attest with these arguments and waits for it.
[[nodiscard]] RunResult run_attest(const std::vector<std::string>& arguments);

/// Whether a text is exactly one line that ends in a newline.
[[nodiscard]] bool one_line(const std::string& text);

/// The one line of JSON that the run printed; null, and a failed expectation, if it printed another
/// thing.
[[nodiscard]] nlohmann::json json_of(const RunResult& run);

/// Runs attest with these arguments and --json, expects this exit code, and returns what it
/// printed.
[[nodiscard]] nlohmann::json run_json(std::vector<std::string> arguments, int code = 0);

}  // namespace attest::test
