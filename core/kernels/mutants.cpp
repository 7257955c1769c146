#include "core/kernels/mutants.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/kernels/kernel_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

namespace attest {

namespace {

using Changed = std::optional<KernelDump>;

constexpr std::array<Index, 5> kChunks{64, 128, 32, 256, 16};

std::vector<double> sequence_of(const std::vector<double>& array, Index batch, Index b) {
    const Index size = std::ssize(array) / batch;
    return {array.begin() + b * size, array.begin() + (b + 1) * size};
}

/// A fault of one head: the dumps that it can show in, and what it changes.
template <class Possible, class Change>
KernelMutant head_mutant(const char* name,
                         const char* sentence,
                         const Possible& possible,
                         const Change& change) {
    return {
        name, sentence, MutantReach::head, [possible, change](const KernelDump& dump) -> Changed {
            if (!possible(dump)) {
                return std::nullopt;
            }
            KernelDump changed = dump;
            change(changed);
            return changed;
        }};
}

/// Where a state stands in a dump; it can be transposed unnoticed if it is square.
KernelMutant transposed_mutant(const char* name,
                               const char* sentence,
                               std::vector<double> KernelDump::*state) {
    return head_mutant(
        name,
        sentence,
        [state](const KernelDump& dump) {
            return !(dump.*state).empty() && dump.key_dim == dump.value_dim;
        },
        [state](KernelDump& dump) { dump.*state = transposed_states(dump, dump.*state); });
}

void drop_last_token(KernelDump& dump) {
    for (std::vector<double>* rows :
         {&dump.q, &dump.k, &dump.v, &dump.o, &dump.gates, &dump.beta}) {
        rows->resize(rows->size() / static_cast<std::size_t>(dump.tokens) *
                     static_cast<std::size_t>(dump.tokens - 1));
    }
    --dump.tokens;
}

/// Sets every gate at the first token of each chunk but the first.
Changed with_gates_at_boundaries(const KernelDump& dump, Index chunk, double gate) {
    if (dump.tokens <= chunk) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    const Index width = changed.heads * changed.gate_width;
    for (Index token = chunk; token < dump.tokens; token += chunk) {
        std::fill_n(changed.gates.begin() + token * width, width, gate);
    }
    return changed;
}

Changed without_last_chunk(const KernelDump& dump, Index chunk) {
    // Queries of zero make outputs of zero, but with a normaliser 0/0.
    if (dump.tokens % chunk == 0 || dump.recurrence == Recurrence::normalised) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    const Index kept = dump.tokens / chunk * chunk * dump.heads * dump.key_dim;
    std::fill(changed.q.begin() + kept, changed.q.end(), 0.0);
    changed.final_state.clear();
    return changed;
}

}  // namespace

KernelDump one_sequence(const KernelDump& dump, Index b) {
    KernelDump one = dump;
    one.batch = 1;
    for (std::vector<double> KernelDump::*array : {&KernelDump::q,
                                                   &KernelDump::k,
                                                   &KernelDump::v,
                                                   &KernelDump::o,
                                                   &KernelDump::gates,
                                                   &KernelDump::beta,
                                                   &KernelDump::initial_state,
                                                   &KernelDump::final_state}) {
        one.*array = sequence_of(dump.*array, dump.batch, b);
    }
    return one;
}

std::vector<KernelMutant> scale_and_state_mutants() {
    const auto is_scaled = [](const KernelDump& dump) { return !bitwise_equal(dump.scale, 1.0); };
    return {head_mutant("scale_missing",
                        "the scale of the queries is missing",
                        is_scaled,
                        [](KernelDump& dump) { dump.scale = 1.0; }),
            head_mutant("scale_twice",
                        "the scale is applied twice",
                        is_scaled,
                        [](KernelDump& dump) { dump.scale *= dump.scale; }),
            head_mutant(
                "initial_state_ignored",
                "the initial state is ignored",
                [](const KernelDump& dump) { return !dump.initial_state.empty(); },
                [](KernelDump& dump) { dump.initial_state.clear(); }),
            transposed_mutant("initial_state_transposed",
                              "the initial state is read with keys and values exchanged",
                              &KernelDump::initial_state),
            transposed_mutant("final_state_transposed",
                              "the final state is written with keys and values exchanged",
                              &KernelDump::final_state),
            head_mutant(
                "final_state_early",
                "the final state is that before the last token",
                [](const KernelDump& dump) { return !dump.final_state.empty() && dump.tokens > 1; },
                drop_last_token)};
}

std::vector<KernelMutant> chunk_mutants() {
    std::vector<KernelMutant> mutants;
    for (const Index chunk : kChunks) {
        const std::string every = formatted("chunks of {} tokens", chunk);
        mutants.push_back({"chunk_boundary_state_dropped",
                           "the state is lost at the boundary between " + every,
                           MutantReach::head,
                           [chunk](const KernelDump& dump) {
                               return with_gates_at_boundaries(dump, chunk, 0.0);
                           }});
        mutants.push_back({"chunk_boundary_decay_missing",
                           "the first gate of a chunk is left out, with " + every,
                           MutantReach::head,
                           [chunk](const KernelDump& dump) {
                               return dump.gate_width == 0
                                          ? std::nullopt
                                          : with_gates_at_boundaries(dump, chunk, 1.0);
                           }});
        mutants.push_back(
            {"last_chunk_left_out",
             "the last, incomplete chunk is left out, with " + every,
             MutantReach::head,
             [chunk](const KernelDump& dump) { return without_last_chunk(dump, chunk); }});
    }
    return mutants;
}

std::vector<KernelMutant> kernel_mutants() {
    std::vector<KernelMutant> all;
    for (auto group : {scale_and_state_mutants,
                       delta_mutants,
                       normaliser_mutants,
                       gate_mutants,
                       chunk_mutants,
                       layout_mutants}) {
        std::vector<KernelMutant> mutants = group();
        std::move(mutants.begin(), mutants.end(), std::back_inserter(all));
    }
    return all;
}

namespace {

using ChangedRule = std::optional<KernelDump>;

/// A change that only dumps of a delta rule have.
template <class Change>
std::function<ChangedRule(const KernelDump&)> of_delta(Change change) {
    return [change](const KernelDump& dump) {
        return is_delta(dump.recurrence) ? change(dump) : ChangedRule();
    };
}

KernelDump without_beta(KernelDump dump) {
    std::fill(dump.beta.begin(), dump.beta.end(), 1.0);
    return dump;
}

/// S_t = S' − k kᵀS' + β k vᵀ.
KernelDump with_beta_on_values_alone(KernelDump dump) {
    dump.v = scaled_rows(std::move(dump.v), dump.beta);
    return without_beta(std::move(dump));
}

/// S_t = S' − β k kᵀS' + β² k vᵀ.
KernelDump with_beta_twice_on_values(KernelDump dump) {
    dump.v = scaled_rows(std::move(dump.v), dump.beta);
    return dump;
}

/// S_t = S' + β k vᵀ.
KernelDump without_correction(KernelDump dump) {
    dump.v = scaled_rows(std::move(dump.v), dump.beta);
    dump.beta.clear();
    dump.recurrence = Recurrence::linear;
    return dump;
}

/// r = β(v − S_{t−1}ᵀk) = (β/d)(d v − S'ᵀk); with a gate a row no change of the arrays gives it.
ChangedRule with_correction_before_decay(const KernelDump& dump) {
    if (dump.gate_width != 1) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    changed.v = scaled_rows(dump.v, changed.gates);
    for (std::size_t row = 0; row < changed.beta.size(); ++row) {
        if (is_zero(changed.gates[row])) {
            return std::nullopt;
        }
        changed.beta[row] /= changed.gates[row];
    }
    return changed;
}

/// Rows of length one.
std::vector<double> normalised_rows(std::vector<double> rows, Index width) {
    for (auto first = rows.begin(); first != rows.end(); first += width) {
        double squares = 0.0;
        std::for_each(first, first + width, [&](double x) { squares += x * x; });
        std::for_each(first, first + width, [&](double& x) {
            x = squares > 0.0 ? x / std::sqrt(squares) : x;
        });
    }
    return rows;
}

KernelDump with_unit_keys(KernelDump dump) {
    dump.k = normalised_rows(std::move(dump.k), dump.key_dim);
    return dump;
}

KernelDump with_unit_keys_and_queries(KernelDump dump) {
    dump.q = normalised_rows(std::move(dump.q), dump.key_dim);
    return with_unit_keys(std::move(dump));
}

}  // namespace

std::vector<KernelMutant> delta_mutants() {
    constexpr MutantReach kHead = MutantReach::head;
    return {{"beta_ignored", "beta is ignored", kHead, of_delta(without_beta)},
            {"beta_on_values_alone",
             "beta multiplies the values, not the correction by what the state holds",
             kHead,
             of_delta(with_beta_on_values_alone)},
            {"beta_twice_on_values",
             "beta multiplies the values twice",
             kHead,
             of_delta(with_beta_twice_on_values)},
            {"correction_missing",
             "the correction by what the state holds of the key is missing",
             kHead,
             of_delta(without_correction)},
            {"correction_before_decay",
             "the correction is read from the state before its decay",
             kHead,
             of_delta(with_correction_before_decay)},
            {"keys_normalised",
             "the kernel scales the keys to length one; record them as it uses them",
             kHead,
             with_unit_keys},
            {"keys_and_queries_normalised",
             "the kernel scales keys and queries to length one; record them as it uses them",
             kHead,
             with_unit_keys_and_queries}};
}

namespace {

using ChangedGates = std::optional<KernelDump>;
using GateFunction = double (*)(double);

/// Every gate, as a factor, changed by itself.
ChangedGates with_each_gate(const KernelDump& dump, GateFunction change) {
    if (dump.gate_width == 0) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    std::transform(changed.gates.begin(), changed.gates.end(), changed.gates.begin(), change);
    return changed;
}

/// Faults in what becomes of a logarithm.
ChangedGates with_each_logarithm(const KernelDump& dump, GateFunction factor) {
    if (dump.gate_width == 0 || dump.gate_form != GateEntry::logarithm) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.gate_form = GateEntry::factor;
    std::transform(changed.gates.begin(), changed.gates.end(), changed.gates.begin(), factor);
    return changed;
}

ChangedGates with_new_tokens_decayed(const KernelDump& dump) {
    if (dump.gate_width == 0 || is_delta(dump.recurrence)) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    const auto K = static_cast<std::size_t>(dump.key_dim);
    for (std::size_t at = 0; at < changed.k.size(); ++at) {
        changed.k[at] *= changed.gates[changed.gate_width == 1 ? at / K : at];
    }
    return changed;
}

ChangedGates with_gates_moved(const KernelDump& dump, Index by) {
    if (dump.gate_width == 0) {
        return std::nullopt;
    }
    KernelDump changed = with_factors(dump);
    changed.gates = moved_in_time(dump, changed.gates, by, 1.0);
    return changed;
}

/// Head h has the gates of head h + by, or of head H − 1 − h.
ChangedGates with_gates_of_head(const KernelDump& dump, Index (*head)(Index h, Index heads)) {
    if (dump.gate_width == 0 || dump.heads < 2) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    for (Index t = 0; t < dump.tokens; ++t) {
        for (Index h = 0; h < dump.heads; ++h) {
            const auto from = static_cast<Index>(dump.row(0, t, head(h, dump.heads)));
            std::copy_n(
                dump.gates.begin() + from * dump.gate_width,
                dump.gate_width,
                changed.gates.begin() + static_cast<Index>(dump.row(0, t, h)) * dump.gate_width);
        }
    }
    return changed;
}

/// Output t is made before token t enters: from S_{t−1}.
ChangedGates with_tokens_late(const KernelDump& dump) {
    KernelDump changed = with_factors(dump);
    changed.k = moved_in_time(dump, dump.k, 1, 0.0);
    changed.v = moved_in_time(dump, dump.v, 1, 0.0);
    changed.gates = moved_in_time(dump, changed.gates, 1, 1.0);
    if (!dump.beta.empty()) {
        changed.beta = moved_in_time(dump, dump.beta, 1, 0.0);
    }
    changed.final_state.clear();
    return changed;
}

/// The mask leaves out token t itself, whose gate still acts: o_t = d_t S_{t−1} q_t.
ChangedGates with_own_token_masked(const KernelDump& dump) {
    if (dump.gate_width == 0 || is_delta(dump.recurrence)) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.k = moved_in_time(dump, dump.k, 1, 0.0);
    changed.v = moved_in_time(dump, dump.v, 1, 0.0);
    changed = *with_new_tokens_decayed(changed);
    changed.final_state.clear();
    return changed;
}

/// Every token sees all of them: o_t = S_T q_t, without gates and corrections.
ChangedGates with_all_tokens_seen(const KernelDump& dump) {
    if (is_delta(dump.recurrence) || dump.recurrence == Recurrence::normalised ||
        dump.gate_width > 0) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.initial_state.resize(
        static_cast<std::size_t>(dump.heads * dump.key_dim * dump.value_dim));
    for (Index t = 0; t < dump.tokens; ++t) {
        for (Index h = 0; h < dump.heads; ++h) {
            const double* const k =
                dump.k.data() + static_cast<Index>(dump.row(0, t, h)) * dump.key_dim;
            const double* const v =
                dump.v.data() + static_cast<Index>(dump.row(0, t, h)) * dump.value_dim;
            double* const S = changed.initial_state.data() + dump.state(0, h);
            for (Index j = 0; j < dump.key_dim; ++j) {
                for (Index c = 0; c < dump.value_dim; ++c) {
                    S[j * dump.value_dim + c] += k[j] * v[c];
                }
            }
        }
    }
    std::fill(changed.k.begin(), changed.k.end(), 0.0);
    return changed;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<KernelMutant> gate_mutants() {
    const auto each = [](GateFunction change) {
        return [change](const KernelDump& dump) { return with_each_gate(dump, change); };
    };
    const auto logarithm = [](GateFunction factor) {
        return [factor](const KernelDump& dump) { return with_each_logarithm(dump, factor); };
    };
    const auto moved = [](Index by) {
        return [by](const KernelDump& dump) { return with_gates_moved(dump, by); };
    };
    const auto of_head = [](Index (*head)(Index, Index)) {
        return [head](const KernelDump& dump) { return with_gates_of_head(dump, head); };
    };
    constexpr MutantReach kHead = MutantReach::head;
    return {
        {"own_token_missing",
         "outputs are made before their own token enters the state",
         kHead,
         with_tokens_late},
        {"own_token_masked",
         "the mask leaves out each token's own key and value",
         kHead,
         with_own_token_masked},
        {"not_causal",
         "every token sees the whole sequence: the causal mask is missing",
         kHead,
         with_all_tokens_seen},
        {"gates_ignored", "the gates are ignored", kHead, each([](double) { return 1.0; })},
        {"new_token_decayed",
         "off-by-one decay: a token is decayed by its own gate as it enters",
         kHead,
         with_new_tokens_decayed},
        {"decay_late", "off-by-one decay: each gate acts one token late", kHead, moved(1)},
        {"decay_early", "off-by-one decay: each gate acts one token early", kHead, moved(-1)},
        {"gates_twice", "the gates are applied twice", kHead, each([](double gate) {
             return gate * gate;
         })},
        {"gates_base_two",
         "powers of 2 stand in place of powers of e",
         kHead,
         logarithm([](double g) { return std::exp2(g); })},
        {"gates_base_e",
         "powers of e are taken of what is scaled for powers of 2",
         kHead,
         logarithm([](double g) { return std::exp(g * std::numbers::log2e); })},
        {"gates_not_exponentiated",
         "the logarithms of the gates are taken for the gates",
         kHead,
         logarithm([](double g) { return g; })},
        {"gates_of_next_head",
         "each head has the gates of the next one",
         kHead,
         of_head([](Index h, Index heads) { return (h + 1) % heads; })},
        {"gates_of_previous_head",
         "each head has the gates of the one before",
         kHead,
         of_head([](Index h, Index heads) { return (h + heads - 1) % heads; })},
        {"gates_of_heads_reversed",
         "the heads have their gates in reverse order",
         kHead,
         of_head([](Index h, Index heads) { return heads - 1 - h; })},
        {"gates_of_first_head",
         "all heads have the gates of the first one",
         kHead,
         of_head([](Index, Index) { return Index{0}; })},
    };
}

namespace {

using ChangedOrder = std::optional<KernelDump>;

/// Where the order of heads and tokens makes no difference.
bool has_one_order(const KernelDump& dump) {
    return dump.heads == 1 || dump.tokens == 1;
}

ChangedOrder with_outputs_heads_first(const KernelDump& dump) {
    if (has_one_order(dump)) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.o = read_heads_first(dump, dump.o);
    return changed;
}

/// The kernel takes the memory of every array for (H,T,·), and writes its outputs so.
ChangedOrder with_all_heads_first(const KernelDump& dump) {
    if (has_one_order(dump)) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    for (std::vector<double>* rows :
         {&changed.q, &changed.k, &changed.v, &changed.o, &changed.gates, &changed.beta}) {
        *rows = read_heads_first(dump, *rows);
    }
    return changed;
}

ChangedOrder with_queries_and_keys_swapped(const KernelDump& dump) {
    KernelDump changed = dump;
    std::swap(changed.q, changed.k);
    return changed;
}

ChangedOrder with_keys_and_values_swapped(const KernelDump& dump) {
    if (dump.key_dim != dump.value_dim) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    std::swap(changed.k, changed.v);
    return changed;
}

ChangedOrder with_heads_reversed(const KernelDump& dump) {
    if (dump.heads < 2) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    const Index V = dump.value_dim;
    for (Index t = 0; t < dump.tokens; ++t) {
        for (Index h = 0; h < dump.heads; ++h) {
            std::copy_n(dump.o.begin() + static_cast<Index>(dump.row(0, t, dump.heads - 1 - h)) * V,
                        V,
                        changed.o.begin() + static_cast<Index>(dump.row(0, t, h)) * V);
        }
    }
    return changed;
}

}  // namespace

std::vector<KernelMutant> layout_mutants() {
    return {{"outputs_head_first",
             "layout swapped: the outputs are stored heads first",
             MutantReach::sequence,
             with_outputs_heads_first},
            {"arrays_head_first",
             "layout swapped: the kernel takes all arrays to be stored heads first",
             MutantReach::sequence,
             with_all_heads_first},
            {"keys_and_values_swapped",
             "keys and values are exchanged, or the state is read transposed",
             MutantReach::head,
             with_keys_and_values_swapped},
            {"queries_and_keys_swapped",
             "queries and keys are exchanged",
             MutantReach::head,
             with_queries_and_keys_swapped},
            {"heads_reversed",
             "the outputs of the heads are stored in reverse order",
             MutantReach::sequence,
             with_heads_reversed}};
}

namespace {

using ChangedSum = std::optional<KernelDump>;
using Divisor = double (*)(const KernelDump& dump, Index t, Index h);

double scaled_product(const KernelDump& dump, Index t, Index h) {
    const auto row = static_cast<Index>(dump.row(0, t, h)) * dump.key_dim;
    double sum = 0.0;
    for (Index j = 0; j < dump.key_dim; ++j) {
        sum +=
            dump.q[static_cast<std::size_t>(row + j)] * dump.k[static_cast<std::size_t>(row + j)];
    }
    return dump.scale * sum;
}

double over_heads(const KernelDump& dump, Index t, Index /*h*/) {
    double sum = dump.epsilon;
    for (Index h = 0; h < dump.heads; ++h) {
        sum += scaled_product(dump, t, h);
    }
    return sum;
}

double of_one_token(const KernelDump& dump, Index t, Index h) {
    return dump.epsilon + scaled_product(dump, t, h);
}

double by_tokens(const KernelDump& /*dump*/, Index t, Index /*h*/) {
    return static_cast<double>(t + 1);
}

double of_all_tokens(const KernelDump& dump, Index /*t*/, Index /*h*/) {
    return static_cast<double>(dump.tokens);
}

std::function<ChangedSum(const KernelDump&)> divided_by(Divisor divisor) {
    return [divisor](const KernelDump& dump) {
        if (dump.recurrence != Recurrence::normalised) {
            return ChangedSum();
        }
        KernelDump changed = dump;
        changed.denominators.resize(static_cast<std::size_t>(dump.tokens * dump.heads));
        for (Index t = 0; t < dump.tokens; ++t) {
            for (Index h = 0; h < dump.heads; ++h) {
                changed.denominators[dump.row(0, t, h)] = divisor(dump, t, h);
            }
        }
        return ChangedSum(std::move(changed));
    };
}

ChangedSum without_normaliser(const KernelDump& dump) {
    if (dump.recurrence != Recurrence::normalised) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.recurrence = Recurrence::linear;
    return changed;
}

ChangedSum without_normaliser_and_scale(const KernelDump& dump) {
    ChangedSum changed = without_normaliser(dump);
    if (changed) {
        changed->scale = 1.0;
    }
    return changed;
}

/// What a kernel that divides is, where none was expected.
ChangedSum with_normaliser(const KernelDump& dump) {
    if (is_delta(dump.recurrence) || dump.recurrence == Recurrence::normalised ||
        !dump.initial_state.empty()) {
        return std::nullopt;
    }
    KernelDump changed = dump;
    changed.recurrence = Recurrence::normalised;
    changed.final_state.clear();
    return changed;
}

}  // namespace

std::vector<KernelMutant> normaliser_mutants() {
    constexpr MutantReach kHead = MutantReach::head;
    return {{"normaliser_missing", "the normaliser is missing", kHead, without_normaliser},
            {"normaliser_and_scale_missing",
             "the normaliser and the scale are missing",
             kHead,
             without_normaliser_and_scale},
            {"normaliser_over_heads",
             "the normaliser is summed over the heads instead of the tokens",
             kHead,
             divided_by(over_heads)},
            {"normaliser_of_one_token",
             "the normaliser is that of the last token alone, not summed",
             kHead,
             divided_by(of_one_token)},
            {"normaliser_by_position",
             "outputs are divided by the number of tokens so far",
             kHead,
             divided_by(by_tokens)},
            {"normaliser_by_length",
             "outputs are divided by the length of the sequence",
             kHead,
             divided_by(of_all_tokens)},
            {"normaliser_added",
             "outputs are divided by q times the sum of the keys: check it as --kind normalised",
             kHead,
             with_normaliser}};
}

}  // namespace attest
