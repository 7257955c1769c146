#include "core/explain/input_digests.hpp"

namespace attest {

std::vector<std::string> input_digests(const Dataset& data) {
    Dataset inputs = data;
    inputs.labels = LabelKind::none;
    inputs.y.resize(0, 0);
    std::vector<std::string> digests;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        digests.push_back(digest(select_sequences(inputs, std::vector<Index>{i})));
    }
    return digests;
}

}  // namespace attest
