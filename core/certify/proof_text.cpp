#include "core/certify/proof_text.hpp"

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <span>

namespace attest {

ProofText::ProofText(const SequenceSource& data) : text_("attest-proof 1\n") {
    problem("data", data);
    if (!data.shape().layer.is_linear()) {
        line("layer " + to_string(data.shape().layer));
    }
}

void ProofText::problem(const char* role, const SequenceSource& data) {
    const SequenceShape shape = data.shape();
    line(formatted("{} dimension {} outputs {} labels {} sequences {} tokens {} sha256 {}",
                   role,
                   shape.d,
                   shape.labels == LabelKind::none ? 0 : shape.o,
                   to_string(shape.labels),
                   shape.num_sequences(),
                   shape.num_tokens(),
                   data.digest()));
}

void ProofText::indices(const std::string& word, std::vector<Index> values) {
    std::sort(values.begin(), values.end());
    std::string content = word;
    for (const Index value : values) {
        content += " " + std::to_string(value);
    }
    line(content);
}

void ProofText::vector(const std::string& word, const IntegerVector& v) {
    std::string content = word;
    for (Index k = 0; k < v.size(); ++k) {
        if (v(k) != 0) {
            content += " " + std::to_string(k) + ":" + v(k).str();
        }
    }
    line(content);
}

void ProofText::minor(const RankProfile& profile) {
    line("prime " + std::to_string(profile.prime));
    indices("rows", profile.pivot_rows);
    indices("columns", profile.pivot_columns);
}

std::string ProofText::finish() const {
    return text_ + "end " + sha256(std::as_bytes(std::span(text_))) + "\n";
}

}  // namespace attest
