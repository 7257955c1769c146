#include "core/train/prefix_data.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

template <class Scalar>
PrefixData<Scalar> prefix_data(const Dataset& data) {
    check(data);
    require(data.labels != LabelKind::none, "prefix_data: got no labels, expected some");
    const Index T = data.length(0);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        require(data.length(i) == T,
                "prefix_data: sequence {} has {} tokens, expected {} as in sequence 0",
                i,
                data.length(i),
                T);
    }
    PrefixData<Scalar> result;
    result.d = data.d();
    result.o = data.o();
    result.length = T;
    result.num_sequences = data.num_sequences();
    result.labelled = data.labels == LabelKind::per_prefix ? T : 1;
    result.tokens = data.tokens.view().cast<Scalar>();
    result.y = data.y.cast<Scalar>();
    result.label_power = data.y.squaredNorm() / static_cast<double>(data.y.cols());
    require(result.label_power > 0.0, "prefix_data: every label is zero, nothing can be learned");
    return result;
}

template <class Scalar>
void require_every_prefix(const PrefixData<Scalar>& data, std::string_view who) {
    require(data.labelled == data.length,
            "{}: got one label a sequence, expected one after every token",
            who);
}

template PrefixData<float> prefix_data<float>(const Dataset&);
template PrefixData<double> prefix_data<double>(const Dataset&);
template void require_every_prefix<float>(const PrefixData<float>&, std::string_view);
template void require_every_prefix<double>(const PrefixData<double>&, std::string_view);

}  // namespace attest
