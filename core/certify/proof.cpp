#include "core/certify/proof.hpp"

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace attest {

namespace {

Index last_index(const IntegerVector& v) {
    Index last = -1;
    for (Index k = 0; k < v.size(); ++k) {
        if (v(k) != 0) {
            last = k;
        }
    }
    return last;
}

/// The null vectors in the order in which their last entries increase; nothing if two of them end
/// together, which the format's argument for independence does not allow.
std::optional<std::vector<IntegerVector>> in_echelon_order(std::vector<IntegerVector> vectors) {
    std::sort(vectors.begin(), vectors.end(), [](const IntegerVector& a, const IntegerVector& b) {
        return last_index(a) < last_index(b);
    });
    for (std::size_t i = 1; i < vectors.size(); ++i) {
        if (last_index(vectors[i - 1]) == last_index(vectors[i])) {
            return std::nullopt;
        }
    }
    return vectors;
}

std::string dyadic_field(const BigDyadic& value) {
    return formatted("{}*2^{}", value.mantissa.str(), value.exponent);
}

/// The block BOUND(r) with the evidence at hand: few examples, or a complete null basis.
bool add_bound(ProofText& proof, const ExactRank& rank, Index r) {
    if (rank.num_examples <= r) {
        proof.line("few-examples");
        return true;
    }
    const auto vectors = in_echelon_order(rank.null_space.vectors);
    if (!vectors || rank.psi - static_cast<Index>(vectors->size()) > r) {
        return false;
    }
    // Exactly psi − r of them; any subset of independent vectors is independent.
    for (Index i = 0; i < rank.psi - r; ++i) {
        proof.vector("null", (*vectors)[static_cast<std::size_t>(i)]);
    }
    return true;
}

std::vector<Index> with_verdict(const std::vector<QuerySpan>& spans, Determination verdict) {
    std::vector<Index> found;
    for (std::size_t k = 0; k < spans.size(); ++k) {
        if (spans[k].verdict == verdict) {
            found.push_back(static_cast<Index>(k));
        }
    }
    return found;
}

}  // namespace

std::optional<std::string> rank_proof(const SequenceSource& data, const ExactRank& rank) {
    ProofText proof(data);
    if (rank.verdict == RankVerdict::full_rank) {
        proof.line("claim full-rank");
        proof.minor(rank.profile);
        return proof.finish();
    }
    if (rank.verdict != RankVerdict::deficient) {
        return std::nullopt;
    }
    if (rank.rank_is_exact()) {
        proof.line(formatted("claim rank {}", rank.rank_lower));
        proof.minor(rank.profile);
        if (add_bound(proof, rank, rank.rank_lower)) {
            return proof.finish();
        }
    }
    ProofText weaker(data);
    weaker.line("claim deficient");
    return add_bound(weaker, rank, rank.psi - 1) ? std::optional(weaker.finish()) : std::nullopt;
}

std::optional<std::string> grouped_proof(const SequenceSource& data, const GroupedRank& rank) {
    if (rank.groups.empty() || !rank.rank_is_exact()) {
        return std::nullopt;
    }
    ProofText proof(data);
    proof.line(formatted("claim grouped {}", rank.rank_lower));
    proof.line(formatted("groups {}", rank.groups.size()));
    for (const QueryGroup& group : rank.groups) {
        proof.indices("group", group.examples);
        proof.line(formatted("rank {}", group.states.rank_lower));
        RankProfile profile = group.states.profile;
        for (Index& row : profile.pivot_rows) {
            row = group.examples[static_cast<std::size_t>(row)];
        }
        proof.minor(profile);
        if (!add_bound(proof, group.states, group.states.rank_lower)) {
            return std::nullopt;
        }
    }
    proof.line(formatted("prime {}", rank.queries.prime));
    proof.indices("columns", rank.queries.pivot_columns);
    return proof.finish();
}

std::string lambda_min_proof(const SequenceSource& data, const LambdaMinEnclosure& enclosure) {
    ProofText proof(data);
    proof.line(formatted(
        "claim lambda-min {} {}", dyadic_field(enclosure.lo), dyadic_field(enclosure.hi)));
    if (enclosure.proves_full_rank()) {
        std::string line = formatted("factor {}", enclosure.factor.exponent);
        for (const Integer& mantissa : enclosure.factor.mantissas) {
            line += " " + mantissa.str();
        }
        proof.line(line);
    }
    proof.vector("upper", enclosure.upper);
    return proof.finish();
}

std::optional<std::string> determined_proof(const Dataset& data,
                                            const ExactRank& rank,
                                            const Dataset& queries,
                                            const std::vector<QuerySpan>& spans) {
    const std::vector<Index> determined = with_verdict(spans, Determination::determined);
    if (determined.empty() || !rank.null_basis_is_complete()) {
        return std::nullopt;
    }
    ProofText proof(data);
    proof.problem("queries", queries);
    proof.indices("claim determined", determined);
    proof.line(formatted("basis {}", rank.rank_lower));
    proof.minor(rank.profile);
    const auto vectors = in_echelon_order(rank.null_space.vectors);
    if (!vectors) {
        return std::nullopt;
    }
    for (const IntegerVector& v : *vectors) {
        proof.vector("null", v);
    }
    return proof.finish();
}

std::optional<std::string> undetermined_proof(const Dataset& data,
                                              const ExactRank& rank,
                                              const Dataset& queries,
                                              const std::vector<QuerySpan>& spans) {
    std::map<Index, std::vector<Index>> by_vector;
    for (const Index k : with_verdict(spans, Determination::not_determined)) {
        const QuerySpan& span = spans[static_cast<std::size_t>(k)];
        if (span.evidence == SpanEvidence::null_vector) {
            by_vector[span.null_vector].push_back(k);
        }
    }
    if (by_vector.empty()) {
        return std::nullopt;
    }
    const auto best =
        std::max_element(by_vector.begin(), by_vector.end(), [](const auto& a, const auto& b) {
            return a.second.size() < b.second.size();
        });
    ProofText proof(data);
    proof.problem("queries", queries);
    proof.indices("claim undetermined", best->second);
    proof.vector("null", rank.null_space.vectors[static_cast<std::size_t>(best->first)]);
    return proof.finish();
}

ProofText::ProofText() : text_("attest-proof 1\n") {}

ProofText::ProofText(const SequenceSource& data) : ProofText() {
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
