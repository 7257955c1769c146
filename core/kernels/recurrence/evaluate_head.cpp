#include "core/kernels/recurrence/evaluate_head.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

bool has_gradients(const KernelCall& call) {
    const auto& rows = arrays_of(call.recurrence);
    return std::any_of(rows.begin(), rows.end(), [&](const ArrayRow& row) {
        return call.contains("d" + std::string(row.name));
    });
}

namespace {

/// One head's arrays on a tape, and what becomes of them.
template <class Arithmetic>
class HeadOnTape {
public:
    using Scalar = typename Arithmetic::Scalar;
    using Values = MatrixOf<Scalar>;

    HeadOnTape(const KernelCall& call, Index sequence, Index head, Arithmetic& arithmetic)
        : call_(call), sequence_(sequence), head_(head), tape_(arithmetic) {
        for (const ArrayRow& row : arrays_of(call.recurrence)) {
            const std::string name(row.name);
            if (call.contains(name)) {
                leaves_[name] = tape_.record(given(name));
            }
        }
        if (call.recurrence != Recurrence::normalised && !exists("initial_state")) {
            leaves_["initial_state"] = tape_.record(Values::Zero(call.key_dim, call.value_dim));
        }
    }

    HeadResults<Scalar> evaluate(const HeadEvaluation& evaluation) {
        inputs_.scale = call_.scale;
        inputs_.steps = call_.steps;
        inputs_.initial = leaf("initial_state");
        left_out_ = evaluation.not_differentiated;
        map_arrays();
        const RecurrenceOutputs outputs = evaluation.chunked
                                              ? in_chunks(tape_, inputs_, *evaluation.chunked)
                                              : token_by_token(tape_, inputs_, evaluation.fault);
        const std::map<std::string, Recorded> results = finish(outputs);
        HeadResults<Scalar> found;
        for (const auto& [name, at] : results) {
            found[name] = tape_.value(at);
        }
        if (has_gradients(call_)) {
            for (const auto& [name, at] : results) {
                const Values& value = tape_.value(at);
                tape_.add_gradient(at,
                                   call_.contains("d" + name)
                                       ? given("d" + name)
                                       : Values::Zero(value.rows(), value.cols()));
            }
            tape_.backward();
            for (const auto& [name, at] : leaves_) {
                found["d" + name] = tape_.gradient(at);
            }
        }
        return found;
    }

private:
    [[nodiscard]] Values given(const std::string& name) const {
        const CallArray& array = call_.arrays.at(name);
        return head_rows(call_, array, sequence_, head_of(call_, array, head_))
            .template cast<Scalar>();
    }

    [[nodiscard]] bool exists(const std::string& name) const { return leaves_.contains(name); }

    [[nodiscard]] Recorded leaf(const std::string& name) const {
        const auto found = leaves_.find(name);
        return found == leaves_.end() ? Recorded{} : found->second;
    }

    /// The result of a step, or what stands for it where the step is not differentiated.
    [[nodiscard]] Recorded differentiated(ChainStep step, Recorded result, Recorded source) {
        if (step != left_out_) {
            return result;
        }
        return tape_.record(tape_.value(result),
                            [this, source](const Values& G) { tape_.add_gradient(source, G); });
    }

    [[nodiscard]] Recorded unit_rows(Recorded x) {
        return differentiated(ChainStep::unit_rows, tape_.unit_rows(x, call_.flags.l2norm_eps), x);
    }

    [[nodiscard]] Recorded normaliser(Recorded D) {
        return left_out_ == ChainStep::normaliser ? tape_.record(tape_.value(D)) : D;
    }

    [[nodiscard]] Index tokens() const { return call_.length(sequence_); }

    void map_arrays() {
        const CallFlags& flags = call_.flags;
        inputs_.q = leaf("q");
        inputs_.k = leaf("k");
        inputs_.v = leaf("v");
        inputs_.g = log_gates();
        Recorded p = leaf("p");
        if (flags.use_qk_l2norm_in_kernel) {
            inputs_.q = unit_rows(inputs_.q);
            inputs_.k = unit_rows(inputs_.k);
            p = p.exists() ? unit_rows(p) : p;
        }
        inputs_.beta = leaf("beta");
        if (flags.use_beta_sigmoid_in_kernel) {
            inputs_.beta =
                differentiated(ChainStep::beta_sigmoid, tape_.sigmoid(inputs_.beta), inputs_.beta);
        }
        if (flags.allow_neg_eigval) {
            inputs_.beta = differentiated(
                ChainStep::beta_doubled, tape_.scaled(inputs_.beta, 2.0), inputs_.beta);
        }
        map_step(p);
    }

    /// What a step of the recurrence multiplies with; p are the keys that `comba` corrects by.
    void map_step(Recorded p) {
        switch (call_.recurrence) {
            case Recurrence::linear:
            case Recurrence::retention:
            case Recurrence::simple_gla:
            case Recurrence::gla:
                break;
            case Recurrence::normalised:
                map_normalised();
                break;
            case Recurrence::delta:
            case Recurrence::gated_delta:
            case Recurrence::kda:
            case Recurrence::gated_delta_product:
                inputs_.form = StepForm::corrected;
                inputs_.a = inputs_.k;
                break;
            case Recurrence::comba:
                inputs_.form = StepForm::corrected_before_decay;
                inputs_.a = p;
                break;
            case Recurrence::gdn2:
                inputs_.form = StepForm::corrected;
                inputs_.a = tape_.times(leaf("b"), inputs_.k);
                inputs_.v = tape_.times(leaf("w"), inputs_.v);
                break;
            case Recurrence::rwkv7:
                inputs_.q = leaf("r");
                inputs_.g = leaf("w");
                [[fallthrough]];
            case Recurrence::dplr:
                inputs_.form = StepForm::low_rank;
                inputs_.a = leaf("a");
                inputs_.b = leaf("b");
                break;
            case Recurrence::hgrn2:
                inputs_.k = tape_.plus(tape_.scaled(tape_.exp(inputs_.g), -1.0), 1.0);
                break;
            case Recurrence::ssd:
                map_ssd();
                break;
            case Recurrence::mlstm:
                map_mlstm();
                break;
        }
    }

    /// Natural logarithms of the gates, from factors or raw numbers where those were given.
    Recorded log_gates() {
        const CallFlags& flags = call_.flags;
        if (exists("gates")) {
            return tape_.log(leaf("gates"));
        }
        if (exists("decay") || exists("g_gamma")) {
            const Recorded one = exists("decay") ? tape_.log(leaf("decay")) : leaf("g_gamma");
            return tape_.times(tape_.record(Values::Ones(tokens(), 1)), one);
        }
        const Recorded g = leaf("g");
        if (!flags.use_gate_in_kernel && !flags.lower_bound) {
            return g;
        }
        return differentiated(ChainStep::gate, made_gates(g), g);
    }

    Recorded made_gates(Recorded g) {
        const CallFlags& flags = call_.flags;
        g = exists("dt_bias") ? tape_.add(g, leaf("dt_bias")) : g;
        if (flags.lower_bound) {
            g = exists("A_log") ? tape_.times(g, tape_.exp(leaf("A_log"))) : g;
            return tape_.scaled(tape_.sigmoid(g), *flags.lower_bound);
        }
        g = tape_.scaled(tape_.softplus(g), -1.0);
        return exists("A_log") ? tape_.times(g, tape_.exp(leaf("A_log"))) : g;
    }

    [[nodiscard]] Recorded with_ones(Recorded v) {
        return tape_.beside(v, tape_.record(Values::Ones(tokens(), 1)));
    }

    void map_normalised() {
        inputs_.v = with_ones(inputs_.v);
        inputs_.initial = tape_.record(Values::Zero(call_.key_dim, call_.value_dim + 1));
    }

    /// δ of Mamba-2: the steps after bias, softplus and limits.
    void map_ssd() {
        const CallFlags& flags = call_.flags;
        Recorded delta = leaf("dt");
        delta = exists("dt_bias") ? tape_.add(delta, leaf("dt_bias")) : delta;
        if (flags.dt_softplus) {
            delta = differentiated(ChainStep::dt_softplus, tape_.softplus(delta), delta);
        }
        if (flags.dt_limit) {
            delta = tape_.clamped(delta, (*flags.dt_limit)[0], (*flags.dt_limit)[1]);
        }
        inputs_.q = leaf("C");
        inputs_.k = tape_.times(leaf("B"), delta);
        inputs_.v = leaf("x");
        inputs_.g = tape_.times(delta, leaf("A"));
    }

    /// v and a column of ones for n; k times its input gate; the forget gate's logarithm.
    void map_mlstm() {
        inputs_.k = tape_.times(inputs_.k, tape_.exp(leaf("i")));
        inputs_.g = tape_.scaled(tape_.softplus(tape_.scaled(leaf("f"), -1.0)), -1.0);
        inputs_.v = with_ones(inputs_.v);
        if (!exists("initial_n")) {
            leaves_["initial_n"] = tape_.record(Values::Zero(call_.key_dim, 1));
        }
        inputs_.initial = tape_.beside(leaf("initial_state"), leaf("initial_n"));
    }

    /// m_T of m_t = max(log f_t + m_{t−1}, i_t), for ε e^m.
    [[nodiscard]] Values stabilisers() const {
        const Values& log_f = tape_.value(inputs_.g);
        const Values& i = tape_.value(leaf("i"));
        Values m(log_f.rows(), 1);
        Scalar before = 0;
        for (Index t = 0; t < m.rows(); ++t) {
            before = std::max(log_f(t, 0) + before, i(t, 0));
            m(t, 0) = std::exp(before);
        }
        return m;
    }

    std::map<std::string, Recorded> finish(const RecurrenceOutputs& outputs) {
        const Index V = call_.value_dim;
        std::map<std::string, Recorded> results{{"o", outputs.o}};
        if (call_.recurrence == Recurrence::normalised) {
            const Recorded N = tape_.columns(outputs.o, 0, V);
            const Recorded D = tape_.plus(tape_.columns(outputs.o, V, 1), call_.epsilon);
            results["o"] = tape_.divided(N, normaliser(D));
            return results;
        }
        results["final_state"] = outputs.final_state;
        if (call_.recurrence == Recurrence::mlstm) {
            const Recorded N = tape_.columns(outputs.o, 0, V);
            Recorded D = tape_.size_from(tape_.columns(outputs.o, V, 1), 1.0);
            if (call_.epsilon > 0.0) {
                D = tape_.add(D, tape_.record(static_cast<Scalar>(call_.epsilon) * stabilisers()));
            }
            results["o"] = tape_.divided(N, normaliser(D));
            results["final_state"] = tape_.columns(outputs.final_state, 0, V);
            results["final_n"] = tape_.columns(outputs.final_state, V, 1);
        }
        if (call_.recurrence == Recurrence::ssd) {
            if (exists("D")) {
                results["o"] = tape_.add(results["o"], tape_.times(leaf("x"), leaf("D")));
            }
            if (exists("z")) {
                const Recorded gate = tape_.times(leaf("z"), tape_.sigmoid(leaf("z")));
                results["o"] = tape_.times(results["o"], gate);
            }
        }
        return results;
    }

    const KernelCall& call_;
    Index sequence_;
    Index head_;
    Tape<Arithmetic> tape_;
    std::map<std::string, Recorded> leaves_;
    RecurrenceInputs inputs_;
    ChainStep left_out_ = ChainStep::none;
};

}  // namespace

template <class Arithmetic>
HeadResults<typename Arithmetic::Scalar> evaluate_head(const KernelCall& call,
                                                       Index sequence,
                                                       Index head,
                                                       Arithmetic& arithmetic,
                                                       const HeadEvaluation& evaluation) {
    return HeadOnTape<Arithmetic>(call, sequence, head, arithmetic).evaluate(evaluation);
}

template HeadResults<long double> evaluate_head(const KernelCall& call,
                                                Index sequence,
                                                Index head,
                                                ExactArithmetic& arithmetic,
                                                const HeadEvaluation& evaluation);
template HeadResults<double> evaluate_head(const KernelCall& call,
                                           Index sequence,
                                           Index head,
                                           RandomArithmetic& arithmetic,
                                           const HeadEvaluation& evaluation);

}  // namespace attest
