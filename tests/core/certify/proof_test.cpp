#include "core/certify/proof.hpp"

#include "tests/support/audit_data.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

IntegerVector unit(Index psi, Index k) {
    IntegerVector v = IntegerVector::Zero(psi);
    v(k) = 1;
    return v;
}

/// ψ = 6, and the null vectors e_1, e_3, e_5; a proof file is words, the checker judges them.
ExactRank three_null_vectors() {
    ExactRank rank;
    rank.psi = 6;
    rank.null_space.vectors = {unit(6, 1), unit(6, 3), unit(6, 5)};
    return rank;
}

QuerySpan told_by(Index null_vector) {
    return {Determination::not_determined, SpanEvidence::null_vector, null_vector, {}};
}

/// The lines between `queries` and `end` of the proof that these spans give.
std::string undetermined_lines(const std::vector<QuerySpan>& spans) {
    const Dataset queries = sequences({Matrix{{1, 1}, {0, 1}}});
    const std::optional<std::string> proof =
        undetermined_proof(deficient_five(), three_null_vectors(), queries, spans);
    if (!proof) {
        return "no proof";
    }
    const std::size_t claim = proof->find("claim ");
    return proof->substr(claim, proof->rfind("end ") - claim);
}

TEST(UndeterminedProof, ListsTheQueriesOfTheNullVectorThatTellsMost) {
    EXPECT_EQ(undetermined_lines({told_by(0), told_by(1), told_by(1)}),
              "claim undetermined 1 2\nnull 3:1\n");
    EXPECT_EQ(undetermined_lines({told_by(2), told_by(0), told_by(2), told_by(1), told_by(2)}),
              "claim undetermined 0 2 4\nnull 5:1\n");
    EXPECT_EQ(undetermined_lines({told_by(1), told_by(0), told_by(0)}),
              "claim undetermined 1 2\nnull 1:1\n");
}

TEST(UndeterminedProof, LeavesOutWhatNoNullVectorTells) {
    const QuerySpan undecided;
    const QuerySpan determined{Determination::determined, SpanEvidence::null_basis, -1, {}};
    const QuerySpan by_rank{Determination::not_determined, SpanEvidence::rank_increase, -1, {}};

    EXPECT_EQ(undetermined_lines({undecided, determined, told_by(1), by_rank}),
              "claim undetermined 2\nnull 3:1\n");
    EXPECT_EQ(undetermined_lines({undecided, determined, by_rank}), "no proof");
}

}  // namespace
}  // namespace attest::test
