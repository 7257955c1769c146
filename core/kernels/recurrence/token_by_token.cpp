#include "core/base/interrupt.hpp"
#include "core/kernels/recurrence/recurrence.hpp"

#include <algorithm>
#include <memory>
#include <numbers>

namespace attest {

namespace {

constexpr Index kTokensBetweenStates = 64;

/// One head's recurrence: rows of the inputs as columns, so that a token's numbers are contiguous.
template <class Arithmetic>
class TokenByToken {
public:
    using Scalar = typename Arithmetic::Scalar;
    using Values = MatrixOf<Scalar>;

    TokenByToken(Tape<Arithmetic>& tape, const RecurrenceInputs& inputs, PlantedFault fault)
        : tape_(tape),
          arithmetic_(tape.arithmetic()),
          inputs_(inputs),
          fault_(fault),
          scale_(static_cast<Scalar>(inputs.scale)),
          q_(columns(inputs.q)),
          k_(columns(inputs.k)),
          v_(columns(inputs.v)),
          a_(columns(inputs.a)),
          b_(columns(inputs.b)),
          beta_(columns(inputs.beta)),
          g_(columns(inputs.g)),
          tokens_(q_.cols()) {}

    /// o as columns, and the final state; notes states and positions on the way.
    std::pair<Values, Values> forward() {
        Values S = tape_.value(inputs_.initial);
        Values o(v_.rows(), tokens_);
        for (Index t = 0; t < tokens_; ++t) {
            if (t % kTokensBetweenStates == 0) {
                throw_if_interrupted("kernel check");
                marks_.push_back(S);
            }
            positions_.push_back(arithmetic_.position());
            advance(S, t, nullptr);
            o.col(t) = arithmetic_.rounded(scale_ * arithmetic_.read(S, q_.col(t)));
        }
        return {o, S};
    }

    void backward(const Values& d_outputs, const Values& d_final) {
        const Values d_o = d_outputs.transpose();
        const auto zeros = [](const Values& like) {
            return Values::Zero(like.rows(), like.cols());
        };
        Values dq = zeros(q_);
        dk_ = zeros(k_);
        dv_ = zeros(v_);
        da_ = zeros(a_);
        db_ = zeros(b_);
        dbeta_ = zeros(beta_);
        dg_ = zeros(g_);
        Values G = d_final;
        if (is(BackwardFault::dfinal_state_ignored)) {
            G.setZero();
        }
        for (Index mark = std::ssize(marks_) - 1; mark >= 0; --mark) {
            throw_if_interrupted("kernel check");
            const Index first = mark * kTokensBetweenStates;
            const Index last = std::min(first + kTokensBetweenStates, tokens_);
            Values S = marks_[static_cast<std::size_t>(mark)];
            again(S, first, last);
            for (Index t = last - 1; t >= first; --t) {
                const TokenStates& token = states_[static_cast<std::size_t>(t - first)];
                const Values& after =
                    t + 1 < last ? states_[static_cast<std::size_t>(t + 1 - first)].before : S;
                if (is(BackwardFault::state_gradient_lost_at_chunks) && t + 1 < tokens_ &&
                    (t + 1 + fault_.offset) % fault_.chunk == 0) {
                    G.setZero();
                }
                read_back(G,
                          dq,
                          d_o,
                          is(BackwardFault::dq_before_own_token) ? token.steps.back().S : after,
                          t);
                steps_back(G, token, t);
                decay_back(G, token, t);
            }
        }
        spoil_gates(d_final, G);
        hand_over(inputs_.q, dq);
        hand_over(inputs_.k, dk_);
        hand_over(inputs_.v, dv_);
        hand_over(inputs_.a, da_);
        hand_over(inputs_.b, db_);
        hand_over(inputs_.beta, dbeta_);
        hand_over(inputs_.g, dg_);
        tape_.add_gradient(inputs_.initial, G);
    }

    void keep_final(Values S) { final_ = std::move(S); }

private:
    /// Of one micro-step: the state that it found, and what it read from it.
    struct Step {
        Values S;
        Values held = {};      ///< Sᵀa
        Values residual = {};  ///< v − Sᵀa
        Values added = {};     ///< r
    };

    struct TokenStates {
        Values before = {};   ///< S_{t−1}
        Values factors = {};  ///< d
        std::vector<Step> steps = {};
    };

    [[nodiscard]] Values columns(Recorded x) const {
        return x.exists() ? Values(tape_.value(x).transpose()) : Values();
    }

    [[nodiscard]] bool is(BackwardFault fault) const { return fault_.fault == fault; }

    /// Tokens before the last chunk, where that is not whole.
    [[nodiscard]] Index whole() const {
        const Index tokens = tokens_ + fault_.offset;
        return std::max<Index>(0, tokens / fault_.chunk * fault_.chunk - fault_.offset);
    }

    [[nodiscard]] bool gated() const { return g_.size() > 0; }

    /// Takes the state over token t; notes what the pass back needs where there is a place for it.
    void advance(Values& S, Index t, TokenStates* kept) {
        const Values held =
            reads_before_decay(inputs_.form) ? arithmetic_.read(S, a_.col(t)) : Values();
        if (kept != nullptr) {
            kept->before = S;
            kept->steps.resize(static_cast<std::size_t>(inputs_.steps));
        }
        if (gated()) {
            const Values factors = arithmetic_.exp(g_.col(t));
            arithmetic_.decay(S, factors);
            if (kept != nullptr) {
                kept->factors = factors;
            }
        }
        Step passed;
        for (Index i = 0; i < inputs_.steps; ++i) {
            Step& step = kept != nullptr ? kept->steps[static_cast<std::size_t>(i)] : passed;
            if (kept != nullptr) {
                step.S = S;
            }
            take_step(S, t * inputs_.steps + i, step, held);
        }
    }

    /// Micro-step i; `held` is what was read of the state before its decay, where that is read.
    void take_step(Values& S, Index i, Step& step, const Values& held) {
        if (is_corrected(inputs_.form)) {
            step.held = reads_before_decay(inputs_.form) ? held : arithmetic_.read(S, a_.col(i));
            step.residual = arithmetic_.rounded(v_.col(i) - step.held);
            step.added =
                beta_.size() > 0 ? arithmetic_.rounded(beta_(0, i) * step.residual) : step.residual;
            arithmetic_.add_outer(S, k_.col(i), step.added);
            return;
        }
        if (inputs_.form == StepForm::low_rank) {
            step.held = held;
            arithmetic_.add_outer(S, b_.col(i), held);
        }
        arithmetic_.add_outer(S, k_.col(i), v_.col(i));
    }

    /// Notes tokens from a mark on in states_, rounded as the first time; S goes with them. The
    /// matrices of the tokens noted before are written over: to allocate them takes longer.
    void again(Values& S, Index first, Index last) {
        const std::uint64_t back_at = arithmetic_.position();
        states_.resize(static_cast<std::size_t>(std::min(kTokensBetweenStates, tokens_)));
        for (Index t = first; t < last; ++t) {
            arithmetic_.seek(positions_[static_cast<std::size_t>(t)]);
            advance(S, t, &states_[static_cast<std::size_t>(t - first)]);
        }
        arithmetic_.seek(back_at);
    }

    /// Of o_t = scale·Sᵀq, S being `read`.
    void read_back(Values& G, Values& dq, const Values& d_o, const Values& read, Index t) {
        const Scalar of_query = is(BackwardFault::scale_missing_in_dq) ? Scalar(1) : scale_;
        dq.col(t) = arithmetic_.rounded(of_query * arithmetic_.apply(read, d_o.col(t)));
        if (is(BackwardFault::last_chunk_ignored) && t >= whole()) {
            return;
        }
        const Scalar of_state =
            is(BackwardFault::scale_missing_in_state_gradient) ? Scalar(1) : scale_;
        arithmetic_.add_outer(G, q_.col(t), arithmetic_.rounded(of_state * d_o.col(t)));
    }

    void steps_back(Values& G, const TokenStates& token, Index t) {
        for (Index i = (t + 1) * inputs_.steps - 1; i >= t * inputs_.steps; --i) {
            const Step& step = token.steps[static_cast<std::size_t>(i - t * inputs_.steps)];
            const Values u = arithmetic_.read(G, k_.col(i));
            if (is_corrected(inputs_.form)) {
                correction_back(G, step, u, i);
                continue;
            }
            dk_.col(i) = arithmetic_.apply(G, v_.col(i));
            dv_.col(i) = u;
        }
    }

    void correction_back(Values& G, const Step& step, const Values& u, Index i) {
        const bool has_beta = beta_.size() > 0;
        const Scalar beta = has_beta ? beta_(0, i) : Scalar(1);
        const Values beta_u = has_beta ? arithmetic_.rounded(beta * u) : u;
        if (has_beta) {
            const Values& beside =
                is(BackwardFault::dbeta_without_correction) ? Values(v_.col(i)) : step.residual;
            dbeta_.col(i) = arithmetic_.row_products(beside.transpose(), u.transpose());
        }
        dv_.col(i) = is(BackwardFault::dv_without_beta) ? u : beta_u;
        if (!is(BackwardFault::dk_write_missing)) {
            dk_.col(i) = arithmetic_.apply(G, step.added);
        }
        const Scalar sign = is(BackwardFault::dk_read_missing) ? Scalar(0)
                            : is(BackwardFault::dk_read_sign)  ? Scalar(1)
                                                               : Scalar(-1);
        if (reads_before_decay(inputs_.form)) {
            read_gradient_ = -beta_u;
            da_sign_ = -sign;
            return;
        }
        da_.col(i) = sign * arithmetic_.apply(step.S, beta_u);
        if (!is(BackwardFault::correction_not_differentiated)) {
            arithmetic_.add_outer(G, a_.col(i), -beta_u);
        }
    }

    /// Of S' = diag(d) S, and of what was read of S.
    void decay_back(Values& G, const TokenStates& token, Index t) {
        if (inputs_.form == StepForm::low_rank) {
            read_gradient_ = arithmetic_.read(G, b_.col(t));
            db_.col(t) = arithmetic_.apply(G, token.steps.front().held);
        }
        if (reads_before_decay(inputs_.form)) {
            da_.col(t) = da_sign_ * arithmetic_.apply(token.before, read_gradient_);
        }
        if (gated()) {
            const Values rows = arithmetic_.row_products(G, token.steps.front().S);
            dg_.col(t) = g_.rows() > 1 ? rows : arithmetic_.rounded(rows.colwise().sum());
            if (is(BackwardFault::dg_of_factor)) {
                dg_.col(t) = dg_.col(t).cwiseQuotient(token.factors);
            }
            const bool is_first = t == 0;
            if (!is(BackwardFault::gate_missing_in_state_gradient) &&
                !(is_first && is(BackwardFault::dinitial_state_before_first_gate))) {
                arithmetic_.decay(G, token.factors);
            }
        }
        if (reads_before_decay(inputs_.form) && !is(BackwardFault::correction_not_differentiated)) {
            arithmetic_.add_outer(G, a_.col(t), read_gradient_);
        }
    }

    /// The mistakes that are made behind the tokens: in sums over them, and in what is handed over.
    void spoil_gates(const Values& d_final, Values& G) {
        if (is(BackwardFault::dinitial_state_zero)) {
            G.setZero();
        }
        if (!gated()) {
            return;
        }
        const Values before = dg_;
        const Index kept = tokens_ - 1;
        Values state_term = final_.cwiseProduct(d_final).rowwise().sum();
        if (g_.rows() == 1) {
            state_term = Values(state_term.colwise().sum());
        }
        switch (fault_.fault) {
            case BackwardFault::dg_base_two:
                dg_ *= static_cast<Scalar>(std::numbers::ln2_v<long double>);
                break;
            case BackwardFault::dg_late:
                dg_.setZero();
                dg_.rightCols(kept) = before.leftCols(kept);
                break;
            case BackwardFault::dg_early:
                dg_.setZero();
                dg_.leftCols(kept) = before.rightCols(kept);
                break;
            case BackwardFault::dg_not_cumulated_across_chunks:
                for (Index t = 0; t < tokens_; ++t) {
                    const Index next =
                        ((t + fault_.offset) / fault_.chunk + 1) * fault_.chunk - fault_.offset;
                    if (next < tokens_) {
                        dg_.col(t) -= before.col(next);
                    }
                }
                break;
            case BackwardFault::dg_state_term_lost:
                dg_.colwise() -= state_term.col(0);
                break;
            case BackwardFault::dg_state_term_lost_in_last_chunk:
                dg_.rightCols(tokens_ - whole()).colwise() -= state_term.col(0);
                break;
            default:
                break;
        }
    }

    void hand_over(Recorded x, const Values& gradient) {
        if (x.exists()) {
            tape_.add_gradient(x, gradient.transpose());
        }
    }

    Tape<Arithmetic>& tape_;
    Arithmetic& arithmetic_;
    RecurrenceInputs inputs_;
    PlantedFault fault_;
    Scalar scale_;
    Values q_, k_, v_, a_, b_, beta_, g_;
    Values dk_, dv_, da_, db_, dbeta_, dg_;
    Values read_gradient_;        ///< of Sᵀa, where that is of the state before its decay
    Scalar da_sign_ = Scalar(1);  ///< −1, 0: a fault
    Values final_;
    Index tokens_;
    std::vector<TokenStates> states_;       ///< of the tokens behind a mark
    std::vector<Values> marks_;             ///< S before every 64th token
    std::vector<std::uint64_t> positions_;  ///< of the roundings at each token
};

}  // namespace

template <class Arithmetic>
RecurrenceOutputs token_by_token(Tape<Arithmetic>& tape,
                                 const RecurrenceInputs& inputs,
                                 PlantedFault fault) {
    using Values = MatrixOf<typename Arithmetic::Scalar>;
    const auto head = std::make_shared<TokenByToken<Arithmetic>>(tape, inputs, fault);
    auto [o, S] = head->forward();
    head->keep_final(S);
    // The final state is recorded last, so that its gradient is known when that of o comes.
    const auto d_final = std::make_shared<Values>(Values::Zero(S.rows(), S.cols()));
    const Recorded outputs = tape.record(
        o.transpose(), [head, d_final](const Values& G) { head->backward(G, *d_final); });
    const Values none = Values::Zero(o.cols(), o.rows());
    const Recorded state =
        tape.record(std::move(S), [&tape, d_final, outputs, none](const Values& G) {
            *d_final += G;
            tape.add_gradient(outputs, none);
        });
    return {outputs, state};
}

template RecurrenceOutputs token_by_token(Tape<ExactArithmetic>& tape,
                                          const RecurrenceInputs& inputs,
                                          PlantedFault fault);
template RecurrenceOutputs token_by_token(Tape<RandomArithmetic>& tape,
                                          const RecurrenceInputs& inputs,
                                          PlantedFault fault);

}  // namespace attest
