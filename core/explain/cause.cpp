#include "core/explain/cause.hpp"

#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/explain/token_forms.hpp"
#include "core/layers/parse_layer.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

constexpr Choices<CauseKind, 17> kCauseNames{{{CauseKind::zero_coordinate, "zero_coordinate"},
                                              {CauseKind::one_hot, "one_hot"},
                                              {CauseKind::never_together, "never_together"},
                                              {CauseKind::signs, "signs"},
                                              {CauseKind::equal_size, "equal_size"},
                                              {CauseKind::collinear, "collinear"},
                                              {CauseKind::token_by_token, "token_by_token"},
                                              {CauseKind::orthogonal_rows, "orthogonal_rows"},
                                              {CauseKind::equal_rows, "equal_rows"},
                                              {CauseKind::orthogonal_keys, "orthogonal_keys"},
                                              {CauseKind::one_token, "one_token"},
                                              {CauseKind::repeated_tokens, "repeated_tokens"},
                                              {CauseKind::zero_query, "zero_query"},
                                              {CauseKind::collinear_query, "collinear_query"},
                                              {CauseKind::fixed_length, "fixed_length"},
                                              {CauseKind::layer, "layer"},
                                              {CauseKind::unnamed, "unnamed"}}};

bool contains(const std::vector<Index>& list, Index value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<Index> numbers(const std::vector<Coordinate>& coordinates) {
    std::vector<Index> found;
    for (const Coordinate& c : coordinates) {
        if (c.kind != CoordinateKind::constant) {
            found.push_back(c.number);
        }
    }
    return found;
}

bool has_constant(const Relation& relation) {
    const std::vector<Coordinate> all = coordinates_of(relation);
    return std::any_of(all.begin(), all.end(), [](const Coordinate& c) {
        return c.kind == CoordinateKind::constant;
    });
}

/// A coordinate of the term that is 0 in every token.
const Coordinate* zero_in(const RelationTerm& term, const DataFacts& facts) {
    const std::vector<Coordinate>& at = (term.state ? term.state : term.query)->coordinates;
    const auto zero = std::find_if(at.begin(), at.end(), [&](const Coordinate& c) {
        return c.kind == CoordinateKind::token && contains(facts.zero, c.number);
    });
    return zero == at.end() ? nullptr : &*zero;
}

Cause zero_coordinate(const Coordinate& c) {
    return {CauseKind::zero_coordinate,
            formatted("coordinate {} is 0 in every token", c.number + 1),
            formatted("a token with z_{} != 0", c.number + 1)};
}

Cause collinear(const std::vector<Index>& coordinates, const DataFacts& facts) {
    const bool constant = std::all_of(coordinates.begin(), coordinates.end(), [&](Index j) {
        return contains(facts.constant, j);
    });
    const bool one = coordinates.size() == 1;
    return {CauseKind::collinear,
            formatted("coordinate{} {} {} {} in every token",
                      one ? "" : "s",
                      list_of(coordinates),
                      one ? "is" : "are",
                      constant ? one ? "constant" : "constant, hence proportional"
                               : "linearly dependent"),
            "a token that leaves the tokens' span"};
}

/// S_jk = 0 because z_j z_k = 0 in every token.
Cause never_together(const std::vector<Index>& pair, const DataFacts& facts) {
    const auto group = std::find_if(
        facts.exclusive.begin(), facts.exclusive.end(), [&](const ExclusiveGroup& candidate) {
            return contains(candidate.coordinates, pair[0]) &&
                   contains(candidate.coordinates, pair[1]);
        });
    const std::string broken =
        formatted("a token in which coordinates {} are both nonzero", list_of(pair));
    if (group != facts.exclusive.end() && group->is_one_hot) {
        return {CauseKind::one_hot,
                formatted("coordinates {} are one-hot", list_of(group->coordinates)),
                broken};
    }
    return {CauseKind::never_together,
            formatted("coordinates {} are never nonzero in one token", list_of(pair)),
            broken};
}

bool of_constant_size(Index j, const DataFacts& facts) {
    return contains(facts.signs, j) || contains(facts.constant, j);
}

/// Two squares that are proportional in every token.
Cause equal_squares(const std::vector<Index>& pair, const DataFacts& facts) {
    const std::string broken =
        formatted("a token in which the sizes of coordinates {} have another ratio", list_of(pair));
    if (of_constant_size(pair[0], facts) && of_constant_size(pair[1], facts)) {
        return {
            CauseKind::signs,
            formatted("coordinates {} are of constant size (signs) in every token", list_of(pair)),
            broken};
    }
    return {CauseKind::equal_size,
            formatted("the sizes of coordinates {} are proportional in every token", list_of(pair)),
            broken};
}

bool are_two_squares(const Relation& relation) {
    return relation.size() == 2 &&
           std::all_of(relation.begin(), relation.end(), [](const RelationTerm& term) {
               const std::vector<Coordinate>& at = term.state->coordinates;
               return at.size() == 2 && at[0] == at[1];
           });
}

/// A quadratic form that vanishes on every token.
Cause token_by_token(const Relation& relation, const DataFacts& facts) {
    const std::vector<Index> involved = numbers(coordinates_of(relation));
    const Coordinate* const zero = zero_in(relation.front(), facts);
    if (relation.size() == 1 && zero != nullptr) {
        return zero_coordinate(*zero);
    }
    if (relation.size() == 1 && involved.size() == 2) {
        return never_together(involved, facts);
    }
    if (!has_constant(relation) && vanishes_on_span(relation, facts)) {
        return collinear(involved, facts);
    }
    if (are_two_squares(relation) && !has_constant(relation)) {
        return equal_squares(involved, facts);
    }
    const std::string few = formatted("{} distinct tokens", facts.tokens.cols());
    return {CauseKind::token_by_token,
            formatted("every one of the {} satisfies it by itself", few),
            "a token that does not satisfy it by itself"};
}

/// A relation of S that needs the sum over an example's tokens.
Cause in_sums(const Relation& relation) {
    const std::vector<Index> involved = numbers(coordinates_of(relation));
    const std::string rows = list_of(involved);
    if (relation.size() == 1 && involved.size() == 2) {
        return {CauseKind::orthogonal_rows,
                formatted("rows {} of Z are orthogonal in every example, not token by token", rows),
                formatted("an example in which rows {} of Z are not orthogonal", rows)};
    }
    if (are_two_squares(relation)) {
        return {
            CauseKind::equal_rows,
            formatted("the lengths of rows {} of Z have one ratio in every example, not token "
                      "by token",
                      rows),
            formatted("an example in which the lengths of rows {} of Z have another ratio", rows)};
    }
    return {CauseKind::unnamed,
            "it holds in the sums over the tokens of every example, not token by token",
            "an example whose sums do not satisfy it"};
}

/// S summed over the other tokens, u = 1.
std::optional<ShortRelations> context_relations(const Dataset& data) {
    if (!data.layer.is_linear() || data.labels == LabelKind::per_prefix) {
        return std::nullopt;
    }
    Dataset others;
    others.layer = layer_named("cross");
    Matrix tokens(data.d(), data.tokens.cols() - data.num_sequences());
    others.columns.x = Matrix::Ones(1, data.num_sequences());
    others.offsets.push_back(0);
    Index to = 0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (data.length(i) < 2) {
            return std::nullopt;
        }
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            if (t != data.query_token(i)) {
                tokens.col(to++) = data.tokens.col(t);
            }
        }
        others.offsets.push_back(to);
    }
    others.tokens = std::move(tokens);
    return short_relations(Modulus(), FeatureRows(others), LongRelations::lift);
}

}  // namespace

std::string_view to_string(CauseKind kind) {
    return name_of(kCauseNames, kind);
}

Cause cause_of_query(const Relation& relation, const CauseEvidence& evidence) {
    const DataFacts& facts = evidence.facts;
    const std::vector<Coordinate> involved = coordinates_of(relation);
    const bool of_tokens =
        std::all_of(relation.begin(), relation.end(), [](const RelationTerm& term) {
            const std::vector<Coordinate>& at = term.query->coordinates;
            return at.size() <= 1 && std::all_of(at.begin(), at.end(), [](const Coordinate& c) {
                       return c.kind == CoordinateKind::token;
                   });
        });
    if (of_tokens && vanishes_on(relation, facts.tokens)) {
        const Coordinate* const zero = zero_in(relation.front(), facts);
        return relation.size() == 1 && zero != nullptr ? zero_coordinate(*zero)
                                                       : collinear(numbers(involved), facts);
    }
    const std::string broken = "a query that does not satisfy it";
    return relation.size() == 1
               ? Cause{CauseKind::zero_query, "it is 0 in every query", broken}
               : Cause{CauseKind::collinear_query, "it holds for every query", broken};
}

Cause cause_of_state(const Relation& relation, const CauseEvidence& evidence) {
    const bool has_number_one =
        std::any_of(relation.begin(), relation.end(), [](const RelationTerm& term) {
            return term.state->symbol == "1";
        });
    if (has_number_one) {
        return {CauseKind::fixed_length,
                "the tokens' total weight is the same in every example",
                "an example of another length"};
    }
    if (is_quadratic_form(relation)) {
        return vanishes_on(relation, evidence.facts.tokens)
                   ? token_by_token(relation, evidence.facts)
                   : in_sums(relation);
    }
    return {CauseKind::unnamed,
            "it holds for the states of all examples",
            "an example whose state does not satisfy it"};
}

Cause cause_of_products(const Relation& relation, const CauseEvidence& evidence) {
    const DataFacts& facts = evidence.facts;
    const bool square = evidence.data.layer.is_linear();
    if (square && cancels_for_one_token(relation)) {
        if (facts.one_token) {
            return {CauseKind::one_token,
                    "every example is one token z, and S = z z^T (n = 1)",
                    "an example of two tokens that are not proportional"};
        }
        if (facts.repeats_its_query) {
            return {CauseKind::repeated_tokens,
                    "every token of an example is its query z up to sign, and S = n z z^T",
                    "an example of two tokens that are not proportional"};
        }
        if (evidence.context && evidence.context->missing() == 0 &&
            follows_from(relation, *evidence.context, evidence.data.d())) {
            return {CauseKind::orthogonal_keys,
                    "without the query's own token rows of Z are orthogonal or of equal length in "
                    "every example",
                    "an example whose other tokens have rows that are neither"};
        }
    }
    return {CauseKind::unnamed,
            "it holds in every example; no cause is known by name",
            "an example that does not satisfy it"};
}

CauseEvidence cause_evidence(const Dataset& data, const DataFacts& facts) {
    return {data, facts, context_relations(data)};
}

}  // namespace attest
