#include "cli/command.hpp"

#include "cli/option_values.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/questions/certify.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

namespace attest::cli {

namespace {

/// Messages of core that name the command, for those who call it otherwise, name it once here.
int complain(const std::string& name, const std::string& message, ExitCode code) {
    const std::string prefix = name + ": ";
    std::cerr << "attest " << (message.starts_with(prefix) ? "" : prefix) << message << '\n';
    return code;
}

/// An option that names a file to write, in one command or in all.
struct WrittenOption {
    std::string_view name;
    std::string_view command = {};
};

bool is_written(const CLI::App& app, const CLI::Option& option) {
    constexpr std::array<WrittenOption, 12> kWritten{{{"--output"},
                                                      {"--proof"},
                                                      {"--witness"},
                                                      {"--labelled"},
                                                      {"--ratios"},
                                                      {"--junit"},
                                                      {"--sarif"},
                                                      {"--errata"},
                                                      {"--markdown"},
                                                      {"--model", "express"},
                                                      {"--model", "exhaust"},
                                                      {"--queries", "export"}}};
    return option.count() > 0 &&
           std::any_of(kWritten.begin(), kWritten.end(), [&](const WrittenOption& written) {
               return option.check_name(std::string(written.name)) &&
                      (written.command.empty() || written.command == app.get_name());
           });
}

std::vector<std::string> files_of(const CLI::Option& written) {
    const std::string& path = written.results().front();
    if (!written.check_name("--witness")) {
        return {path};
    }
    const WitnessFiles files = witness_files(path);
    return {files.models[0], files.models[1], files.input};
}

void require_other_file(const std::string& path, const CLI::Option& written, const CLI::App& app) {
    for (const CLI::Option* other : app.get_options(nullptr)) {
        for (const std::string& value : other->results()) {
            std::error_code none;
            const bool same = std::filesystem::equivalent(path, value, none) ||
                              (is_written(app, *other) && path == value);
            if (other != &written && same) {
                throw CLI::ValidationError(
                    written.get_name(),
                    formatted("{} is what {} names too; write to another file",
                              path,
                              other->get_name(true, false)));
            }
        }
    }
}

/// What a command writes is none of the files that it reads, nor twice the same: nothing is lost.
void require_other_files(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options(nullptr)) {
        if (is_written(app, *option)) {
            for (const std::string& path : files_of(*option)) {
                require_other_file(path, *option, app);
            }
        }
    }
}

}  // namespace

std::vector<std::string> words_without(const std::vector<std::string>& arguments,
                                       const std::string& option) {
    std::vector<std::string> words{"attest"};
    for (std::size_t k = 1; k < arguments.size(); ++k) {
        if (arguments[k] == option) {
            ++k;
        } else if (!arguments[k].starts_with(option + '=')) {
            words.push_back(arguments[k]);
        }
    }
    return words;
}

int exit_code(Decision decision) {
    switch (decision) {
        case Decision::yes:
            return kHolds;
        case Decision::no:
            return kDoesNotHold;
        case Decision::undecided:
            return kUndecided;
    }
    return kInternal;
}

void add_common(CLI::App& app, CommonOptions& common) {
    constexpr const char* kHeading = "In every command";
    app.add_flag("--json", common.json, "Print one JSON object on standard output")
        ->group(kHeading);
    app.add_option("--seed", common.seed, "Seed of every random draw")
        ->check(seed_number())
        ->capture_default_str()
        ->group(kHeading);
    app.add_option("--threads", common.threads, "Threads, for our own loops and for BLAS")
        ->check(integer_within(1, 1024))
        ->capture_default_str()
        ->group(kHeading);
    app.parse_complete_callback([&app, &common] {
        require_other_files(app);
        set_blas_threads(common.threads);
    });
}

void refuse_options(const CLI::App& app,
                    std::initializer_list<const char*> names,
                    std::string_view why) {
    for (const char* const name : names) {
        const CLI::Option* const option = app.get_option_no_throw(name);
        if (option != nullptr && option->count() > 0) {
            throw CLI::ValidationError(formatted("{}: {}", name, why));
        }
    }
}

void add_layer_option(CLI::App& app, std::string& layer) {
    app.add_option("--layer",
                   layer,
                   "What reads the data: linear, or as \"decay=1,31/32 affine\"; see attest layers")
        ->capture_default_str();
}

void add_names(CLI::App& app,
               const std::string& title,
               const std::vector<std::pair<std::string, std::string>>& names) {
    std::size_t width = 0;
    for (const auto& [name, meaning] : names) {
        width = std::max(width, name.size());
    }
    std::string text = title + ":\n";
    for (const auto& [name, meaning] : names) {
        text += formatted("  {}{}{}\n", name, std::string(width - name.size() + 2, ' '), meaning);
    }
    app.footer(app.get_footer() + text + "\n");
}

void add_examples(CLI::App& app, const std::string& examples) {
    app.footer(app.get_footer() + "Example:\n" + examples);
}

int run_guarded(const std::string& name, const std::function<int()>& body) {
    try {
        const int code = body();
        std::cout.flush();
        if (!std::cout) {
            return complain(name, "standard output could not be written", kEnvironment);
        }
        return code;
    } catch (const Interrupted& error) {
        return complain(name, error.what(), kInterrupted);
    } catch (const UnknownName& error) {
        return complain(name, error.what(), kUsage);
    } catch (const InvalidInput& error) {
        return complain(name, error.what(), kBadInput);
    } catch (const NotAvailable& error) {
        return complain(name, error.what(), kEnvironment);
    } catch (const EnvironmentFailure& error) {
        return complain(name, error.what(), kEnvironment);
    } catch (const std::bad_alloc&) {
        return complain(name, std::string(kOutOfMemory), kEnvironment);
    } catch (const std::exception& error) {
        return complain(name, formatted("internal error: {}", error.what()), kInternal);
    }
}

}  // namespace attest::cli
