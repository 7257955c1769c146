#include "record/profile.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

std::string_view to_string(Profile profile) {
    return profile == Profile::quick ? "quick" : "full";
}

Profile profile_from_string(std::string_view text) {
    if (text != "quick" && text != "full") {
        throw UnknownName(formatted("profile: got '{}', expected quick or full", text));
    }
    return text == "quick" ? Profile::quick : Profile::full;
}

}  // namespace attest
