#include "core/questions/verdict.hpp"

#include "core/layers/layer_heads.hpp"

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

namespace {

/// Of sums of D×K matrices asked by m query features: o·D heads of any Q span one sum's tensor, and
/// K·m of any V. 0 for layers without heads.
Index heads_of_layer(const SequenceShape& data) {
    if (!has_heads(data.layer)) {
        return 0;
    }
    const SumShape shape = sum_shape(data.layer, data.input);
    const Index m = data.layout().m();
    const Index any = shape.columns * m;  // of any number of outputs
    return num_sums(data.layer) * (data.o > 0 ? std::min(data.o * shape.rows, any) : any);
}

}  // namespace

Index heads_for_every_function(const SequenceShape& data) {
    if (!data.layer.is_linear()) {
        return heads_of_layer(data);
    }
    const Index d = data.d;
    return data.o > 0 ? std::min(data.o * d, packed_dim(d)) : packed_dim(d);
}

Decision decision(DataVerdict answer) {
    switch (answer) {
        case DataVerdict::determined:
        case DataVerdict::numerically_full_rank:
            return Decision::yes;
        case DataVerdict::not_determined:
            return Decision::no;
        case DataVerdict::undecided:
        case DataVerdict::numerically_deficient:
            return Decision::undecided;
    }
    return Decision::undecided;
}

}  // namespace attest
