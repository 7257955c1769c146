#include "core/explain/data_facts.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/explain/relation.hpp"
#include "core/layers/parse_layer.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attest {

namespace {

Matrix distinct_columns(const Eigen::Ref<const Matrix>& A) {
    std::set<std::vector<double>> columns;
    for (Index t = 0; t < A.cols(); ++t) {
        std::vector<double> column;
        for (Index j = 0; j < A.rows(); ++j) {
            column.push_back(A(j, t) + 0.0);  // −0 is 0
        }
        columns.insert(std::move(column));
    }
    Matrix distinct(A.rows(), std::ssize(columns));
    Index at = 0;
    for (const std::vector<double>& column : columns) {
        distinct.col(at++) = Eigen::Map<const Vector>(column.data(), A.rows());
    }
    return distinct;
}

/// Sequences that differ in anything the layer reads.
Index count_distinct(const Dataset& data) {
    if (data.labels == LabelKind::per_prefix) {
        return data.num_examples();
    }
    const std::vector<std::string> all = input_digests(data);
    const std::set<std::string> digests(all.begin(), all.end());
    return std::ssize(digests);
}

/// The columns as examples of supplied moments: s the column, u = 1.
Dataset as_moments(const Matrix& columns) {
    Dataset data;
    data.layer = layer_named("moments");
    data.tokens = Matrix(0, columns.cols());
    for (Index t = 0; t <= columns.cols(); ++t) {
        data.offsets.push_back(t);
    }
    data.columns.s = columns;
    data.columns.u = Matrix::Ones(1, columns.cols());
    return data;
}

void classify_coordinates(DataFacts& facts) {
    for (Index j = 0; j < facts.tokens.rows(); ++j) {
        const auto row = facts.tokens.row(j);
        if ((row.array().abs() - std::abs(row(0))).cwiseAbs().maxCoeff() > 0.0) {
            continue;
        }
        const bool varies = (row.array() - row(0)).cwiseAbs().maxCoeff() > 0.0;
        std::vector<Index>& kind = is_zero(row(0)) ? facts.zero
                                   : varies        ? facts.signs
                                                   : facts.constant;
        kind.push_back(j);
    }
}

bool exclude_each_other(const Matrix& tokens, Index j, Index k) {
    for (Index t = 0; t < tokens.cols(); ++t) {
        if (!is_zero(tokens(j, t)) && !is_zero(tokens(k, t))) {
            return false;
        }
    }
    return true;
}

bool is_one_hot(const Matrix& tokens, const std::vector<Index>& group) {
    for (Index t = 0; t < tokens.cols(); ++t) {
        Index ones = 0;
        for (const Index j : group) {
            ones += bitwise_equal(tokens(j, t), 1.0) ? 1 : is_zero(tokens(j, t)) ? 0 : 2;
        }
        if (ones != 1) {
            return false;
        }
    }
    return true;
}

/// Greedily: a coordinate joins the first group that it suits.
void group_exclusive(DataFacts& facts) {
    for (Index j = 0; j < facts.tokens.rows(); ++j) {
        if (std::find(facts.zero.begin(), facts.zero.end(), j) != facts.zero.end()) {
            continue;
        }
        const auto suits = [&](const ExclusiveGroup& group) {
            return std::all_of(group.coordinates.begin(), group.coordinates.end(), [&](Index k) {
                return exclude_each_other(facts.tokens, j, k);
            });
        };
        const auto group = std::find_if(facts.exclusive.begin(), facts.exclusive.end(), suits);
        if (group == facts.exclusive.end()) {
            facts.exclusive.push_back({{j}});
        } else {
            group->coordinates.push_back(j);
        }
    }
    std::erase_if(facts.exclusive,
                  [](const ExclusiveGroup& group) { return group.coordinates.size() < 2; });
    for (ExclusiveGroup& group : facts.exclusive) {
        group.is_one_hot = is_one_hot(facts.tokens, group.coordinates);
    }
}

/// Up to sign, which z zᵀ does not see.
bool repeats_its_query(const Dataset& data) {
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Vector query = data.tokens.col(data.query_token(i));
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            const bool same = (data.tokens.col(t) - query).cwiseAbs().maxCoeff() <= 0.0;
            const bool opposite = (data.tokens.col(t) + query).cwiseAbs().maxCoeff() <= 0.0;
            if (!same && !opposite) {
                return false;
            }
        }
    }
    return true;
}

std::string coordinate_is(const std::vector<Index>& coordinates, const std::string& what) {
    const bool one = coordinates.size() == 1;
    return formatted(
        "coordinate{} {} {} {}", one ? "" : "s", list_of(coordinates), one ? "is" : "are", what);
}

}  // namespace

DataFacts data_facts(const Dataset& data) {
    DataFacts facts;
    facts.distinct_examples = count_distinct(data);
    if (data.d() == 0) {
        return facts;
    }
    facts.tokens = distinct_columns(data.tokens.view());
    const Dataset moments = as_moments(facts.tokens);
    facts.collinear = short_relations(Modulus(), FeatureRows(moments), LongRelations::lift);
    classify_coordinates(facts);
    group_exclusive(facts);
    const bool prefixes = data.labels == LabelKind::per_prefix;
    facts.one_token = data.tokens.cols() == data.num_sequences();
    facts.repeats_its_query = !prefixes && repeats_its_query(data);
    return facts;
}

std::vector<std::string> in_words(const DataFacts& facts) {
    std::vector<std::string> words;
    const auto say = [&](const std::vector<Index>& coordinates, const std::string& what) {
        if (!coordinates.empty()) {
            words.push_back(coordinate_is(coordinates, what));
        }
    };
    if (facts.one_token) {
        words.emplace_back("every example is a single token (n = 1)");
    } else if (facts.repeats_its_query) {
        words.emplace_back("every example repeats one token, up to sign");
    }
    say(facts.zero, "0 in every token");
    say(facts.constant, "constant over all tokens");
    say(facts.signs, "of constant size in every token (signs)");
    for (const ExclusiveGroup& group : facts.exclusive) {
        say(group.coordinates,
            group.is_one_hot ? "one-hot: one of them is 1 in every token, the others 0"
                             : "never nonzero together");
    }
    for (const IntegerVector& v : facts.collinear.vectors) {
        if (support(v) == 1) {
            continue;  // a coordinate that is 0
        }
        Relation relation;
        for (Index j = 0; j < v.size(); ++j) {
            if (v(j) != 0) {
                relation.push_back(
                    {v(j), std::nullopt, EntryWord{"z", {{CoordinateKind::token, j}}}});
            }
        }
        words.push_back(to_string(relation) + " in every token (collinear coordinates)");
    }
    return words;
}

std::string list_of(const std::vector<Index>& coordinates) {
    std::string text;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const bool last = k + 1 == coordinates.size();
        text += (k == 0 ? "" : last ? " and " : ", ") + std::to_string(coordinates[k] + 1);
    }
    return text;
}

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
