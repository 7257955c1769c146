#include "core/data/dataset.hpp"

namespace attest {

std::string_view to_string(LabelKind kind) {
    switch (kind) {
        case LabelKind::none:
            return "none";
        case LabelKind::per_sequence:
            return "per_sequence";
        case LabelKind::per_prefix:
            return "per_prefix";
    }
    return "none";
}

}  // namespace attest
