#include "core/certify/witness.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/data/sources/moments.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

Dataset one_sequence(const Matrix& Z) {
    Dataset data;
    data.tokens = Z;
    data.offsets = {0, Z.cols()};
    return data;
}

/// v·H(Z) over Q: integer features carry a power of two of their own, so this is right up to a
/// positive factor.
Integer product(const IntegerVector& v, const Dataset& input) {
    const MatrixOf<Integer> H = integer_features(input);
    Integer sum = 0;
    for (Index k = 0; k < v.size(); ++k) {
        sum += v(k) * H(0, k);
    }
    return sum;
}

/// An input (x, e_l) with v·H ≠ 0, x one of 0, e_j, e_j + e_k. One exists: v·H(x, e_l) = Σ
/// v[{j,k},l] x_j x_k + v[{l,l},l], so if all of them vanish then, in this order, v[{l,l},l], every
/// v[{j,j},l] and every v[{j,k},l] are 0.
Dataset distinguishing_input(const IntegerVector& v, Index d) {
    for (Index l = 0; l < d; ++l) {
        for (Index j = -1; j < d; ++j) {
            for (Index k = j; k < (j < 0 ? 0 : d); ++k) {
                Matrix Z = Matrix::Zero(d, 2);
                Z(l, 1) = 1.0;
                if (j >= 0) {
                    Z(j, 0) = 1.0;
                    Z(k, 0) = 1.0;
                }
                Dataset input = one_sequence(Z);
                if (product(v, input) != 0) {
                    return input;
                }
            }
        }
    }
    throw BrokenInvariant("witness: a nonzero combination of features vanishes on every input");
}

/// The first null vector that tells the query from the data, or null; without a query all tell.
const IntegerVector* telling_vector(const ExactRank& rank, const Dataset* query) {
    const std::vector<IntegerVector>& vectors = rank.null_space.vectors;
    const auto found = std::find_if(vectors.begin(), vectors.end(), [&](const IntegerVector& v) {
        return query == nullptr || product(v, *query) != 0;
    });
    return found == vectors.end() ? nullptr : &*found;
}

/// Position of the highest bit of the entry of largest size; some entry is not 0.
unsigned largest_bit(const IntegerVector& v) {
    Integer largest = 0;
    for (Index k = 0; k < v.size(); ++k) {
        largest = std::max<Integer>(largest, abs(v(k)));
    }
    return static_cast<unsigned>(msb(largest));
}

std::string term(const Integer& coefficient, bool first) {
    const Integer size = abs(coefficient);
    const std::string sign = coefficient < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    return sign + (size == 1 ? "" : size.str() + " ");
}

}  // namespace

std::string why_no_witness(const ExactRank& rank, const Dataset* query) {
    if (rank.verdict == RankVerdict::full_rank) {
        return "the features are independent";
    }
    if (rank.null_space.vectors.empty()) {
        return "there is no verified null vector; " + rank.reason;
    }
    return telling_vector(rank, query) != nullptr
               ? ""
               : "no null vector tells this query from the data: its output is determined";
}

Witness make_witness(const Dataset& training,
                     const ExactRank& rank,
                     const Matrix& P,
                     const Dataset* query) {
    const std::string none = why_no_witness(rank, query);
    require(none.empty(), "witness: {}", none);
    require(training.layer.is_linear() || query != nullptr,
            "witness: for the layer {} name an input on which the models shall disagree, by "
            "--queries",
            to_string(training.layer));
    const FeatureLayout layout = training.layout();
    Witness witness;
    witness.null_vector = *telling_vector(rank, query);
    witness.input =
        query != nullptr ? *query : distinguishing_input(witness.null_vector, training.d());
    // Reconstructed integers may have thousands of bits: down to size 1 before they are doubles.
    const Rational unit = Rational(1) / (Integer(1) << largest_bit(witness.null_vector));
    Vector v(P.rows());
    for (Index k = 0; k < v.size(); ++k) {
        v(k) = Rational(unit * witness.null_vector(k)).convert_to<double>();
    }
    const double wanted = std::max(P.stableNorm(), 1.0) / v.norm();
    const double size = std::exp2(std::round(std::log2(wanted)));
    witness.scale = unit * to_rational(size);
    witness.P = {P, P};
    witness.P[1].col(0) += size * v;
    const auto moments = sequence_moments<Rational>(witness.input, 0, 1);
    Rational difference = 0;
    for (Index k = 0; k < v.size(); ++k) {
        const auto [state, asking] = layout.factors(k);
        difference += Rational(witness.null_vector(k)) * moments.S(state, 0) * moments.u(asking, 0);
    }
    witness.difference = Rational(difference * witness.scale).convert_to<double>();
    return witness;
}

std::string describe_combination(const IntegerVector& v, const FeatureWords& words, Index terms) {
    require(v.size() == words.layout().psi(),
            "describe_combination: the vector does not have psi(d) entries");
    std::string text;
    Index shown = 0;
    Index total = 0;
    for (Index k = 0; k < v.size(); ++k) {
        if (v(k) == 0) {
            continue;
        }
        ++total;
        if (shown < terms) {
            text += term(v(k), shown == 0) + words.feature(k);
            ++shown;
        }
    }
    return total > shown ? formatted("{} + {} more terms", text, total - shown) : text;
}

}  // namespace attest
