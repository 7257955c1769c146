#include "core/audit/head_request.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/parse_number.hpp"

#include <optional>

namespace attest {

HeadRequest head_request(const std::string& text) {
    if (text == "svd") {
        return {HeadChoice::svd};
    }
    if (text == "min") {
        return {HeadChoice::fewest};
    }
    if (text == "elbow") {
        return {HeadChoice::elbow};
    }
    const std::optional<Index> count = parse_number<Index>(text);
    if (!count || *count < 1) {
        throw UnknownName(formatted("heads: got {}, expected svd, min, elbow or a number from 1",
                                    in_quotes(text)));
    }
    return {HeadChoice::count, *count};
}

}  // namespace attest
