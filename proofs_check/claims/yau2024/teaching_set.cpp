#include "proofs_check/claims/yau2024/teaching_set.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

RationalMatrix columns(const std::vector<Token>& tokens, Index d) {
    return to_columns(tokens, d).cast<Rational>();
}

/// The features of the teaching set of d, without its last `omitted` queries, a row each.
RationalMatrix taught(Index d, Index omitted) {
    std::vector<RationalMatrix> Z;
    for (const TeachingQuery& query : teaching_set(d)) {
        Z.push_back(columns(query.tokens, d));
    }
    Z.resize(Z.size() - static_cast<std::size_t>(omitted));
    return feature_rows(Z);
}

/// Accepted: the queries determine every layer of each d up to `largest`; psi of them are a basis
/// of the integers.
Answer teaches(Index largest, Index omitted) {
    bool all = true;
    std::string text;
    // d = 1 has one query only.
    for (Index d = 1 + omitted; d <= largest; ++d) {
        const RationalMatrix H = taught(d, omitted);
        const bool square = H.rows() == H.cols();
        const Rational det = square ? rational_determinant(H) : Rational(0);
        all = all && abs(det) == 1;
        text += formatted("{}{} queries for psi = {}, rank {}",
                          text.empty() ? "" : "; ",
                          H.rows(),
                          H.cols(),
                          rational_rank(H));
    }
    return {all,
            formatted("d = {} to {}: {}; {}",
                      1 + omitted,
                      largest,
                      text,
                      all ? "every determinant is 1 or -1" : "not every determinant is 1 or -1")};
}

/// Accepted: each query's features are its new one, once, and settled ones, as listed.
Answer triangular(Index d, std::int64_t times) {
    bool as_listed = true;
    for (const TeachingQuery& query : teaching_set(d)) {
        const RationalMatrix Z = columns(query.tokens, d);
        RationalMatrix S = Z * Z.transpose();
        S(query.j, query.k) -= times;
        for (const TeachingTerm& term : query.known) {
            S(term.j, term.k) -= term.times;
        }
        as_listed =
            as_listed && RationalMatrix(S.triangularView<Eigen::Upper>()).isZero(Rational(0));
    }
    return {as_listed,
            formatted("d = {}: every query has its new feature {} times, and else only features "
                      "of earlier queries, as listed: {}",
                      d,
                      times,
                      as_listed ? "yes" : "no")};
}

Evidence test_teaching_set(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest sufficient(evidence, teaches);
    sufficient.check(Form::tested, context.pick(4, 5), Index{0});
    sufficient.control(Index{2}, Index{1});
    const SharedTest solved(evidence, triangular);
    for (const Index d : {1, 2, 6}) {
        solved.check(Form::tested, Index{d}, std::int64_t{1});
    }
    solved.control(Index{2}, std::int64_t{2});
    return evidence;
}

}  // namespace

Claim teaching_set_of_psi() {
    return {
        .id = "yau2024/teaching_set",
        .place = "Beside Lemma 2.3: queries that teach",
        .tested =
            "psi questions, sequences of two tokens with entries 0 and 1, determine every layer, "
            "with any number of heads, by additions and subtractions alone; fewer than psi do not",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "[0, e_l] shows S_ll z_l alone; [e_j, e_l] adds S_jj z_l; [e_j + e_k, e_l] adds S_jk "
            "z_l: a triangular matrix with ones on its diagonal, so its determinant is 1 or -1 for "
            "every d. Fewer than psi rows leave a null vector. The function is determined, the "
            "parameters of several heads are not, nor can they be.",
        .run = test_teaching_set,
    };
}

}  // namespace attest::yau2024
