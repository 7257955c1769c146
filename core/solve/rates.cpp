#include "core/solve/rates.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/text_file.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace attest {

namespace {

struct Kind {
    std::string_view name;
    double WorkByKind::*member;
};

constexpr std::array kKinds{Kind{"gram64", &WorkByKind::gram64},
                            Kind{"gram32", &WorkByKind::gram32},
                            Kind{"product", &WorkByKind::product},
                            Kind{"cholesky64", &WorkByKind::cholesky64},
                            Kind{"cholesky32", &WorkByKind::cholesky32},
                            Kind{"orthogonal", &WorkByKind::orthogonal},
                            Kind{"multiprecision", &WorkByKind::multiprecision}};

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

Rates built_in_rates() {
    return {{40e9, 73e9, 36e9, 27e9, 46e9, 35e9, 38e6}, "built in"};
}

std::string rates_path() {
    const std::string cache = environment("XDG_CACHE_HOME");
    const std::string home = environment("HOME");
    if (!cache.empty()) {
        return cache + "/attest/rates.txt";
    }
    return home.empty() ? "" : home + "/.cache/attest/rates.txt";
}

std::string to_text(const WorkByKind& per_second) {
    std::string text = "# attest rates 1: flops a second of one thread\n";
    for (const Kind& kind : kKinds) {
        text += formatted("{} {}\n", kind.name, round_trip(per_second.*kind.member));
    }
    return text;
}

WorkByKind rates_from_text(const std::string& text, const std::string& origin) {
    WorkByKind rates;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::istringstream words(line);
        std::string name;
        double value = 0.0;
        const bool read = static_cast<bool>(words >> name >> value) && value > 0.0;
        bool known = false;
        for (const Kind& kind : kKinds) {
            if (read && kind.name == name) {
                rates.*kind.member = value;
                known = true;
            }
        }
        require(known,
                "{}: got '{}', expected a kind of work and its rate; run attest doctor --calibrate",
                origin,
                line);
    }
    for (const Kind& kind : kKinds) {
        require(rates.*kind.member > 0.0,
                "{}: no rate for {}; run attest doctor --calibrate",
                origin,
                kind.name);
    }
    return rates;
}

Rates current_rates() {
    const std::string chosen = environment("ATTEST_RATES");
    const std::string path = chosen.empty() ? rates_path() : chosen;
    if (!std::filesystem::exists(path)) {
        require(chosen.empty(), "ATTEST_RATES: {} cannot be read", chosen);
        return built_in_rates();
    }
    return {rates_from_text(read_text_file(path), path), path};
}

double predicted_seconds(const SolveCost& cost, const Rates& rates, int threads) {
    double seconds = 0.0;
    for (const Kind& kind : kKinds) {
        seconds += cost.flops.*kind.member / (rates.per_second.*kind.member);
    }
    return seconds / static_cast<double>(threads);
}

}  // namespace attest
