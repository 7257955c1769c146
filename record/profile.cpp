#include "record/profile.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

namespace {

constexpr Choices<Profile, 2> kProfileNames{{{Profile::quick, "quick"}, {Profile::full, "full"}}};

}  // namespace

std::string_view to_string(Profile profile) {
    return name_of(kProfileNames, profile);
}

Profile profile_from_string(std::string_view text) {
    return choice_named("profile", text, kProfileNames);
}

}  // namespace attest
