#include "core/certify/span.hpp"
#include "core/certify/witness.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/other_routes.hpp"

#include <algorithm>
#include <utility>

namespace attest::readers {

namespace {

RationalVector prediction(const RationalMatrix& P, const RationalMatrix& Z) {
    const RationalMatrix y = feature_rows({Z}) * P;
    return y.transpose();
}

/// With the certificate: minimisers found by routes that share no code agree far from the data.
void check_certified(Evidence& evidence, const ClaimContext& context) {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    const RationalParameters truth = random_heads(2, 2, 2, 3, context.stream.child("truth"));
    const ExactProblem data = realisable_problem(six, truth);
    const RationalMatrix P = least_squares(data);
    const RationalMatrix from_kernel = kernel_minimiser(six, data.Y);
    const SharedTest agree(
        evidence,
        [&](const RationalParameters& other, const std::string& what) -> Answer {
            const Index draws = context.pick(40, 400);
            Index same = 0;
            for (Index i = 0; i < draws; ++i) {
                const RationalMatrix Z =
                    random_integers(2, 1 + i % 30, 1000000, context.stream.child("far").child(i));
                const RationalVector y = output(truth, Z);
                same += prediction(P, Z) == y && prediction(from_kernel, Z) == y &&
                                output(other, Z) == y
                            ? 1
                            : 0;
            }
            return {same == draws,
                    formatted("trained on these six with the labels of two heads, elimination, the "
                              "kernel and {} give the truth's output, equal as rationals, on {} of "
                              "{} sequences of 1 to 30 tokens with entries up to a million",
                              what,
                              same,
                              draws)};
        },
        kSampled);
    // One token z alone: S_12 z_1 = S_11 z_2.
    RationalParameters unlike = truth;
    unlike.heads.push_back({unit_matrix(2, 1, 1), unit_matrix(2, 2, 1)});
    unlike.heads.push_back({-unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)});
    evidence.check(Form::hypothesis,
                   certify_rank(unimodular_six()).verdict == RankVerdict::full_rank,
                   "certify_rank proves rank 6 = psi for six sequences of three tokens with "
                   "entries 0 and 1");
    agree.check(Form::tested,
                scrambled_heads(truth, context.stream.child("gauge")),
                "heads after a GL(H) and gauge transformation");
    agree.control(unlike, "heads that differ from the truth by S_12 z_1 - S_11 z_2");

    // det H = 1: every H(Z) is an integer combination of the six rows, every output of six labels.
    const RationalMatrix Z{{100, -7, 50}, {3, 90, -80}};
    const RationalMatrix weights = feature_rows({Z}) * rational_inverse(data.H);
    const RationalVector combined = (weights * data.Y).transpose();
    const Rational far_leverage = leverage(second_moment(data.H), feature_rows({Z}).transpose());
    evidence.check(
        Form::tested,
        combined == output(truth, Z) && far_leverage == 6 * squared_norm(weights),
        "the output on " + to_text(Z) + " is sum c_i y_i with c = " + to_text(weights) +
            ": determined, but labels with independent errors of variance s^2 make it err "
            "with variance s^2 sum c_i^2 = s^2 lev/6 in each output, lev = " +
            far_leverage.str() + " here and 6 on average over the data");
}

/// Sequences of n one-hot tokens of R², each number's binary digits a sequence.
std::vector<RationalMatrix> one_hot_sequences(Index longest) {
    std::vector<RationalMatrix> list;
    for (Index n = 1; n <= longest; ++n) {
        for (Index number = 0; number < Index{1} << n; ++number) {
            RationalMatrix Z = RationalMatrix::Zero(2, n);
            for (Index t = 0; t < n; ++t) {
                Z((number >> t) & 1, t) = 1;
            }
            list.push_back(Z);
        }
    }
    return list;
}

/// Accepted: the head (E_11, E_12) and these others both fit its labels on Z exactly, and answer
/// [[1, 1], [0, 1]] differently.
Answer are_exact_and_differ(const std::vector<RationalMatrix>& Z,
                            const RationalParameters& first,
                            const RationalParameters& second,
                            const std::string& heads) {
    const ExactProblem data = realisable_problem(Z, first);
    const Rational first_risk = risk(data, coefficients(first));
    const Rational second_risk = risk(data, coefficients(second));
    const RationalMatrix input{{1, 1}, {0, 1}};
    return {first_risk == 0 && second_risk == 0 && output(first, input) != output(second, input),
            "without it: four sequences " + to_text(Z[0]) + ", " + to_text(Z[1]) + ", " +
                to_text(Z[2]) + ", " + to_text(Z[3]) + " of one-hot tokens with the labels " +
                to_text(data.Y) + ", rank " + std::to_string(rational_rank(data.H)) +
                " of 6; on all four the head (E_11, E_12) has the risk " + first_risk.str() +
                " and the heads " + heads + " have " + second_risk.str() + "; on " +
                to_text(input) + " they give " + to_text_vector(output(first, input)) + " and " +
                to_text_vector(output(second, input))};
}

/// Without it: two integer minimisers, equal on every one-hot sequence, different on one input.
void check_deficient(Evidence& evidence, const ClaimContext& context) {
    const Dataset train = one_hot_four();
    const std::vector<RationalMatrix> Z = exact_sequences(train);
    const RationalParameters first{2, 2, {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)}}};
    RationalParameters second = first;
    second.heads.push_back({unit_matrix(2, 1, 1), unit_matrix(2, 2, 1)});
    const std::vector<RationalMatrix> alike = one_hot_sequences(context.pick(6, 10));
    const auto agree = [&](const RationalMatrix& input) {
        return output(first, input) == output(second, input);
    };
    const bool agree_alike = std::all_of(alike.begin(), alike.end(), agree);
    const SharedTest differ(evidence, are_exact_and_differ);
    differ.check(Form::tested, Z, first, second, "(E_11, E_12), (E_11, E_21)");
    evidence.check(Form::tested,
                   agree_alike,
                   formatted("a test set that looks like the data shows nothing of it: the two "
                             "agree on all {} sequences of 1 to {} one-hot tokens",
                             alike.size(),
                             context.pick(6, 10)));

    const ExactRank rank = certify_rank(train, {.null_vectors = NullVectors::all});
    const std::vector<QuerySpan> spans = certify_span(
        train, rank, sequences({Matrix{{0, 1, 1, 0}, {1, 0, 0, 1}}, Matrix{{1, 1}, {0, 1}}}));
    evidence.check(Form::tested,
                   rank.verdict == RankVerdict::deficient &&
                       spans[0].verdict == Determination::determined &&
                       spans[1].verdict == Determination::not_determined,
                   "certify_rank says deficient, and certify_span tells the inputs apart: a new "
                   "one-hot sequence determined, [[1, 1], [0, 1]] not determined");

    RationalParameters unlike = first;
    unlike.heads.push_back({unit_matrix(2, 1, 1), unit_matrix(2, 1, 1)});
    differ.control(Z, first, unlike, "(E_11, E_12), (E_11, E_11)");
}

/// Random data one example short of psi: the witness of `attest certify --witness`, redone over Q.
void check_witnesses(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(6, 40);
    Index differ = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("witness").child(i);
        const Index d = 2 + i % 2;
        const std::vector<RationalMatrix> Z =
            random_sequences(feature_dim(d) - 1, d, 3, 2, stream.child("Z"));
        Dataset data;
        data.offsets.push_back(0);
        Matrix tokens(d, 3 * static_cast<Index>(Z.size()));
        for (const RationalMatrix& sequence : Z) {
            tokens.middleCols(data.offsets.back(), 3) = sequence.cast<double>();
            data.offsets.push_back(data.offsets.back() + 3);
        }
        data.tokens = std::move(tokens);
        const ExactRank rank = certify_rank(data, {.null_vectors = NullVectors::all});
        const Witness witness = make_witness(data, rank, Matrix::Zero(feature_dim(d), 1), nullptr);
        const RationalVector v = witness.null_vector.cast<Rational>();
        const RationalMatrix on_data = feature_rows(Z) * v;
        const RationalMatrix on_input = feature_rows(exact_sequences(witness.input)) * v;
        differ += on_data.isZero(Rational(0)) && !on_input.isZero(Rational(0)) ? 1 : 0;
    }
    evidence.check(Form::tested,
                   differ == sets,
                   formatted("psi - 1 random integer sequences, d = 2, 3: on {} of {} sets "
                             "make_witness finds an integer v with v.H = 0 on all data and an "
                             "input of entries 0 and 1 with v.H not 0, so P and P + v e_1' differ",
                             differ,
                             sets),
                   kSampled);
}

Evidence test_out_of_distribution(const ClaimContext& context) {
    Evidence evidence;
    check_certified(evidence, context);
    check_deficient(evidence, context);
    check_witnesses(evidence, context);
    return evidence;
}

}  // namespace

Claim out_of_distribution() {
    return {
        .id = "readers/out_of_distribution",
        .place = "a reader's question",
        .printed =
            "no statement, a question: does the certificate say anything about inputs unlike the "
            "data?",
        .tested =
            "rank psi: minimisers that are exact on the data agree on every input, however unlike "
            "the data; below: two of them, with enough heads, are exact on the data and on "
            "everything like it and differ on an explicit input",
        .depends_on = "yau2024/lemma_2_3 yau2024/lemma_a7",
        .method = Method::exact,
        .explain =
            "The certificate speaks of coefficients, not of a distribution: Hv = 0 only for v = 0 "
            "leaves one P, and P is the function on all inputs. What does depend on the input is "
            "how errors of the labels carry over, its leverage. If Hv = 0 for some v, inputs like "
            "the data usually have v.H(Z) = 0 too, so no held-out set of them shows a difference.",
        .run = test_out_of_distribution,
    };
}

}  // namespace attest::readers
