#include "core/base/text.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

constexpr Index kPlacedSymbols = 3;

// The first rows of the four attributes of a token.
constexpr Index kSource = 0;
constexpr Index kKey = kPlacedSymbols;
constexpr Index kValue = 2 * kPlacedSymbols;
constexpr Index kDest = 3 * kPlacedSymbols;
constexpr Index kRows = 4 * kPlacedSymbols;

/// Where a block of a head stands, and whether it is turned over.
struct Placement {
    Index value_rows, value_columns;  ///< of V_h
    Index query_rows, query_columns;  ///< of Q_h
    bool transposed = false;
};

/// The proof's words: in rows AttrSource and columns AttrKey of V_h, in rows AttrValue and columns
/// AttrDest of Q_h.
constexpr Placement kPrinted{kSource, kKey, kValue, kDest};
constexpr Placement kCorrected{kDest, kValue, kKey, kSource};

/// e_i ↦ e_(i+1), around: no block is its own transpose.
RationalMatrix cycle() {
    RationalMatrix B = RationalMatrix::Zero(kPlacedSymbols, kPlacedSymbols);
    for (Index i = 0; i < kPlacedSymbols; ++i) {
        B((i + 1) % kPlacedSymbols, i) = 1;
    }
    return B;
}

RationalMatrix placed(Index row, Index column, const RationalMatrix& block) {
    RationalMatrix A = RationalMatrix::Zero(kRows, kRows);
    A.block(row, column, kPlacedSymbols, kPlacedSymbols) = block;
    return A;
}

/// A token for each key i with the value number i of the table, then one that asks.
RationalMatrix prompt(Index table, Index source) {
    RationalMatrix Z = RationalMatrix::Zero(kRows, kPlacedSymbols + 1);
    for (Index key = 0, rest = table; key < kPlacedSymbols; ++key, rest /= kPlacedSymbols) {
        Z(kKey + key, key) = 1;
        Z(kValue + rest % kPlacedSymbols, key) = 1;
    }
    Z(kSource + source, kPlacedSymbols) = 1;
    return Z;
}

/// Accepted: one head prints B_V(table[B_Q(source)]) in the rows AttrDest, for every table of three
/// keys and values and every source.
Answer printed_looks_up(const Placement& place, const std::string& where) {
    const RationalMatrix B = place.transposed ? RationalMatrix(cycle().transpose()) : cycle();
    const RationalParameters layer{kRows,
                                   kRows,
                                   {{placed(place.value_rows, place.value_columns, B),
                                     placed(place.query_rows, place.query_columns, B)}}};
    Index right = 0;
    Index zero = 0;
    Index asked = 0;
    for (Index table = 0; table < kPlacedSymbols * kPlacedSymbols * kPlacedSymbols; ++table) {
        for (Index source = 0; source < kPlacedSymbols; ++source, ++asked) {
            const RationalMatrix Z = prompt(table, source);
            const Index key = (source + 1) % kPlacedSymbols;
            RationalVector next = RationalVector::Zero(kRows);
            next.segment(kDest, kPlacedSymbols) =
                cycle() * Z.col(key).segment(kValue, kPlacedSymbols);
            const RationalVector printed = output(layer, Z);
            right += printed == next ? 1 : 0;
            zero += printed.isZero(Rational(0)) ? 1 : 0;
        }
    }
    return {right == asked,
            formatted("{}: {} of {} next tokens are right, {} are 0, over all tables of 3 keys and "
                      "3 values",
                      where,
                      right,
                      asked,
                      zero)};
}

Evidence test_lemma_f1_printed(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest lookup(evidence, printed_looks_up);
    lookup.check(Form::printed, kPrinted, "blocks in V_h[source, key] and Q_h[value, dest]");
    lookup.check(Form::tested, kCorrected, "blocks in V_h[dest, value] and Q_h[key, source]");
    lookup.control(Placement{kDest, kValue, kValue, kDest},
                   "only V_h corrected, Q_h[value, dest] as printed");
    lookup.control(Placement{kSource, kKey, kKey, kSource},
                   "only Q_h corrected, V_h[source, key] as printed");
    lookup.control(Placement{kDest, kValue, kKey, kSource, true},
                   "both corrected, the blocks themselves transposed");
    return evidence;
}

}  // namespace

Claim lemma_f1_printed() {
    return {
        .id = "yau2024/lemma_f1_printed",
        .place = "Lemma F.1, the head in its proof",
        .printed =
            "the head of a lookup: V_h has a block B_V in the rows of AttrSource and the columns "
            "of "
            "AttrKey, Q_h one in the rows of AttrValue and the columns of AttrDest",
        .tested =
            "V_h has B_V in the rows of AttrDest and the columns of AttrValue, Q_h has B_Q in the "
            "rows of AttrKey and the columns of AttrSource",
        .deviation =
            "so placed Q_h z reads rows that are empty in a token that asks, and V_h writes none "
            "of AttrDest: the next token is 0 whatever the blocks are. Neither correction is "
            "enough alone",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "The lookup prints B_V(value) of the token whose key is B_Q(source): V_h (Z Z') Q_h z "
            "with Z Z' carrying a key's row to its value's. B_V and B_Q are the cycle of three "
            "symbols, which is not its own transpose. Every table and every source is tried.",
        .run = test_lemma_f1_printed,
    };
}

}  // namespace attest::yau2024
