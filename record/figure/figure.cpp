#include "record/figure/figure.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "record/checked_case.hpp"
#include "record/figure/layout.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace attest {

namespace {

// The text with `content` between the first `open` and the `close` after it.
std::string with_content(std::string text,
                         std::string_view open,
                         std::string_view close,
                         const std::string& content) {
    const std::size_t begin = text.find(open);
    ensure(begin != std::string::npos, "draw_svg: gnuplot's drawing has no " + std::string(open));
    const std::size_t from = begin + open.size();
    const std::size_t to = text.find(close, from);
    ensure(to != std::string::npos, "draw_svg: gnuplot's drawing has no " + std::string(close));
    return text.replace(from, to - from, content);
}

std::string with_replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

constexpr mode_t kPrivate = 0600;

[[noreturn]] void fail(const std::string& what, int code) {
    throw EnvironmentFailure(
        formatted("run_gnuplot: {}: {}", what, std::system_category().message(code)));
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file) {
        fail(path, errno);
    }
}

std::string read_text(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// The first line that says what is wrong: no echo of the script, no marker below it, no warning.
std::string first_message(const std::string& path) {
    std::istringstream text(read_text(path));
    std::string line;
    std::string first;
    while (std::getline(text, line)) {
        const std::size_t start = line.find_first_not_of(" \t^");
        if (start == std::string::npos || line.find("warning:") != std::string::npos) {
            continue;
        }
        // gnuplot names its script in the line that holds the reason.
        if (line.find("\" line ") != std::string::npos) {
            return line.substr(line.find("\" line ") + 2);
        }
        first = first.empty() ? line.substr(start) : first;
    }
    return first.empty() ? "no message" : first;
}

pid_t spawn(std::string script, const std::string& drawing, const std::string& messages) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(
        &files, STDOUT_FILENO, drawing.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kPrivate);
    posix_spawn_file_actions_addopen(
        &files, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kPrivate);
    std::string program = "gnuplot";
    std::string no_start_up_files = "-d";
    std::string plain_locale = "LC_ALL=C.UTF-8";
    std::array<char*, 4> arguments{
        program.data(), no_start_up_files.data(), script.data(), nullptr};
    // Nothing of the user's settings may change the picture.
    std::array<char*, 2> environment{plain_locale.data(), nullptr};
    pid_t child = 0;
    const int code = posix_spawnp(
        &child, program.c_str(), &files, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&files);
    if (code == ENOENT) {
        throw NotAvailable(
            "run_gnuplot: gnuplot is not installed; install the package gnuplot-nox to draw "
            "figures");
    }
    if (code != 0) {
        fail("gnuplot cannot be started", code);
    }
    return child;
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            fail("waiting for gnuplot", errno);
        }
    }
    return status;
}

}  // namespace

std::string draw_svg(const Figure& figure) {
    std::string svg = run_gnuplot(figure_script(figure));
    const std::string& title = figure.title.empty() ? figure.panels.front().title : figure.title;
    svg = with_content(std::move(svg), "<title>", "</title>", xml_text(plain_text(title)));
    svg = with_content(std::move(svg), "<desc>", "</desc>", "Drawn by gnuplot from result rows");
    svg = with_replaced(std::move(svg), kAmpersand, "&amp;");
    svg = with_replaced(std::move(svg), kApostrophe, "'");
    // A reader's machine may lack Arial: name what looks alike.
    return with_replaced(
        std::move(svg),
        "font-family=\"Arial\"",
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\"");
}

std::string run_gnuplot(const std::string& script) {
    const TemporaryDirectory directory;
    const std::string drawing = directory.file("drawing");
    const std::string messages = directory.file("messages");
    write_text(directory.file("script"), script);
    const int status = wait_for(spawn(directory.file("script"), drawing, messages));
    // Ctrl-C reaches gnuplot as well.
    throw_if_interrupted("run_gnuplot");
    if (WIFSIGNALED(status)) {
        throw EnvironmentFailure(
            formatted("run_gnuplot: gnuplot ended by signal {}", WTERMSIG(status)));
    }
    ensure(WEXITSTATUS(status) == 0, "run_gnuplot: " + first_message(messages));
    std::string result = read_text(drawing);
    if (result.empty()) {
        throw EnvironmentFailure("run_gnuplot: gnuplot drew nothing: " + first_message(messages));
    }
    return result;
}

}  // namespace attest
