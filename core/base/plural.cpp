#include "core/base/plural.hpp"

#include "core/base/text.hpp"

namespace attest {

std::string plural(Index count, std::string_view noun) {
    return formatted("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace attest
