#include "core/explain/explanation.hpp"

#include "core/base/choice.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/annihilation.hpp"
#include "core/explain/mapped_rows.hpp"
#include "core/explain/relation_search.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace attest {

namespace {

constexpr Choices<RelationScope, 3> kScopeNames{{{RelationScope::query, "query"},
                                                 {RelationScope::state, "state"},
                                                 {RelationScope::product, "product"}}};

/// Whether the identities, of which each is alone at its free column, span the vector.
bool spans(const IntegerNullSpace& identities, const IntegerVector& v) {
    VectorOf<Rational> rest = v.cast<Rational>();
    for (std::size_t i = 0; i < identities.vectors.size(); ++i) {
        const IntegerVector& identity = identities.vectors[i];
        const Index column = identities.free_columns[i];
        if (v(column) != 0) {
            rest -= Rational(v(column)) / Rational(identity(column)) * identity.cast<Rational>();
        }
    }
    return rest.isZero();
}

/// Sorts relations into classes as they come.
class Classifier {
public:
    Classifier(const CauseEvidence& evidence, const std::optional<StructuralRank>& structure)
        : evidence_(evidence), structure_(structure) {}

    void add(RelationScope scope, const Relation& relation, std::vector<IntegerVector> vectors) {
        const bool structural =
            structure_ && std::all_of(vectors.begin(), vectors.end(), [&](const IntegerVector& v) {
                return spans(structure_->identities, v);
            });
        const Cause cause = cause_of(scope, relation, structural);
        const std::string key = shape_of(relation) + std::string(to_string(scope)) +
                                std::string(to_string(cause.kind)) + (structural ? "!" : "");
        const auto [at, is_new] = places_.try_emplace(key, classes_.size());
        if (is_new) {
            classes_.push_back({scope, relation, 0, {}, {}, cause, structural});
        }
        RelationClass& found = classes_[at->second];
        ++found.members;
        std::move(vectors.begin(), vectors.end(), std::back_inserter(found.vectors));
        std::vector<Coordinate> both;
        const std::vector<Coordinate> more = coordinates_of(relation);
        std::set_union(found.coordinates.begin(),
                       found.coordinates.end(),
                       more.begin(),
                       more.end(),
                       std::back_inserter(both));
        found.coordinates = both;
    }

    [[nodiscard]] std::vector<RelationClass> classes() && { return std::move(classes_); }

private:
    [[nodiscard]] Cause cause_of(RelationScope scope,
                                 const Relation& relation,
                                 bool structural) const {
        Cause cause = scope == RelationScope::query   ? cause_of_query(relation, evidence_)
                      : scope == RelationScope::state ? cause_of_state(relation, evidence_)
                                                      : cause_of_products(relation, evidence_);
        if (structural && cause.kind == CauseKind::unnamed) {
            return {CauseKind::layer,
                    "the layer's own: it holds on every input of these lengths",
                    "only an input of another length, if any"};
        }
        return cause;
    }

    const CauseEvidence& evidence_;
    const std::optional<StructuralRank>& structure_;
    std::map<std::string, std::size_t> places_;
    std::vector<RelationClass> classes_;
};

/// One explanation in the making.
class Search {
public:
    Search(const Dataset& data, const DataFacts& facts, Classifier& classes)
        : data_(data),
          rows_(data),
          p_(rows_.usable_modulus()),
          words_(data.layer, data.layer_input()),
          distinct_(facts.distinct_examples),
          classes_(classes) {}

    void run() {
        Index first = 0;
        for (const FeatureBlock& part : words_.layout().blocks()) {
            const BlockFeatures block(part, first);
            first += part.states * part.queries;
            const ShortRelations queries = relations(block.folded_queries());
            if (queries.rank() == 0) {
                add_zeros(block, queries);
                continue;
            }
            const ShortRelations states = relations(block.folded_states());
            add_queries(block, queries);
            add_states(block, states, queries.pivot_columns);
            for (const Index k : states.pivot_columns) {
                for (const Index l : queries.pivot_columns) {
                    columns_.push_back(block.feature(k, l));
                }
            }
        }
        add_products();
    }

private:
    [[nodiscard]] LongRelations wanted(std::size_t columns) const {
        return distinct_ < static_cast<Index>(columns) ? LongRelations::leave_out
                                                       : LongRelations::lift;
    }

    [[nodiscard]] ShortRelations relations(std::vector<std::vector<IntegerEntry>> columns) const {
        const LongRelations how = wanted(columns.size());
        return short_relations(p_, MappedRows(rows_, std::move(columns)), how);
    }

    /// A relation of s or u alone, and the null vectors that it stands for if it holds.
    struct Claimed {
        Relation relation;
        std::vector<IntegerVector> vectors;
    };

    /// Only those that annihilate every example, which all are asked at once: forming the features
    /// takes longer than a few more products with them.
    void add(RelationScope scope, std::vector<Claimed> claimed) {
        std::vector<IntegerVector> all;
        for (Claimed& one : claimed) {
            std::move(one.vectors.begin(), one.vectors.end(), std::back_inserter(all));
        }
        const std::vector<bool> holds = annihilates_all(rows_, all);
        std::size_t first = 0;
        for (const Claimed& one : claimed) {
            const std::size_t end = first + one.vectors.size();
            const auto at = [](auto& list, std::size_t k) {
                return list.begin() + static_cast<std::ptrdiff_t>(k);
            };
            if (std::all_of(at(holds, first), at(holds, end), [](bool yes) { return yes; })) {
                classes_.add(scope,
                             one.relation,
                             {std::make_move_iterator(at(all, first)),
                              std::make_move_iterator(at(all, end))});
            }
            first = end;
        }
    }

    /// Where every product is 0: because nothing asks, or because s is 0 wherever something does.
    void add_zeros(const BlockFeatures& block, const ShortRelations& queries) {
        if (!asks(block)) {
            add_queries(block, queries);
            return;
        }
        std::vector<Index> asking(static_cast<std::size_t>(block.queries()));
        std::iota(asking.begin(), asking.end(), Index{0});
        add_states(block, relations(block.folded_states()), asking);
    }

    /// Whether an entry of u is not 0 in some example.
    [[nodiscard]] bool asks(const BlockFeatures& block) const {
        const Matrix u = sequence_moments<double>(data_, 0, data_.num_sequences()).u;
        for (Index l = 0; l < block.queries(); ++l) {
            if (!u.row(words_.layout().factors(block.feature(0, l)).query).isZero(0.0)) {
                return true;
            }
        }
        return false;
    }

    void add_queries(const BlockFeatures& block, const ShortRelations& queries) {
        std::vector<Claimed> claimed;
        for (const IntegerVector& a : queries.vectors) {
            Relation relation;
            std::vector<IntegerVector> vectors(static_cast<std::size_t>(block.states()), zero());
            for (Index l = 0; l < a.size(); ++l) {
                if (a(l) != 0) {
                    relation.push_back({a(l), std::nullopt, query_word(block, l)});
                }
                for (Index k = 0; k < block.states(); ++k) {
                    vectors[static_cast<std::size_t>(k)](block.feature(k, l)) = a(l);
                }
            }
            claimed.push_back({std::move(relation), std::move(vectors)});
        }
        add(RelationScope::query, std::move(claimed));
    }

    void add_states(const BlockFeatures& block,
                    const ShortRelations& states,
                    const std::vector<Index>& asking) {
        std::vector<Claimed> claimed;
        for (const IntegerVector& c : states.vectors) {
            Relation relation;
            std::vector<IntegerVector> vectors(asking.size(), zero());
            for (Index k = 0; k < c.size(); ++k) {
                if (c(k) != 0) {
                    relation.push_back({c(k), state_word(block, k), std::nullopt});
                }
                for (std::size_t l = 0; l < asking.size(); ++l) {
                    vectors[l](block.feature(k, asking[l])) = c(k);
                }
            }
            claimed.push_back({std::move(relation), std::move(vectors)});
        }
        add(RelationScope::state, std::move(claimed));
    }

    /// Proved by the search already: the columns are features themselves.
    void add_products() {
        for (const IntegerVector& v : product_relations()) {
            Relation relation;
            std::vector<IntegerVector> vectors{zero()};
            for (Index at = 0; at < v.size(); ++at) {
                if (v(at) != 0) {
                    const Index feature = columns_[static_cast<std::size_t>(at)];
                    const auto [k, l] = words_.layout().factors(feature);
                    relation.push_back({v(at), words_.state(k), words_.query(l)});
                    vectors.front()(feature) = v(at);
                }
            }
            classes_.add(RelationScope::product, relation, std::move(vectors));
        }
    }

    /// Which products are independent is asked only where it is needed: it takes an elimination.
    [[nodiscard]] std::vector<IntegerVector> product_relations() const {
        if (columns_.empty()) {
            return {};
        }
        const LongRelations how = wanted(columns_.size());
        const MappedRows products = chosen_columns(rows_, columns_);
        const bool two_terms_alone =
            how == LongRelations::leave_out && std::ssize(columns_) > kMostColumnsSearched;
        return two_terms_alone ? two_term_relations(p_, products)
                               : short_relations(p_, products, how).vectors;
    }

    [[nodiscard]] IntegerVector zero() const { return IntegerVector::Zero(rows_.num_columns()); }

    [[nodiscard]] EntryWord state_word(const BlockFeatures& block, Index k) const {
        return words_.state(words_.layout().factors(block.feature(k, 0)).state);
    }

    [[nodiscard]] EntryWord query_word(const BlockFeatures& block, Index l) const {
        return words_.query(words_.layout().factors(block.feature(0, l)).query);
    }

    const Dataset& data_;
    FeatureRows rows_;
    Modulus p_;
    FeatureWords words_;
    Index distinct_;
    Classifier& classes_;
    std::vector<Index> columns_;  ///< products of entries of s and u that are independent
};

}  // namespace

std::string_view to_string(RelationScope scope) {
    return name_of(kScopeNames, scope);
}

Explanation explain(const Dataset& data,
                    const ExactRank& rank,
                    const std::optional<StructuralRank>& structure) {
    Explanation found;
    found.num_examples = rank.num_examples;
    found.psi = rank.psi;
    found.nullity = rank.psi - rank.rank_lower;
    const DataFacts facts = data_facts(data);
    found.distinct_examples = facts.distinct_examples;
    if (found.nullity == 0) {
        return found;
    }
    found.facts = in_words(facts);
    const CauseEvidence evidence = cause_evidence(data, facts);
    Classifier classifier(evidence, structure);
    Search(data, facts, classifier).run();
    found.classes = std::move(classifier).classes();
    for (const RelationClass& one : found.classes) {
        found.listed += std::ssize(one.vectors);
    }
    return found;
}

}  // namespace attest
