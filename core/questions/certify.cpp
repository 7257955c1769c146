#include "core/questions/certify.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/questions/learn.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

constexpr std::array kLevels{
    CertifyLevelWords{
        CertifyLevel::automatic, "auto", "exact, with lambda_min beside the verdict", true},
    CertifyLevelWords{CertifyLevel::numerical,
                      "numerical",
                      "looks at singular values and proves nothing: exit 0 is what it sees",
                      false},
    CertifyLevelWords{CertifyLevel::matrix_free,
                      "matrix-free",
                      "the same by products alone, lambda_min and lambda_max; for large d",
                      false},
    CertifyLevelWords{CertifyLevel::rigorous, "rigorous", "encloses lambda_min", false},
    CertifyLevelWords{CertifyLevel::exact, "exact", "proves the rank over the rationals", true},
    CertifyLevelWords{CertifyLevel::grouped,
                      "grouped",
                      "the same by examples with one query token, for large d",
                      false},
};

const CertifyLevelWords& words_of(CertifyLevel level) {
    const auto* const found = std::find_if(
        kLevels.begin(), kLevels.end(), [&](const auto& entry) { return entry.level == level; });
    ensure(found != kLevels.end(), "certify: a level without a name");
    return *found;
}

/// The names of all levels, or of those that take parts: "auto or exact".
std::string names_of_levels(bool with_parts) {
    std::vector<std::string_view> names;
    for (const CertifyLevelWords& entry : kLevels) {
        if (entry.takes_parts || !with_parts) {
            names.push_back(entry.name);
        }
    }
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k) {
        text += k == 0 ? "" : k + 1 == names.size() ? " or " : ", ";
        text += names[k];
    }
    return text;
}

std::string parts_asked(const CertifyParts& parts) {
    const std::array<std::pair<bool, std::string_view>, 7> asked{{
        {parts.queries != nullptr, "queries"},
        {parts.witness, "witness"},
        {parts.coverage.has_value(), "coverage"},
        {parts.reasons, "explain"},
        {parts.least_risk, "expressible"},
        {parts.realisable, "realisable"},
        {parts.heads > 0, "heads"},
    }};
    std::string text;
    for (const auto& [is_asked, name] : asked) {
        if (is_asked) {
            text += (text.empty() ? "" : ", ") + std::string(name);
        }
    }
    return text;
}

/// Singular values; never says not determined.
void decide_numerically(Certification& found, const FactoredSource& data) {
    NumericalSpectrum spectrum = data.spectrum();
    found.verdict = spectrum.nullity() == 0 ? DataVerdict::numerically_full_rank
                                            : DataVerdict::numerically_deficient;
    found.evidence = std::move(spectrum);
}

/// The same by products with the features alone.
void decide_matrix_free(Certification& found, const FactoredSource& data) {
    const OperatorSpectrum spectrum = operator_spectrum(data.source());
    found.verdict = spectrum.is_full_rank()   ? DataVerdict::numerically_full_rank
                    : spectrum.is_deficient() ? DataVerdict::numerically_deficient
                                              : DataVerdict::undecided;
    found.evidence = spectrum;
}

void decide_rigorously(Certification& found, const FactoredSource& data) {
    LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data.sequences()));
    found.verdict = enclosure.proves_full_rank() ? DataVerdict::determined : DataVerdict::undecided;
    found.proof = lambda_min_proof(data.sequences(), enclosure);
    found.evidence = std::move(enclosure);
}

void decide_by_groups(Certification& found, const FactoredSource& data) {
    GroupedRank rank = certify_grouped_rank(data.dataset());
    found.verdict = data_verdict(rank.verdict);
    found.proof = grouped_proof(data.dataset(), rank);
    found.evidence = std::move(rank);
}

LocalDetermination near_model(const FactoredSource& data,
                              const ExactRank& rank,
                              const CertifyRequest& request) {
    const Index heads = num_heads(*request.model);
    require(heads == request.parts.heads,
            "heads: got {}, but {} has {}; attest heads finds a model of the same function with "
            "fewer",
            request.parts.heads,
            request.model_name,
            heads);
    return local_determination(data.dataset(), rank, *request.model, request.parts.head_sizes);
}

std::vector<Suggestion> suggest(const FactoredSource& data, const Dataset& pool, Index count) {
    std::vector<Suggestion> chosen =
        suggest_examples(data.factor(), *data.in_its_units(pool), count);
    for (Suggestion& one : chosen) {
        one.exponent = 2 * data.scaled().features();
    }
    return chosen;
}

/// How far data of lower rank are, where that is cheap.
void measure_distance(ExactEvidence& exact, const FactoredSource& data, CertifyLevel level) {
    const bool is_full = exact.rank.verdict == RankVerdict::full_rank;
    if (level == CertifyLevel::automatic) {
        exact.margin = margin_where_cheap(data, exact.rank);
    }
    if (is_full && !exact.margin) {
        exact.roundings = roundings_where_cheap(data);
    }
    if (exact.roundings) {
        return;
    }
    const std::optional<NumericalSpectrum> seen =
        exact.margin ? exact.margin->spectrum : spectrum_where_cheap(data);
    if (seen) {
        exact.lower_seen = lower_rank_seen(*seen, exact.rank);
    }
    if (seen && is_full) {
        exact.roundings = roundings_to_lower_rank(*seen, exact.rank.rank_lower);
    }
}

/// The rank over Q, and what it says of the queries.
void decide_exactly(Certification& found,
                    const FactoredSource& data,
                    const CertifyRequest& request) {
    const CertifyParts& parts = request.parts;
    ExactEvidence exact;
    // A witness is made of null vectors, also where N < psi has proved the verdict without one.
    exact.rank = certify_rank(data.sequences(),
                              {parts.witness ? NullVectors::all : NullVectors::as_needed, {}});
    if (parts.realisable) {
        exact.labels = consistent_labels(data.dataset(), exact.rank);
        if (exact.labels->verdict != LabelConsistency::consistent) {
            found.evidence = std::move(*exact.labels);
            CertifyParts others = parts;
            others.realisable = false;
            found.unanswered = parts_asked(others);
            return;
        }
    }
    found.verdict = data_verdict(exact.rank.verdict);
    if (exact.rank.verdict == RankVerdict::deficient) {
        exact.structure = audit_structure(data.sequences());
        if (exact.structure->determined_on_all(exact.rank)) {
            found.verdict = DataVerdict::determined;
        }
    }
    if (parts.coverage) {
        exact.coverage = coverage(data.sequences(), exact.rank, *parts.coverage);
        if (exact.rank.verdict == RankVerdict::full_rank) {
            exact.coverage->at_most = 0.0;  // whatever the law: nothing is left to determine
        }
    }
    if (parts.reasons) {
        exact.explanation =
            explain(data.dataset(),
                    exact.rank,
                    exact.structure ? exact.structure->seen : std::optional<StructuralRank>());
    }
    if (parts.queries == nullptr) {
        found.proof = rank_proof(data.sequences(), exact.rank);
    } else {
        exact.queries = audit_queries(data, exact.rank, *parts.queries);
        found.proof = exact.queries->proof;
    }
    if (parts.least_risk) {
        exact.least_risk = least_risk(data.dataset());
        found.proof = inexpressible_proof(data.dataset(), *exact.least_risk);
    }
    try {
        measure_distance(exact, data, request.level);
    } catch (const InvalidInput&) {
        // States or features beyond the doubles have no distance there; the proof is over the
        // integers.
    }
    if (parts.witness) {
        WitnessSearch search = search_witness(data, exact.rank, parts.queries);
        exact.witness = std::move(search.found);
        exact.no_witness = std::move(search.none);
    }
    if (request.model != nullptr && parts.heads > 0) {
        exact.few_heads = near_model(data, exact.rank, request);
    }
    found.evidence = std::move(exact);
}

/// Where the elimination does not fit into memory and no part asks for it, N < ψ proves enough.
bool counting_suffices(const SequenceShape& data, const CertifyParts& parts) {
    const Index psi = data.layout().psi();
    return data.num_examples() < psi && parts_asked(parts).empty() &&
           exact_rank_bytes(psi) > memory_limit();
}

void decide_by_counting(Certification& found, const FactoredSource& data) {
    ExactEvidence exact;
    exact.rank = rank_by_counting(
        found.data,
        formatted("was not computed: that needs about {} of memory, the limit is {}",
                  format_bytes(exact_rank_bytes(found.data.layout().psi())),
                  format_bytes(memory_limit())));
    exact.structure = audit_structure(data.sequences());
    found.verdict = data_verdict(exact.rank.verdict);
    found.proof = rank_proof(data.sequences(), exact.rank);
    found.evidence = std::move(exact);
}

void decide(Certification& found, const FactoredSource& data, const CertifyRequest& request) {
    switch (request.level) {
        case CertifyLevel::numerical:
            return decide_numerically(found, data);
        case CertifyLevel::matrix_free:
            return decide_matrix_free(found, data);
        case CertifyLevel::rigorous:
            return decide_rigorously(found, data);
        case CertifyLevel::grouped:
            return decide_by_groups(found, data);
        case CertifyLevel::automatic:
        case CertifyLevel::exact:
            return counting_suffices(found.data, request.parts)
                       ? decide_by_counting(found, data)
                       : decide_exactly(found, data, request);
    }
}

}  // namespace

Certification certify(const FactoredSource& data, const CertifyRequest& request) {
    require_answerable(request);
    Certification found;
    found.level = request.level;
    found.data = data.sequences().shape();
    found.least_heads = heads_for_every_function(found.data);
    decide(found, data, request);
    const ExactEvidence* const exact = found.exact();
    found.answer = exact != nullptr && exact->queries ? exact->queries->verdict : found.verdict;
    const Dataset* const queries = request.parts.queries;
    if (request.model != nullptr) {
        found.model = audit_model(data, *request.model, request.model_name, queries);
    }
    if (request.other != nullptr) {
        found.other_name = request.other_name;
        found.elsewhere = risk_elsewhere(data, *request.other, request.other_name, request.noise);
    }
    if (queries != nullptr && request.noise) {
        found.truth = distance_to_truth(data, *queries, *request.noise);
    }
    if (request.suggest > 0 && request.pool != nullptr) {
        found.pool_name = request.pool_name;
        found.suggestions = suggest(data, *request.pool, request.suggest);
    }
    return found;
}

const NumericalSpectrum* Certification::spectrum() const {
    const ExactEvidence* const found = exact();
    if (found == nullptr) {
        return std::get_if<NumericalSpectrum>(&evidence);
    }
    return found->margin ? &found->margin->spectrum : nullptr;
}

const LambdaMinEnclosure* Certification::enclosure() const {
    const ExactEvidence* const found = exact();
    if (found == nullptr) {
        return std::get_if<LambdaMinEnclosure>(&evidence);
    }
    return found->margin && found->margin->enclosure ? &*found->margin->enclosure : nullptr;
}

std::span<const CertifyLevelWords> certify_levels() {
    return kLevels;
}

std::string_view to_string(CertifyLevel level) {
    return words_of(level).name;
}

CertifyLevel certify_level_from_string(std::string_view name) {
    for (const CertifyLevelWords& entry : kLevels) {
        if (entry.name == name) {
            return entry.level;
        }
    }
    throw UnknownName(formatted(
        "level: got {}, expected {}", in_quotes(std::string(name)), names_of_levels(false)));
}

void require_answerable(const CertifyRequest& request) {
    if (request.noise) {
        require_noise(*request.noise);
    }
    const std::string asked = parts_asked(request.parts);
    if (!asked.empty() && !words_of(request.level).takes_parts) {
        throw UnknownName(formatted("level {}: got {}, which only level {} answers",
                                    to_string(request.level),
                                    asked,
                                    names_of_levels(true)));
    }
}

ReadingAs reading_for(const CertifyRequest& request) {
    const CertifyParts& parts = request.parts;
    const bool all = request.level == CertifyLevel::grouped || parts.queries != nullptr ||
                     parts.witness || parts.realisable || parts.reasons || parts.least_risk ||
                     parts.heads > 0;
    return all ? ReadingAs::whole : ReadingAs::parts;
}

}  // namespace attest
