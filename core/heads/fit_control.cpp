#include "core/heads/fit_control.hpp"

#include "core/base/choice.hpp"

namespace attest {

namespace {

constexpr Choices<FitEnd, 5> kFitEndNames{{{FitEnd::target, "target"},
                                           {FitEnd::stationary, "stationary"},
                                           {FitEnd::stalled, "stalled"},
                                           {FitEnd::iterations, "iterations"},
                                           {FitEnd::interrupted, "interrupted"}}};

}  // namespace

std::string_view to_string(FitEnd end) {
    return name_of(kFitEndNames, end);
}

std::optional<FitEnd> reason_to_stop(const std::vector<double>& history,
                                     Index iterations,
                                     const FitControl& control) {
    if (history.back() <= control.target) {
        return FitEnd::target;
    }
    if (iterations >= control.max_iterations) {
        return FitEnd::iterations;
    }
    const auto window = static_cast<std::size_t>(control.stall_window);
    if (history.size() > window &&
        history.back() > history[history.size() - 1 - window] * (1.0 - control.stall_decrease)) {
        return FitEnd::stalled;
    }
    if (control.interrupt && control.interrupt()) {
        return FitEnd::interrupted;
    }
    return std::nullopt;
}

}  // namespace attest
