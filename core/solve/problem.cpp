#include "core/solve/problem.hpp"

namespace attest {

std::string_view to_string(SolveStatus status) {
    switch (status) {
        case SolveStatus::unique:
            return "unique";
        case SolveStatus::minimum_norm:
            return "minimum_norm";
        case SolveStatus::refused:
            return "refused";
    }
    return "refused";
}

}  // namespace attest
