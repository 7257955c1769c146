#include "core/base/interrupt.hpp"
#include "core/kernels/recurrence/recurrence.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace attest {

namespace {

constexpr Index kTokensOfABlock = 16;

/// Σ_j P_tj R_sj exp(bp_tj − br_sj) for s ≤ t − first, zeros else: scores of keys that decay row by
/// row. In blocks of 16 tokens, of which all but the diagonal ones are matrix products of factors
/// decayed to a token between both: no exponent is above 0 where gates are at most 1.
template <class Arithmetic>
class RowScores {
public:
    using Scalar = typename Arithmetic::Scalar;
    using Values = MatrixOf<Scalar>;

    RowScores(Tape<Arithmetic>& tape,
              Recorded P,
              Recorded R,
              Recorded logs_of_P,
              Recorded logs_of_R,
              Index first)
        : tape_(tape), P_(P), R_(R), bp_(logs_of_P), br_(logs_of_R), first_(first) {}

    [[nodiscard]] Values forward() const {
        const Values& P = tape_.value(P_);
        const Values& R = tape_.value(R_);
        Arithmetic& arithmetic = tape_.arithmetic();
        const Index n = P.rows();
        Values scores = Values::Zero(n, n);
        for (Index from = 0; from < n; from += kTokensOfABlock) {
            const Index count = std::min(kTokensOfABlock, n - from);
            if (from > 0) {
                const Factors decayed = decayed_to(from, count);
                scores.block(from, 0, count, from) =
                    arithmetic.product(rounded(P.middleRows(from, count), decayed.of_P),
                                       rounded(R.topRows(from), decayed.of_R).transpose());
            }
            const Values left = arithmetic.operand(P.middleRows(from, count));
            const Values right = arithmetic.operand(R.middleRows(from, count));
            for (Index t = first_; t < count; ++t) {
                const Values terms = rounded(right.topRows(t - first_ + 1), between(from, t));
                scores.block(from + t, from, 1, terms.rows()) =
                    arithmetic.row_products(terms, left.row(t).replicate(terms.rows(), 1))
                        .transpose();
            }
        }
        return scores;
    }

    void backward(const Values& G) const {
        const Values& P = tape_.value(P_);
        const Values& R = tape_.value(R_);
        Arithmetic& arithmetic = tape_.arithmetic();
        const Index n = P.rows();
        Values dP = Values::Zero(n, P.cols());
        Values dR = Values::Zero(n, P.cols());
        for (Index from = 0; from < n; from += kTokensOfABlock) {
            const Index count = std::min(kTokensOfABlock, n - from);
            if (from > 0) {
                const Factors decayed = decayed_to(from, count);
                const Values block = G.block(from, 0, count, from);
                const Values near = rounded(P.middleRows(from, count), decayed.of_P);
                const Values far = rounded(R.topRows(from), decayed.of_R);
                dP.middleRows(from, count) += rounded(arithmetic.product(block, far), decayed.of_P);
                dR.topRows(from) +=
                    rounded(arithmetic.product(block.transpose(), near), decayed.of_R);
            }
            for (Index t = first_; t < count; ++t) {
                const Index seen = t - first_ + 1;
                const Values factors = between(from, t);
                const Values weights = arithmetic.operand(
                    G.block(from + t, from, 1, seen).transpose().replicate(1, P.cols()));
                const Values weighted = rounded(weights, factors);
                dP.row(from + t) +=
                    arithmetic
                        .row_products(weighted.transpose(), R.middleRows(from, seen).transpose())
                        .transpose();
                dR.middleRows(from, seen) += rounded(weighted, P.row(from + t).replicate(seen, 1));
            }
        }
        dP = arithmetic.rounded(std::move(dP));
        dR = arithmetic.rounded(std::move(dR));
        tape_.add_gradient(bp_, rounded(P, dP));
        tape_.add_gradient(br_, -rounded(R, dR));
        tape_.add_gradient(P_, std::move(dP));
        tape_.add_gradient(R_, std::move(dR));
    }

private:
    struct Factors {
        Values of_P;
        Values of_R;
    };

    /// Of a block of tokens and of all before it, both decayed to the last token before the block.
    [[nodiscard]] Factors decayed_to(Index from, Index count) const {
        const Values middle = tape_.value(br_).row(from - 1);
        Arithmetic& arithmetic = tape_.arithmetic();
        return {arithmetic.exp(arithmetic.rounded(tape_.value(bp_).middleRows(from, count) -
                                                  middle.replicate(count, 1))),
                arithmetic.exp(arithmetic.rounded(middle.replicate(from, 1) -
                                                  tape_.value(br_).topRows(from)))};
    }

    /// exp(bp_t − br_s) of the tokens s of a block that its token t sees.
    [[nodiscard]] Values between(Index from, Index t) const {
        const Index seen = t - first_ + 1;
        Arithmetic& arithmetic = tape_.arithmetic();
        return arithmetic.exp(arithmetic.rounded(tape_.value(bp_).row(from + t).replicate(seen, 1) -
                                                 tape_.value(br_).middleRows(from, seen)));
    }

    [[nodiscard]] Values rounded(const Values& x, const Values& factors) const {
        return tape_.arithmetic().rounded(x.cwiseProduct(factors));
    }

    Tape<Arithmetic>& tape_;
    Recorded P_, R_, bp_, br_;
    Index first_;
};

/// One chunk's inputs and the cumulated logarithms of its gates: b, and b without a token's own.
template <class Arithmetic>
class Chunk {
public:
    using Values = MatrixOf<typename Arithmetic::Scalar>;

    Chunk(Tape<Arithmetic>& tape,
          const RecurrenceInputs& inputs,
          Index first,
          Index count,
          ChunkedFault fault)
        : tape_(tape), in_(inputs), fault_(fault), first_(first), count_(count) {
        q = rows(in_.q, 1);
        k = rows(in_.k, in_.steps);
        v = rows(in_.v, in_.steps);
        a = rows(in_.a, in_.steps);
        b = rows(in_.b, in_.steps);
        beta = rows(in_.beta, in_.steps);
        if (in_.g.exists()) {
            const Recorded g = rows(in_.g, 1);
            logs = tape_.cumulated(g);
            earlier_logs = tape_.subtract(logs, g);
            by_row_ = tape_.value(g).cols() > 1;
            last_log = tape_.rows(logs, count - 1, 1);
        }
    }

    [[nodiscard]] bool has(ChunkedFault fault) const { return fault_ == fault; }

    /// q Rᵀ with the decays between their tokens: what each token reads of itself and of those
    /// before it.
    Recorded scores(Recorded R) {
        return lower_products(q,
                              R,
                              logs,
                              has(ChunkedFault::scores_without_diagonal) ? 1 : 0,
                              !has(ChunkedFault::scores_without_decay));
    }

    /// a Rᵀ with the decays between their tokens, below the diagonal.
    Recorded matrix(Recorded R, Recorded logs_of_a) {
        return lower_products(a, R, logs_of_a, 1, !has(ChunkedFault::matrix_without_decay));
    }

    /// x decayed from the start of the chunk.
    Recorded from_start(Recorded x, Recorded logs_of_x) {
        return logs.exists() ? tape_.times(x, tape_.exp(logs_of_x)) : x;
    }

    /// x decayed to the end of the chunk.
    Recorded to_end(Recorded x) {
        return logs.exists() ? tape_.times(x, tape_.exp(tape_.subtract(last_log, logs))) : x;
    }

    /// S decayed over the whole chunk. Kernels keep the states between chunks as they keep factors
    /// of products, and make the gradient of the decay of what they kept.
    Recorded over_all(Recorded S) {
        if (!logs.exists()) {
            return S;
        }
        const Recorded factor = tape_.transposed(tape_.exp(last_log));
        const Values& state = tape_.value(S);
        const Values factors =
            tape_.value(factor).replicate(state.rows() / tape_.value(factor).rows(), state.cols());
        Tape<Arithmetic>& tape = tape_;
        return tape.record(tape.arithmetic().rounded(state.cwiseProduct(factors)),
                           [&tape, S, factor, factors](const Values& G) {
                               Arithmetic& arithmetic = tape.arithmetic();
                               tape.add_gradient(S, arithmetic.rounded(G.cwiseProduct(factors)));
                               tape.add_gradient(
                                   factor,
                                   arithmetic.rounded(arithmetic.operand(G).cwiseProduct(
                                       arithmetic.operand(tape.value(S)))));
                           });
    }

    Recorded q, k, v, a, b, beta, logs, earlier_logs, last_log;

private:
    /// P Rᵀ, decayed or not, on and below the diagonal `first`.
    Recorded lower_products(Recorded P, Recorded R, Recorded logs_of_P, Index first, bool decayed) {
        if (decayed && logs.exists() && by_row_) {
            const auto op =
                std::make_shared<RowScores<Arithmetic>>(tape_, P, R, logs_of_P, logs, first);
            return tape_.record(op->forward(), [op](const Values& G) { op->backward(G); });
        }
        const Recorded products = tape_.product_transposed(P, R);
        if (!decayed || !logs.exists()) {
            return tape_.lower(products, first);
        }
        const Recorded apart = tape_.lower(difference(P, R, products, logs_of_P), first);
        return tape_.lower(tape_.times(products, tape_.exp(apart)), first);
    }

    Recorded rows(Recorded x, Index each) {
        return x.exists() ? tape_.rows(x, first_ * each, count_ * each) : x;
    }

    /// Logarithms of P's tokens less those of R's. Kernels have the gradients of the former as Σ_j
    /// P_tj dP_tj and of the latter as Σ_j R_sj dR_sj: rounded apart, each by the size of its
    /// terms, so that what should cancel on the diagonal does not.
    Recorded difference(Recorded P, Recorded R, Recorded products, Recorded logs_of_P) {
        const Recorded of_R = tape_.transposed(logs);
        const Recorded here = tape_.subtract(logs_of_P, of_R);
        Tape<Arithmetic>& tape = tape_;
        return tape.record(
            tape.value(here), [&tape, P, R, products, logs_of_P, of_R](const Values& G) {
                using Scalar = typename Arithmetic::Scalar;
                const Index terms = tape.value(P).cols();
                Values squares = tape.value(P).cwiseAbs2() * tape.value(R).cwiseAbs2().transpose();
                const Values& sums = tape.value(products);
                for (Index at = 0; at < squares.size(); ++at) {
                    const Scalar sum = sums.data()[at];
                    const Scalar of_one =
                        std::abs(sum) > Scalar(0) ? G.data()[at] / sum : Scalar(0);
                    squares.data()[at] *= of_one * of_one;
                }
                tape.add_gradient(logs_of_P, tape.arithmetic().summed(G, squares, terms));
                tape.add_gradient(of_R, -tape.arithmetic().summed(G, squares, terms));
            });
    }

    Tape<Arithmetic>& tape_;
    const RecurrenceInputs& in_;
    ChunkedFault fault_;
    Index first_;
    Index count_;
    bool by_row_ = false;
};

/// r of a chunk: (I + tril(β a kᵀ, −1)) r = β (v − aᵀS), decays left out: those that a reads.
template <class Arithmetic>
Recorded corrections(Tape<Arithmetic>& tape, Chunk<Arithmetic>& chunk, Recorded S, StepForm form) {
    const Recorded logs = reads_before_decay(form) ? chunk.earlier_logs : chunk.logs;
    Recorded matrix = chunk.matrix(chunk.k, logs);
    if (chunk.has(ChunkedFault::matrix_sign)) {
        matrix = tape.scaled(matrix, -1.0);
    }
    Recorded reads = chunk.a;
    Recorded values = chunk.v;
    if (chunk.beta.exists()) {
        if (!chunk.has(ChunkedFault::matrix_without_beta)) {
            matrix = tape.times(matrix, chunk.beta);
        }
        reads = tape.times(reads, chunk.beta);
        values = tape.times(values, chunk.beta);
    }
    const Recorded inverse = tape.inverse_of_unit_lower(matrix);
    Recorded W = tape.product(inverse, chunk.from_start(reads, logs));
    if (chunk.has(ChunkedFault::wy_read_not_differentiated)) {
        W = tape.record(tape.value(W));
    }
    return tape.subtract(tape.product(inverse, values), tape.product(W, S));
}

/// y of a chunk, rows S_{t−1}ᵀa_t: (I − tril(a bᵀ, −1)) y = aᵀS + tril(a kᵀ, −1) v.
template <class Arithmetic>
Recorded low_rank_reads(Tape<Arithmetic>& tape, Chunk<Arithmetic>& chunk, Recorded S) {
    const Recorded of_b = chunk.matrix(chunk.b, chunk.earlier_logs);
    const Recorded of_k = chunk.matrix(chunk.k, chunk.earlier_logs);
    const double sign = chunk.has(ChunkedFault::matrix_sign) ? 1.0 : -1.0;
    const Recorded inverse = tape.inverse_of_unit_lower(tape.scaled(of_b, sign));
    const Recorded of_state = tape.product(chunk.from_start(chunk.a, chunk.earlier_logs), S);
    return tape.product(inverse, tape.add(of_state, tape.product(of_k, chunk.v)));
}

/// A sequence with n micro-steps a token as one of a token each: queries of zero but at the last,
/// gates of one but at the first.
template <class Arithmetic>
RecurrenceInputs stretched(Tape<Arithmetic>& tape, const RecurrenceInputs& inputs) {
    using Values = MatrixOf<typename Arithmetic::Scalar>;
    const Index n = inputs.steps;
    const auto spread = [&tape, n](Recorded x, Index at) {
        const Values& value = tape.value(x);
        Values wide = Values::Zero(value.rows() * n, value.cols());
        for (Index t = 0; t < value.rows(); ++t) {
            wide.row(t * n + at) = value.row(t);
        }
        return tape.record(std::move(wide), [&tape, x, n, at](const Values& G) {
            Values narrow(G.rows() / n, G.cols());
            for (Index t = 0; t < narrow.rows(); ++t) {
                narrow.row(t) = G.row(t * n + at);
            }
            tape.add_gradient(x, std::move(narrow));
        });
    };
    RecurrenceInputs wide = inputs;
    wide.steps = 1;
    wide.q = spread(inputs.q, n - 1);
    wide.g = inputs.g.exists() ? spread(inputs.g, 0) : inputs.g;
    return wide;
}

/// Every n-th row, the last one of each token.
template <class Arithmetic>
Recorded last_of_each(Tape<Arithmetic>& tape, Recorded x, Index n) {
    using Values = MatrixOf<typename Arithmetic::Scalar>;
    const Values& value = tape.value(x);
    Values kept(value.rows() / n, value.cols());
    for (Index t = 0; t < kept.rows(); ++t) {
        kept.row(t) = value.row(t * n + n - 1);
    }
    return tape.record(std::move(kept), [&tape, x, n](const Values& G) {
        Values wide = Values::Zero(G.rows() * n, G.cols());
        for (Index t = 0; t < G.rows(); ++t) {
            wide.row(t * n + n - 1) = G.row(t);
        }
        tape.add_gradient(x, std::move(wide));
    });
}

}  // namespace

template <class Arithmetic>
RecurrenceOutputs in_chunks(Tape<Arithmetic>& tape,
                            const RecurrenceInputs& inputs,
                            const ChunkedForm& form) {
    if (inputs.steps > 1) {
        RecurrenceOutputs wide = in_chunks(tape, stretched(tape, inputs), form);
        wide.o = last_of_each(tape, wide.o, inputs.steps);
        return wide;
    }
    const Index tokens = tape.value(inputs.q).rows();
    std::vector<Recorded> outputs;
    Recorded S = inputs.initial;
    for (Index first = 0, end = form.chunk - form.offset; first < tokens;
         first = end, end += form.chunk) {
        throw_if_interrupted("kernel check");
        Chunk<Arithmetic> here(tape, inputs, first, std::min(end, tokens) - first, form.fault);
        const Recorded scores = here.scores(here.k);
        const Recorded before = tape.product(here.from_start(here.q, here.logs), S);
        Recorded values = here.v;
        if (is_corrected(inputs.form)) {
            values = corrections(tape, here, S, inputs.form);
        }
        Recorded within = tape.product(scores, values);
        Recorded added = tape.transposed_product(here.to_end(here.k), values);
        if (inputs.form == StepForm::low_rank) {
            const Recorded y = low_rank_reads(tape, here, S);
            within = tape.add(within, tape.product(here.scores(here.b), y));
            added = tape.add(added, tape.transposed_product(here.to_end(here.b), y));
        }
        outputs.push_back(tape.scaled(tape.add(within, before), inputs.scale));
        S = tape.add(here.over_all(S), added);
    }
    return {tape.stacked(outputs), S};
}

template RecurrenceOutputs in_chunks(Tape<ExactArithmetic>& tape,
                                     const RecurrenceInputs& inputs,
                                     const ChunkedForm& form);
template RecurrenceOutputs in_chunks(Tape<RandomArithmetic>& tape,
                                     const RecurrenceInputs& inputs,
                                     const ChunkedForm& form);

}  // namespace attest
