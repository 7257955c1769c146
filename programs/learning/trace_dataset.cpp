#include "programs/learning/trace_dataset.hpp"

namespace attest {

Dataset printed_tokens(const TraceSource& source, Index count, Index d) {
    Dataset data;
    data.labels = LabelKind::per_sequence;
    std::vector<Token> tokens;
    std::vector<Token> labels;
    data.offsets = {0};
    for (Index i = 0; i < count; ++i) {
        const Trace trace = source(i);
        std::vector<Token> seen = trace.prompt;
        for (const Token& printed : trace.generated) {
            tokens.insert(tokens.end(), seen.begin(), seen.end());
            data.offsets.push_back(static_cast<Index>(tokens.size()));
            labels.push_back(printed);
            seen.push_back(printed);
        }
    }
    data.tokens = to_columns(tokens, d);
    data.y = to_columns(labels, d);
    return data;
}

}  // namespace attest
