#pragma once

#include "tests/support/problems.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace attest::test {

/// A data set of finite numbers near the ends of what doubles hold, and what was done to it.
struct ExtremeData {
    Dataset data;
    std::string what;
};

/// Where the extreme numbers are.
enum class Extreme : std::uint8_t {
    tokens,       ///< all tokens times one power of two
    coordinates,  ///< each coordinate times its own
    each_token,   ///< each token times its own
    queries,      ///< the queries far below the other tokens
    prime,        ///< coordinate 0 a multiple of 2147483647
    odd,          ///< integers next to 2^53
    labels,       ///< the labels times one power of two, down to denormal numbers
};

template <class Entries>
inline void multiply(Entries&& A, int exponent) {
    A = A.unaryExpr([exponent](double x) { return std::ldexp(x, exponent); });
}

/// Tokens are integers of magnitude ≤ 3 before that, labels too; o = 1 or 2.
[[nodiscard]] inline ExtremeData draw_extreme_data(Extreme extreme, Index d, Index num_sequences) {
    ExtremeData drawn{draw_dataset(d, num_sequences), ""};
    Dataset& data = drawn.data;
    data.labels = LabelKind::per_sequence;
    data.y = draw_integers(draw_index(1, 2), num_sequences);
    const auto power = [&](int most) {
        const int e = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(-most, most + 1));
        drawn.what += " 2^" + std::to_string(e);
        return e;
    };
    switch (extreme) {
        case Extreme::tokens:
            drawn.what = "tokens times";
            multiply(data.tokens.own(), power(1020));
            drawn.what += ", labels times";
            multiply(data.y, power(1020));
            break;
        case Extreme::coordinates:
            drawn.what = "coordinates times";
            for (Index j = 0; j < d; ++j) {
                multiply(data.tokens.own().middleRows(j, 1), power(300));
            }
            break;
        case Extreme::each_token:
            drawn.what = "each token times";
            for (Index t = 0; t < data.tokens.cols(); ++t) {
                multiply(data.tokens.own().middleCols(t, 1), power(100));
            }
            break;
        case Extreme::queries: {
            drawn.what = "queries times";
            const int e = -std::abs(power(900));
            for (Index i = 0; i < num_sequences; ++i) {
                multiply(data.tokens.own().middleCols(data.query_token(i), 1), e);
            }
            break;
        }
        case Extreme::prime:
            drawn.what = "coordinate 0 times 2147483647";
            data.tokens.own().row(0) *= 2147483647.0;
            break;
        case Extreme::odd:
            drawn.what = "integers next to 2^53";
            data.tokens.own().array() += 9007199254740988.0;
            break;
        case Extreme::labels:
            drawn.what = "labels times";
            multiply(data.y, *rc::gen::element(-1074, -1070, -1030, -800, 800, 1020));
            break;
    }
    return drawn;
}

}  // namespace attest::test
