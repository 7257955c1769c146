#include "core/heads/fit_control.hpp"

namespace attest {

std::string_view to_string(FitEnd end) {
    switch (end) {
        case FitEnd::target:
            return "target";
        case FitEnd::stationary:
            return "stationary";
        case FitEnd::stalled:
            return "stalled";
        case FitEnd::iterations:
            return "iterations";
        case FitEnd::interrupted:
            return "interrupted";
    }
    return "unknown";
}

bool interrupted(const FitControl& control) {
    return control.interrupt && control.interrupt();
}

}  // namespace attest
