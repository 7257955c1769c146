#include "core/explain/data_facts.hpp"
#include "core/explain/explanation.hpp"
#include "tests/core/explain/token_data.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {

namespace {

constexpr Index kEnough = 250;

Explanation reasons_of(const Dataset& data) {
    return explain(data, certify_rank(data), std::nullopt);
}

std::set<CauseKind> causes_of(const Dataset& data) {
    std::set<CauseKind> kinds;
    for (const RelationClass& one : reasons_of(data).classes) {
        kinds.insert(one.cause.kind);
    }
    return kinds;
}

/// Relations that the causes explain, before and after an example of the kind that breaks them.
void expect_broken_by(const Dataset& data, const Matrix& Z) {
    const Dataset one = token_data(1, [&](Draws& /*draws*/) { return Z; });
    EXPECT_LT(reasons_of(concatenate(data, one)).nullity, reasons_of(data).nullity);
}

Dataset tokens_with(Index n, const std::function<void(Draws&, Vector&)>& change) {
    return token_data(kEnough, n, [&](Draws& draws) {
        Vector z = small_token(draws, 3);
        change(draws, z);
        return z;
    });
}

double sign(Draws& draws) {
    return draws.below(2) == 0 ? 1.0 : -1.0;
}

Matrix generic(Index n) {
    Draws draws(Stream(11).child("generic"));
    Matrix Z(3, n);
    for (Index t = 0; t < n; ++t) {
        Z.col(t) = small_token(draws, 3) + Vector::Constant(3, 4.0 + static_cast<double>(t));
    }
    return Z;
}

using Kinds = std::set<CauseKind>;

TEST(Causes, AZeroCoordinate) {
    const Dataset data = tokens_with(3, [](Draws&, Vector& z) { z(1) = 0.0; });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::zero_coordinate});
    const Explanation found = reasons_of(data);
    EXPECT_EQ(found.facts.front(), "coordinate 2 is 0 in every token");
    EXPECT_EQ(found.classes.front().cause.because, "coordinate 2 is 0 in every token");
    expect_broken_by(data, generic(3));
}

TEST(Causes, OneHotCoordinates) {
    const Dataset data = token_data(kEnough, 3, [](Draws& draws) {
        Vector z = small_token(draws, 4);
        z.head(3).setZero();
        z(static_cast<Index>(draws.below(3))) = 1.0;
        return z;
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::one_hot});
    EXPECT_EQ(reasons_of(data).facts.front(),
              "coordinates 1, 2 and 3 are one-hot: one of them is 1 in every token, the others 0");
}

TEST(Causes, CoordinatesThatAreNeverNonzeroTogether) {
    const Dataset data = tokens_with(
        3, [](Draws& draws, Vector& z) { z(static_cast<Index>(draws.below(2))) = 0.0; });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::never_together});
    expect_broken_by(data, generic(3));
}

TEST(Causes, Signs) {
    const Dataset data = tokens_with(3, [](Draws& draws, Vector& z) {
        z(0) = sign(draws);
        z(2) = 3.0 * sign(draws);
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::signs});
    EXPECT_EQ(to_string(reasons_of(data).classes.front().example), "9 S_11 = S_33");
    expect_broken_by(data, generic(3));
}

TEST(Causes, CoordinatesOfEqualSize) {
    const Dataset data = tokens_with(3, [](Draws& draws, Vector& z) { z(1) = sign(draws) * z(0); });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::equal_size});
    expect_broken_by(data, generic(3));
}

TEST(Causes, CollinearCoordinates) {
    const Dataset data = tokens_with(3, [](Draws&, Vector& z) { z(2) = z(0) - 2.0 * z(1); });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::collinear});
    EXPECT_EQ(reasons_of(data).facts.front(),
              "z_1 = 2 z_2 + z_3 in every token (collinear coordinates)");
    EXPECT_EQ(reasons_of(data).nullity, 18 - 6) << "as many features as d = 2 has are left";
    expect_broken_by(data, generic(3));
}

/// One constant coordinate is harmless, two are proportional.
TEST(Causes, ConstantCoordinates) {
    const Dataset one = tokens_with(3, [](Draws&, Vector& z) { z(0) = 2.0; });
    EXPECT_EQ(reasons_of(one).nullity, 0);
    const Dataset two = tokens_with(3, [](Draws&, Vector& z) { z(0) = 2.0 * (z(1) = 0.5); });
    EXPECT_EQ(causes_of(two), Kinds{CauseKind::collinear});
    const Explanation found = reasons_of(two);
    EXPECT_EQ(found.facts.front(), "coordinates 1 and 2 are constant over all tokens");
    EXPECT_SAYS(found.classes.front().cause.because, "constant, hence proportional");
}

TEST(Causes, AConstantCoordinateAmongSigns) {
    const Dataset data = tokens_with(3, [](Draws& draws, Vector& z) {
        z(0) = 1.0;
        z(1) = sign(draws);
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::signs});
}

TEST(Causes, ExamplesOfOneToken) {
    const Dataset data = tokens_with(1, [](Draws&, Vector&) {});
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::one_token});
    EXPECT_EQ(reasons_of(data).facts.front(), "every example is a single token (n = 1)");
    expect_broken_by(data, generic(2));
}

TEST(Causes, TokensThatRepeat) {
    const Dataset data = token_data(kEnough, [](Draws& draws) {
        const Vector z = small_token(draws, 3);
        Matrix Z(3, 2);
        Z << sign(draws) * z, z;
        return Z;
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::repeated_tokens});
    expect_broken_by(data, generic(2));
}

/// Columns (a, b), (−b, a) of coordinates 1 and 2: Z Zᵀ is (a² + b²)·I there.
Matrix orthogonal_pair(Draws& draws) {
    const Vector key = small_token(draws, 3);
    Matrix Z(3, 2);
    Z << key(0), -key(1), key(1), key(0), small_token(draws, 1), small_token(draws, 1);
    return Z;
}

TEST(Causes, OrthogonalRows) {
    const Dataset data = token_data(kEnough, orthogonal_pair);
    const Kinds kinds = causes_of(data);
    EXPECT_TRUE(kinds.contains(CauseKind::orthogonal_rows));
    EXPECT_TRUE(kinds.contains(CauseKind::equal_rows));
    expect_broken_by(data, generic(2));
}

TEST(Causes, OrthogonalKeysBesideTheQuery) {
    const Dataset data = token_data(kEnough, [](Draws& draws) {
        Matrix Z = Matrix::Zero(3, 4);
        const double length = 1.0 + static_cast<double>(draws.below(5));
        const auto first = static_cast<Index>(draws.below(3));
        for (Index t = 0; t < 3; ++t) {
            Z((first + t) % 3, t) = length * sign(draws);
        }
        Z.col(3) = small_token(draws, 3);
        return Z;
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::orthogonal_keys});
    EXPECT_EQ(reasons_of(data).nullity, 5) << "2 of S_12 z_3, one of each S_11 z_k";
    expect_broken_by(data, generic(4));
}

TEST(Causes, FewTokens) {
    Matrix vocabulary(3, 4);
    vocabulary << 1, 2, 0, 1, 0, 1, 3, -1, 2, 1, 1, 5;
    const Dataset data = token_data(kEnough, 3, [&](Draws& draws) -> Vector {
        return vocabulary.col(static_cast<Index>(draws.below(4)));
    });
    EXPECT_TRUE(causes_of(data).contains(CauseKind::token_by_token)) << "four tokens, six squares";
    expect_broken_by(data, generic(3));
}

TEST(Causes, AZeroThatOnlyQueriesHave) {
    const Dataset data = token_data(kEnough, [](Draws& draws) {
        Matrix Z(3, 3);
        Z << small_token(draws, 3), small_token(draws, 3), small_token(draws, 3);
        Z(1, 2) = 0.0;
        return Z;
    });
    EXPECT_EQ(causes_of(data), Kinds{CauseKind::zero_query});
}

TEST(InputDigests, DependOnTokensAndQueryAndNotOnLabels) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 1, 2, 2, 1}};
    data.offsets = {0, 2, 4, 6};
    data.query = {1, 1, 1};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{7, 8, 9}};
    const std::vector<std::string> digests = input_digests(data);
    EXPECT_EQ(digests[0], digests[1]);
    EXPECT_NE(digests[0], digests[2]);
    data.query[1] = 0;
    EXPECT_NE(input_digests(data)[0], input_digests(data)[1]);
}

}  // namespace

}  // namespace attest::test
