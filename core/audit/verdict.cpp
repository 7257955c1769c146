#include "core/audit/verdict.hpp"

#include <algorithm>

namespace attest {

std::string_view to_string(DataVerdict verdict) {
    switch (verdict) {
        case DataVerdict::determined:
            return "determined";
        case DataVerdict::not_determined:
            return "not_determined";
        case DataVerdict::undecided:
            return "undecided";
        case DataVerdict::numerically_full_rank:
            return "numerically_full_rank";
        case DataVerdict::numerically_deficient:
            return "numerically_deficient";
    }
    return "undecided";
}

DataVerdict data_verdict(RankVerdict verdict) {
    switch (verdict) {
        case RankVerdict::full_rank:
            return DataVerdict::determined;
        case RankVerdict::deficient:
            return DataVerdict::not_determined;
        case RankVerdict::undecided:
            return DataVerdict::undecided;
    }
    return DataVerdict::undecided;
}

Index heads_for_every_function(const Dataset& data) {
    const Index d = data.d();
    return data.o() > 0 ? std::min(data.o() * d, packed_dim(d)) : packed_dim(d);
}

}  // namespace attest
