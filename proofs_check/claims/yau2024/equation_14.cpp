#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "tasks/associative_memory.hpp"

namespace attest::yau2024 {

namespace {

/// V = [0 0; 0 I], Q = [I 0; 0 0], keys and values with d entries.
RationalParameters memory(Index d) {
    RationalMatrix V = RationalMatrix::Zero(2 * d, 2 * d);
    RationalMatrix Q = V;
    V.bottomRightCorner(d, d).setIdentity();
    Q.topLeftCorner(d, d).setIdentity();
    return {2 * d, 2 * d, {{V, Q}}};
}

/// (0; Σ_j ⟨q, k_j⟩ v_j) over the columns of Z = [k_1 … q; v_1 … ζ]; the last `omit` columns left
/// out.
RationalVector recalled(const RationalMatrix& Z, Index omit) {
    const Index d = Z.rows() / 2;
    const RationalVector q = Z.col(Z.cols() - 1).head(d);
    RationalVector y = RationalVector::Zero(2 * d);
    for (Index j = 0; j + omit < Z.cols(); ++j) {
        const RationalVector key = Z.col(j).head(d);
        y.tail(d) += frobenius(q, key) * Z.col(j).tail(d);
    }
    return y;
}

enum class Keys : std::uint8_t { gaussian, unitary };

/// Accepted: on these sequences some layer gives the printed labels, i.e. rank [H | y] = rank H.
Answer printed_labels_realisable(Keys keys, const Stream& stream) {
    constexpr Index kEntries = 2;
    AssociativeMemoryOptions options;
    options.d = kEntries;
    options.mixture = keys == Keys::unitary ? 1.0 : 0.0;
    options.orthogonal = OrthogonalKind::rational;
    const AssociativeMemory task(options, stream);
    const Index N = feature_dim(2 * kEntries) + 8;
    std::vector<RationalMatrix> Z;
    RationalMatrix y(N, kEntries);
    for (Index i = 0; i < N; ++i) {
        Z.push_back(task.draw_exact(i));
        y.row(i) = recalled(Z.back(), 1).tail(kEntries).transpose();
    }
    const RationalMatrix H = feature_rows(Z);
    RationalMatrix both(N, H.cols() + kEntries);
    both << H, y;
    const Index rank = rational_rank(H);
    const Index extended = rational_rank(both);
    return {extended == rank,
            formatted("{} {} sequences, keys with {} entries: rank H = {}, rank [H | y] = {} for "
                      "the printed labels y",
                      N,
                      keys == Keys::unitary ? "unitary" : "Gaussian",
                      kEntries,
                      rank,
                      extended)};
}

/// On unitary keys Σ_j k_j k_jᵀ + q qᵀ has trace d + 1 and |q| = 1, so S_kv' q − tr(S_kk) ζ/(d+1)
/// is the printed label: d + 1 heads more.
RationalParameters unitary_memory(Index d) {
    RationalParameters theta = memory(d);
    for (Index j = 0; j < d; ++j) {
        for (Index a = 0; a < d; ++a) {
            theta.heads.push_back({-unit_matrix(2 * d, d + a + 1, j + 1) / Rational(d + 1),
                                   unit_matrix(2 * d, j + 1, d + a + 1)});
        }
    }
    return theta;
}

/// Accepted: that layer gives the printed labels on unitary sequences.
Answer unitary_layer(const RationalParameters& theta, Index d, const Stream& stream) {
    AssociativeMemoryOptions options;
    options.d = d;
    options.mixture = 1.0;
    options.orthogonal = OrthogonalKind::rational;
    const AssociativeMemory task(options, stream);
    Index agree = 0;
    constexpr Index kDraws = 20;
    for (Index i = 0; i < kDraws; ++i) {
        const RationalMatrix Z = task.draw_exact(i);
        agree += output(theta, Z) == recalled(Z, 1) ? 1 : 0;
    }
    return {agree == kDraws,
            formatted("{} heads give equation 14's labels on {} of {} unitary sequences, keys with "
                      "{} entries",
                      theta.num_heads(),
                      agree,
                      kDraws,
                      d)};
}

void check_realisable(Evidence& evidence, const ClaimContext& context) {
    const SharedTest realisable(evidence, printed_labels_realisable, kSampled);
    realisable.check(Form::tested, Keys::unitary, context.stream.child("unitary"));
    realisable.control(Keys::gaussian, context.stream.child("gaussian"));
    const SharedTest layer(evidence, unitary_layer, kSampled);
    layer.check(Form::tested, unitary_memory(3), Index{3}, context.stream.child("layer"));
    layer.control(memory(3), Index{3}, context.stream.child("layer"));
}

Evidence test_equation_14(const ClaimContext& context) {
    Evidence evidence;
    const RationalMatrix ones = RationalMatrix::Ones(2, 2);
    const RationalVector truth = output(memory(1), ones);
    const SharedTest one_input(evidence, [&](const RationalVector& label) -> Answer {
        return {label == truth,
                "keys and values with one entry, Z = " + to_text(ones) +
                    " (k_1 = q = 1, v_1 = zeta = 1): MHLA gives " + to_text_vector(truth) +
                    ", the formula " + to_text_vector(label)};
    });
    one_input.check(Form::printed, recalled(ones, 1));
    one_input.accepts(recalled(ones, 0));
    const Index draws = context.pick(30, 300);
    Index agree = 0;
    Index agree_printed = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 1 + i % 3;
        const RationalMatrix Z = random_integers(2 * d, d + 1, 3, context.stream.child(i));
        const RationalVector y = output(memory(d), Z);
        RationalVector corrected = recalled(Z, 1);
        const RationalVector q = Z.col(d).head(d);
        corrected.tail(d) += squared_norm(q) * Z.col(d).tail(d);
        agree += y == corrected ? 1 : 0;
        agree_printed += y == recalled(Z, 1) ? 1 : 0;
    }
    evidence.check(Form::tested,
                   agree == draws,
                   formatted("sum_j <q, k_j> v_j + ||q||^2 zeta is the output on {} of {} random "
                             "integer inputs, keys with 1 to 3 entries",
                             agree,
                             draws),
                   kSampled);
    evidence.check(Form::control,
                   agree_printed < draws,
                   formatted("without ||q||^2 zeta it is on {} of them only", agree_printed),
                   kSampled);
    check_realisable(evidence, context);
    return evidence;
}

}  // namespace

Claim equation_14() {
    return {
        .id = "yau2024/equation_14",
        .place = "Equation 14",
        .printed = "Z = [k_1 … k_d q; v_1 … v_d zeta]: MHLA(Z) = [0; sum_j <q, k_j> v_j]",
        .tested =
            "MHLA(Z) = [0; sum_j <q, k_j> v_j + ||q||^2 zeta]; on unitary keys another layer gives "
            "the printed labels",
        .deviation = "the last column is a token too: the query attends to itself",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "Definition 2.1 sums over all columns of Z, the query among them, whose score is "
            "||q||^2 and whose value is zeta. The printed labels are therefore not this layer's. "
            "On Gaussian data no layer gives them unless zeta = 0; on unitary data one does, S_kv' "
            "q - tr(S_kk) zeta/(d + 1), because ||q|| = 1 and tr S_kk = d + 1 there.",
        .run = test_equation_14,
    };
}

}  // namespace attest::yau2024
