#include "core/questions/certify.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

/// Singular values; never says not determined.
void decide_numerically(Certification& found, const FactoredSource& data) {
    found.spectrum = data.spectrum();
    found.verdict = found.spectrum->nullity() == 0 ? DataVerdict::numerically_full_rank
                                                   : DataVerdict::numerically_deficient;
    found.answer = found.verdict;
}

/// The same by products with the features alone.
void decide_matrix_free(Certification& found, const FactoredSource& data) {
    found.operator_spectrum = operator_spectrum(data.source());
    found.verdict = found.operator_spectrum->is_full_rank()   ? DataVerdict::numerically_full_rank
                    : found.operator_spectrum->is_deficient() ? DataVerdict::numerically_deficient
                                                              : DataVerdict::undecided;
    found.answer = found.verdict;
}

void decide_rigorously(Certification& found, const FactoredSource& data) {
    found.enclosure = enclose_lambda_min(exact_second_moment(data.sequences()));
    found.verdict =
        found.enclosure->proves_full_rank() ? DataVerdict::determined : DataVerdict::undecided;
    found.answer = found.verdict;
    found.proof = lambda_min_proof(data.sequences(), *found.enclosure);
}

void decide_by_groups(Certification& found, const FactoredSource& data) {
    found.grouped = certify_grouped_rank(data.dataset());
    found.verdict = data_verdict(found.grouped->verdict);
    found.answer = found.verdict;
    found.proof = grouped_proof(data.dataset(), *found.grouped);
}

void add_margin(Certification& found, const FactoredSource& data) {
    if (std::optional<Margin> margin = margin_where_cheap(data, *found.rank)) {
        found.spectrum = std::move(margin->spectrum);
        found.enclosure = std::move(margin->enclosure);
    }
}

/// The rank over Q, and what it says of the queries.
void decide_exactly(Certification& found,
                    const FactoredSource& data,
                    const CertifyRequest& request) {
    // A witness is made of null vectors, also where N < psi has proved the verdict without one.
    const bool wanted = request.witness == WantWitness::yes;
    ExactRank rank =
        certify_rank(data.sequences(), {wanted ? NullVectors::all : NullVectors::as_needed, {}});
    if (request.presume == Presume::realisable) {
        found.labels = consistent_labels(data.dataset(), rank);
        if (found.labels->verdict != LabelConsistency::consistent) {
            return;
        }
    }
    found.rank = std::move(rank);
    found.verdict = data_verdict(found.rank->verdict);
    if (found.rank->verdict == RankVerdict::deficient) {
        found.structure = audit_structure(data.sequences());
        if (found.structure->determined_on_all(*found.rank)) {
            found.verdict = DataVerdict::determined;
        }
    }
    if (request.coverage) {
        found.coverage = coverage(data.sequences(), *found.rank, *request.coverage);
    }
    if (request.reasons == WantReasons::yes) {
        found.explanation =
            explain(data.dataset(),
                    *found.rank,
                    found.structure ? found.structure->seen : std::optional<StructuralRank>());
    }
    if (request.queries == nullptr) {
        found.answer = found.verdict;
        found.proof = rank_proof(data.sequences(), *found.rank);
    } else {
        found.queries = audit_queries(data, *found.rank, *request.queries);
        found.answer = found.queries->verdict;
        found.proof = found.queries->proof;
    }
    if (request.least_risk == WantLeastRisk::yes) {
        found.least_risk = least_risk(data.dataset());
        found.proof = inexpressible_proof(data.dataset(), *found.least_risk);
    }
    if (request.level == CertifyLevel::automatic) {
        add_margin(found, data);
    }
    if (wanted) {
        found.witness = audit_witness(data, *found.rank, request.queries);
    }
}

LocalDetermination near_model(const FactoredSource& data,
                              const ExactRank& rank,
                              const CertifyRequest& request) {
    const Index heads = num_heads(*request.model);
    require(heads == request.heads,
            "--heads: got {}, but {} has {}; attest heads finds a model of the same function with "
            "fewer",
            request.heads,
            request.model_name,
            heads);
    return local_determination(data.dataset(), rank, *request.model);
}

std::vector<Suggestion> suggest(const FactoredSource& data, const Dataset& pool, Index count) {
    std::vector<Suggestion> chosen =
        suggest_examples(data.factor(), *data.in_its_units(pool), count);
    for (Suggestion& one : chosen) {
        one.exponent = 2 * data.scaled().features();
    }
    return chosen;
}

}  // namespace

Certification certify(const FactoredSource& data, const CertifyRequest& request) {
    Certification found;
    found.heads = heads_for_every_function(data.sequences().shape());
    if (request.level == CertifyLevel::numerical) {
        decide_numerically(found, data);
    } else if (request.level == CertifyLevel::matrix_free) {
        decide_matrix_free(found, data);
    } else if (request.level == CertifyLevel::rigorous) {
        decide_rigorously(found, data);
    } else if (request.level == CertifyLevel::grouped) {
        decide_by_groups(found, data);
    } else {
        decide_exactly(found, data, request);
    }
    if (request.model != nullptr) {
        found.model = audit_model(data, *request.model, request.model_name, request.queries);
    }
    if (request.model != nullptr && request.heads > 0 && found.rank) {
        found.few_heads = near_model(data, *found.rank, request);
    }
    if (request.other != nullptr) {
        found.elsewhere = risk_elsewhere(data, *request.other, request.other_name, request.noise);
    }
    if (request.queries != nullptr && request.noise) {
        found.truth = distance_to_truth(data, *request.queries, *request.noise);
    }
    if (request.suggest > 0 && request.pool != nullptr) {
        found.suggestions = suggest(data, *request.pool, request.suggest);
    }
    return found;
}

namespace {

using namespace std::string_view_literals;

constexpr std::array kLevels{
    std::pair{"auto"sv, CertifyLevel::automatic},
    std::pair{"numerical"sv, CertifyLevel::numerical},
    std::pair{"matrix-free"sv, CertifyLevel::matrix_free},
    std::pair{"rigorous"sv, CertifyLevel::rigorous},
    std::pair{"exact"sv, CertifyLevel::exact},
    std::pair{"grouped"sv, CertifyLevel::grouped},
};

}  // namespace

std::string_view to_string(CertifyLevel level) {
    const auto* const found = std::find_if(
        kLevels.begin(), kLevels.end(), [&](const auto& entry) { return entry.second == level; });
    ensure(found != kLevels.end(), "to_string: a level without a name");
    return found->first;
}

CertifyLevel certify_level_from_string(std::string_view name) {
    for (const auto& [known, level] : kLevels) {
        if (known == name) {
            return level;
        }
    }
    throw UnknownName(formatted(
        "level: got {}, expected auto, numerical, matrix-free, rigorous, exact or grouped",
        in_quotes(std::string(name))));
}

ReadingAs reading_for(const CertifyRequest& request) {
    const bool all = request.level == CertifyLevel::grouped || request.queries != nullptr ||
                     request.witness == WantWitness::yes ||
                     request.presume == Presume::realisable ||
                     request.reasons == WantReasons::yes ||
                     request.least_risk == WantLeastRisk::yes || request.heads > 0;
    return all ? ReadingAs::whole : ReadingAs::parts;
}

}  // namespace attest
