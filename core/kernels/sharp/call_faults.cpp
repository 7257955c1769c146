#include "core/kernels/sharp/call_faults.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/kernels/sharp/gradient_faults.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace attest {

namespace {

using Results = CallResults<long double>;

constexpr Index kColumnsOfABlock = 64;

Results results_of(const KernelCall& call, const HeadGroup& group, HeadEvaluation evaluation = {}) {
    return evaluate_group(
        call, group, [](Index) { return ExactArithmetic(); }, evaluation);
}

/// The entries of a sequence in an array that has them.
struct Range {
    Index first;
    Index count;
};

Range range_of(const KernelCall& call, const CallArray& array, Index sequence) {
    const Index row = array.heads * array.width;
    if (array.extent == ArrayExtent::head) {
        return {0, std::ssize(array.values)};
    }
    if (array.extent == ArrayExtent::state) {
        return {sequence * row, row};
    }
    const Index each = array.extent == ArrayExtent::step ? call.steps : 1;
    return {call.starts[static_cast<std::size_t>(sequence)] * each * row,
            call.length(sequence) * each * row};
}

/// The call of one sequence alone.
KernelCall only_sequence(const KernelCall& call, Index sequence) {
    KernelCall one = call;
    one.batch = 1;
    one.starts = {0, call.length(sequence)};
    for (auto& [name, array] : one.arrays) {
        const Range range = range_of(call, array, sequence);
        const auto from = call.arrays.at(name).values.begin() + range.first;
        array.values.assign(from, from + range.count);
    }
    return one;
}

/// Results of sequence 0 as those of another.
Results renamed(const Results& results, Index sequence) {
    Results named;
    for (const auto& [name, values] : results) {
        ResultName other = name;
        other.sequence = name.sequence == ResultName::kAllSequences ? name.sequence : sequence;
        named.emplace(other, values);
    }
    return named;
}

bool is_state(const std::string& array) {
    return array.rfind("final_", 0) == 0 || array.rfind("dinitial_", 0) == 0;
}

/// The call of one sequence in pieces: states go into the first and come out of the last.
KernelCall in_pieces(const KernelCall& one, std::vector<Index> starts) {
    KernelCall cut = one;
    cut.starts = std::move(starts);
    for (auto& [name, array] : cut.arrays) {
        if (array.extent != ArrayExtent::state) {
            continue;
        }
        const std::vector<double> given = array.values;
        array.values.assign(given.size() * static_cast<std::size_t>(cut.sequences()), 0.0);
        const bool behind = name.rfind("dfinal_", 0) == 0;
        const Index at = behind ? cut.sequences() - 1 : 0;
        std::copy(given.begin(), given.end(), array.values.begin() + at * std::ssize(given));
    }
    return cut;
}

/// What a sequence gives whose state begins anew at each of these tokens.
Results with_state_lost(const KernelCall& one, const HeadGroup& group, std::vector<Index> starts) {
    const KernelCall cut = in_pieces(one, std::move(starts));
    Results joined;
    for (Index piece = 0; piece < cut.sequences(); ++piece) {
        const bool first = piece == 0;
        const bool last = piece == cut.sequences() - 1;
        for (const auto& [name, values] : results_of(cut, {piece, group.first, group.count})) {
            ResultName whole = name;
            whole.sequence = name.sequence == ResultName::kAllSequences ? name.sequence : 0;
            const bool behind = name.array.rfind("final_", 0) == 0;
            if (is_state(name.array) && !(behind ? last : first)) {
                continue;
            }
            MatrixOf<long double>& sum = joined[whole];
            if (is_state(name.array) || sum.size() == 0) {
                sum = values;
            } else if (name.sequence == ResultName::kAllSequences) {
                sum += values;
            } else {
                sum.conservativeResize(sum.rows() + values.rows(), Eigen::NoChange);
                sum.bottomRows(values.rows()) = values;
            }
        }
    }
    return joined;
}

/// First tokens of chunks, and the end.
std::vector<Index> chunk_starts(const KernelCall& call, Index sequence, Index chunk) {
    const Index offset = chunk_offset(call, sequence, chunk);
    std::vector<Index> starts{0};
    for (Index t = chunk - offset; t < call.length(sequence); t += chunk) {
        starts.push_back(t);
    }
    starts.push_back(call.length(sequence));
    return starts;
}

/// A change of the call of one sequence; none where it changes nothing.
using Change = std::function<bool(KernelCall& one)>;

/// The faults of a table, as they come.
class FaultList {
public:
    FaultList(const KernelCall& call, const HeadGroup& group) : call_(call), group_(group) {}

    /// A kernel that is right for other arguments.
    void changed(FaultPass pass,
                 const std::string& name,
                 const std::string& sentence,
                 const Change& change) {
        KernelCall one = only_sequence(call_, group_.sequence);
        if (!change(one)) {
            return;
        }
        add(pass, name, sentence, [change](const KernelCall& call, const HeadGroup& group) {
            KernelCall other = only_sequence(call, group.sequence);
            (void)change(other);
            return renamed(results_of(other, {0, group.first, group.count}), group.sequence);
        });
    }

    void add(FaultPass pass,
             const std::string& name,
             const std::string& sentence,
             std::function<Results(const KernelCall&, const HeadGroup&)> results) {
        faults_.push_back({pass, name, sentence, std::move(results)});
    }

    [[nodiscard]] std::vector<CallFault> take() { return std::move(faults_); }

private:
    const KernelCall& call_;
    HeadGroup group_;
    std::vector<CallFault> faults_;
};

constexpr std::array<const char*, 4> kStates{
    "initial_state", "final_state", "dinitial_state", "dfinal_state"};
constexpr FaultPass kForward = FaultPass::forward;
constexpr FaultPass kBack = FaultPass::back;

/// Token t of an array of tokens holds what stood at token t − by, or `fill`.
void move_rows(CallArray& array, Index tokens, Index by, double fill) {
    const Index row = array.heads * array.width;
    std::vector<double> moved(array.values.size(), fill);
    const Index kept = (tokens - std::min(std::abs(by), tokens)) * row;
    std::copy_n(array.values.begin() + std::max<Index>(0, -by) * row,
                kept,
                moved.begin() + std::max<Index>(0, by) * row);
    array.values = std::move(moved);
}

/// What is made of each row and the one before it, anew from each of these tokens on.
void along_tokens(CallArray& array,
                  const std::vector<Index>& starts,
                  double of_row,
                  double of_changed) {
    const Index row = array.heads * array.width;
    const std::vector<double> given = array.values;
    for (std::size_t piece = 0; piece + 1 < starts.size(); ++piece) {
        for (Index at = (starts[piece] + 1) * row; at < starts[piece + 1] * row; ++at) {
            const auto here = static_cast<std::size_t>(at);
            const auto before = static_cast<std::size_t>(at - row);
            array.values[here] += of_row * given[before] + of_changed * array.values[before];
        }
    }
}

void add_scale_faults(FaultList& list) {
    const auto scaled = [&](const char* name, const char* sentence, auto scale) {
        list.changed(kForward, name, sentence, [scale](KernelCall& one) {
            const double given = one.scale;
            one.scale = scale(one);
            return !bitwise_equal(given, one.scale);
        });
    };
    scaled("scale_missing", "the scale of the queries is missing", [](const KernelCall&) {
        return 1.0;
    });
    scaled("scale_ignored",
           "the scale that is given is ignored, and 1/sqrt(K) taken",
           [](const KernelCall& one) { return 1.0 / std::sqrt(static_cast<double>(one.key_dim)); });
    scaled("scale_twice", "the scale is applied twice", [](const KernelCall& one) {
        return one.scale * one.scale;
    });
}

bool transpose_states(KernelCall& one, const std::string& name) {
    const auto found = one.arrays.find(name);
    if (found == one.arrays.end() || one.key_dim != one.value_dim) {
        return false;
    }
    const Index K = one.key_dim;
    for (auto first = found->second.values.begin(); first != found->second.values.end();
         first += K * K) {
        for (Index j = 0; j < K; ++j) {
            for (Index c = 0; c < j; ++c) {
                std::swap(first[j * K + c], first[c * K + j]);
            }
        }
    }
    return true;
}

/// The right results with one array transposed, where that is what a kernel wrote.
void add_transposed_result(FaultList& list,
                           const KernelCall& call,
                           FaultPass pass,
                           const std::string& array,
                           const std::string& sentence) {
    if (call.key_dim != call.value_dim || !call.contains(array)) {
        return;
    }
    list.add(pass,
             array + "_transposed",
             sentence,
             [array](const KernelCall& whole, const HeadGroup& group) {
                 Results results = results_of(whole, group);
                 for (auto& [name, values] : results) {
                     if (name.array == array) {
                         values = values.transpose().eval();
                     }
                 }
                 return results;
             });
}

/// Every state that goes in or out has the other layout than said.
void add_exchanged_states(FaultList& list, const KernelCall& call) {
    const auto count = std::count_if(
        kStates.begin(), kStates.end(), [&](const char* state) { return call.contains(state); });
    if (count < 2 || call.key_dim != call.value_dim) {
        return;  // one alone has a fault of its own
    }
    list.add(kForward,
             "states_transposed",
             "states are read and written with keys and values exchanged: see state_v_first",
             [](const KernelCall& whole, const HeadGroup& group) {
                 KernelCall one = whole;
                 for (const char* const state : kStates) {
                     (void)transpose_states(one, state);
                 }
                 Results results = results_of(one, group);
                 for (auto& [name, values] : results) {
                     if (is_state(name.array)) {
                         values = values.transpose().eval();
                     }
                 }
                 return results;
             });
}

/// Each sequence begins with the state that the one before it ended with.
Results with_states_kept(const KernelCall& call, const HeadGroup& group) {
    KernelCall one = only_sequence(call, 0);
    Results results = results_of(one, {0, group.first, group.count});
    for (Index s = 1; s <= group.sequence; ++s) {
        one = only_sequence(call, s);
        const Index size = call.key_dim * call.value_dim;
        CallArray& state = one.arrays["initial_state"];
        state = {ArrayExtent::state, call.heads, size, {}};
        state.values.assign(static_cast<std::size_t>(call.heads * size), 0.0);
        for (Index h = group.first; h < group.first + group.count; ++h) {
            const MatrixOf<long double>& S = results.at({"final_state", 0, h});
            for (Index j = 0; j < call.key_dim; ++j) {
                for (Index c = 0; c < call.value_dim; ++c) {
                    state.values[static_cast<std::size_t>(h * size + j * call.value_dim + c)] =
                        static_cast<double>(S(j, c));
                }
            }
        }
        results = results_of(one, {0, group.first, group.count});
    }
    return renamed(results, group.sequence);
}

bool differentiates(const KernelCall& call) {
    return has_gradients(call) && call.contains("do");
}

bool has_state(const KernelCall& call) {
    return call.recurrence != Recurrence::normalised;
}

void add_state_faults(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    list.changed(kForward, "initial_state_ignored", "the initial state is ignored", [](auto& one) {
        return one.arrays.erase("initial_state") > 0;
    });
    list.changed(kForward,
                 "initial_state_transposed",
                 "the initial state is read with keys and values exchanged",
                 [](auto& one) { return transpose_states(one, "initial_state"); });
    add_transposed_result(list,
                          call,
                          kForward,
                          "final_state",
                          "the final state is written with keys and values exchanged");
    add_exchanged_states(list, call);
    const bool packed = call.sequences() > 1 && group.sequence > 0;
    if (packed && has_state(call) && call.recurrence != Recurrence::mlstm) {
        list.add(kForward,
                 "state_kept_between_sequences",
                 "a sequence begins with the state that the one before it ended with",
                 with_states_kept);
    }
}

void add_chunk_faults(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    if (!has_state(call)) {
        return;
    }
    const bool packed = call.sequences() > call.batch;
    for (const ChunkGrid grid : {ChunkGrid::own, ChunkGrid::flat}) {
        for (const Index chunk : kChunksTried) {
            KernelCall tried = call;
            tried.grid = grid;
            const std::vector<Index> starts = chunk_starts(tried, group.sequence, chunk);
            const bool same = starts == chunk_starts(call, group.sequence, chunk);
            if (starts.size() <= 2 || (grid != call.grid && (!packed || same))) {
                continue;
            }
            const bool inside = packed && grid == ChunkGrid::flat;
            list.add(kForward,
                     inside ? "state_reset_inside_sequence" : "chunk_boundary_state_dropped",
                     inside ? formatted("the state begins anew inside a packed sequence, where "
                                        "chunks of {} tokens of the batch meet",
                                        chunk)
                            : formatted("the state is lost at the boundary between chunks of {} "
                                        "tokens",
                                        chunk),
                     [starts](const KernelCall& whole, const HeadGroup& heads) {
                         const KernelCall one = only_sequence(whole, heads.sequence);
                         return renamed(with_state_lost(one, {0, heads.first, heads.count}, starts),
                                        heads.sequence);
                     });
        }
    }
}

void add_gate_faults(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    const std::string gates = log_gates_of(call);
    if (gates.empty()) {
        return;
    }
    const auto each = [&](const char* name, const char* sentence, double factor) {
        list.changed(kForward, name, sentence, [gates, factor](KernelCall& one) {
            for (double& g : one.arrays.at(gates).values) {
                g *= factor;
            }
            return true;
        });
    };
    const auto moved = [&](const char* name, const char* sentence, Index by) {
        list.changed(kForward, name, sentence, [gates, by](KernelCall& one) {
            move_rows(one.arrays.at(gates), one.tokens(), by, 0.0);
            return one.tokens() > 1;
        });
    };
    each("gates_ignored", "the gates are ignored", 0.0);
    each("gates_twice", "the gates are applied twice", 2.0);
    each("gates_base_two", "powers of 2 stand in place of powers of e", std::numbers::ln2);
    each("gates_base_e",
         "powers of e are taken of what is scaled for powers of 2",
         std::numbers::log2e);
    moved("decay_late", "off-by-one decay: each gate acts one token late", 1);
    moved("decay_early", "off-by-one decay: each gate acts one token early", -1);
    using Starts = std::vector<Index>;
    const auto differences = [&](const std::string& sentence, const Starts& starts) {
        list.changed(kForward, "gates_taken_for_sums", sentence, [gates, starts](KernelCall& one) {
            along_tokens(one.arrays.at(gates), starts, -1.0, 0.0);
            return one.tokens() > 1;
        });
    };
    const auto sums = [&](const std::string& sentence, const Starts& starts) {
        list.changed(kForward, "gates_cumulated_twice", sentence, [gates, starts](KernelCall& one) {
            along_tokens(one.arrays.at(gates), starts, 0.0, 1.0);
            return one.tokens() > 1;
        });
    };
    const Starts whole{0, call.length(group.sequence)};
    differences("g is taken for sums of logarithms, which the caller made", whole);
    sums("g is summed over the tokens once too often", whole);
    for (const Index chunk : kChunksTried) {
        const Starts starts = chunk_starts(call, group.sequence, chunk);
        differences(formatted("g is taken for sums of logarithms in chunks of {} tokens", chunk),
                    starts);
        sums(formatted("g is summed over chunks of {} tokens once too often", chunk), starts);
    }
}

/// Arguments that are left as they are, or out.
void add_argument_faults(FaultList& list, const KernelCall& call) {
    const auto without = [&](const char* array, const char* name, const char* sentence) {
        list.changed(kForward, name, sentence, [array](KernelCall& one) {
            return one.arrays.erase(array) > 0;
        });
    };
    const auto flag = [&](const char* name, const char* sentence, bool CallFlags::*member) {
        list.changed(kForward, name, sentence, [member](KernelCall& one) {
            return std::exchange(one.flags.*member, false);
        });
    };
    const auto filled = [&](const char* array, double value, const char* name, const char* says) {
        list.changed(kForward, name, says, [array, value](KernelCall& one) {
            const auto found = one.arrays.find(array);
            if (found == one.arrays.end()) {
                return false;
            }
            std::fill(found->second.values.begin(), found->second.values.end(), value);
            return true;
        });
    };
    flag("unit_rows_ignored",
         "queries and keys are not scaled to length one: use_qk_l2norm_in_kernel is ignored",
         &CallFlags::use_qk_l2norm_in_kernel);
    flag("beta_sigmoid_ignored",
         "beta is taken as it is: use_beta_sigmoid_in_kernel is ignored",
         &CallFlags::use_beta_sigmoid_in_kernel);
    flag("beta_not_doubled",
         "beta is not doubled: allow_neg_eigval is ignored",
         &CallFlags::allow_neg_eigval);
    flag("gate_taken_as_it_is",
         "g is taken as it is: use_gate_in_kernel is ignored",
         &CallFlags::use_gate_in_kernel);
    flag("dt_softplus_ignored",
         "dt is taken as it is: dt_softplus is ignored",
         &CallFlags::dt_softplus);
    without("dt_bias", "dt_bias_ignored", "dt_bias is ignored");
    without("A_log", "A_log_ignored", "A_log is ignored");
    without("D", "D_ignored", "the term D x is missing");
    without("z", "z_ignored", "outputs are not multiplied by z sigmoid(z)");
    if (!call.flags.use_beta_sigmoid_in_kernel) {
        filled("beta", 1.0, "beta_ignored", "beta is ignored");
    }
    list.changed(kForward, "p_ignored", "the correction is read by k in place of p", [](auto& one) {
        const bool reads = one.recurrence == Recurrence::comba;
        if (reads) {
            one.arrays["p"] = one.arrays.at("k");
        }
        return reads;
    });
    list.changed(kForward, "A_exponentiated", "A is taken for its logarithm", [](KernelCall& one) {
        const auto found = one.arrays.find("A");
        if (found == one.arrays.end()) {
            return false;
        }
        for (double& A : found->second.values) {
            A = -std::exp(A);
        }
        return true;
    });
}

/// Results with o as it reads when memory written (H,T,·) is taken for (T,H,·).
Results with_outputs_heads_first(const KernelCall& one, const Results& all) {
    const Index T = one.tokens();
    const Index H = one.heads;
    Results read;
    for (Index h = 0; h < H; ++h) {
        MatrixOf<long double>& o = read[{"o", 0, h}];
        o.resize(T, one.value_dim);
        for (Index t = 0; t < T; ++t) {
            const Index at = t * H + h;
            o.row(t) = all.at({"o", 0, at / T}).row(at % T);
        }
    }
    return read;
}

void read_heads_first(CallArray& array, Index rows) {
    const std::vector<double> given = array.values;
    for (Index h = 0; h < array.heads; ++h) {
        for (Index t = 0; t < rows; ++t) {
            std::copy_n(given.begin() + (h * rows + t) * array.width,
                        array.width,
                        array.values.begin() + (t * array.heads + h) * array.width);
        }
    }
}

Results all_forward(const KernelCall& call) {
    const KernelCall one = without_gradients(call);
    Results all;
    for (const HeadGroup& group : head_groups(one)) {
        add_results(all, results_of(one, group));
    }
    return all;
}

void add_layout_faults(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    if (call.sequences() > call.batch || call.length(group.sequence) == 1 || call.heads == 1) {
        return;
    }
    list.add(kForward,
             "outputs_head_first",
             "layout swapped: the outputs are stored heads first",
             [](const KernelCall& whole, const HeadGroup& heads) {
                 const KernelCall one = only_sequence(whole, heads.sequence);
                 return renamed(with_outputs_heads_first(one, all_forward(one)), heads.sequence);
             });
    list.add(kForward,
             "arrays_head_first",
             "layout swapped: the kernel takes all arrays to be stored heads first",
             [](const KernelCall& whole, const HeadGroup& heads) {
                 KernelCall one = only_sequence(whole, heads.sequence);
                 for (const ArrayRow& row : arrays_of(one.recurrence)) {
                     const auto found = one.arrays.find(std::string(row.name));
                     const bool rows =
                         found != one.arrays.end() &&
                         (row.extent == ArrayExtent::token || row.extent == ArrayExtent::step);
                     if (rows) {
                         const Index each = row.extent == ArrayExtent::step ? one.steps : 1;
                         read_heads_first(found->second, one.tokens() * each);
                     }
                 }
                 return renamed(with_outputs_heads_first(one, all_forward(one)), heads.sequence);
             });
}

/// Head h reads head h mod H of an array of H heads, not h div (n/H).
void add_group_faults(FaultList& list, const KernelCall& call) {
    const bool grouped = std::any_of(call.arrays.begin(), call.arrays.end(), [&](const auto& one) {
        return one.second.extent != ArrayExtent::head && one.second.heads > 1 &&
               one.second.heads < call.heads;
    });
    if (!grouped) {
        return;
    }
    list.add(kForward,
             "heads_of_groups_interleaved",
             "heads that share queries or keys are taken in turn, not one beside the other",
             [](const KernelCall& whole, const HeadGroup& heads) {
                 KernelCall one = without_gradients(only_sequence(whole, heads.sequence));
                 for (auto& [name, array] : one.arrays) {
                     if (array.extent == ArrayExtent::head || array.extent == ArrayExtent::state) {
                         continue;
                     }
                     const CallArray given = array;
                     const Index rows = std::ssize(given.values) / (given.heads * given.width);
                     array.heads = one.heads;
                     array.values.clear();
                     for (Index at = 0; at < rows * one.heads; ++at) {
                         const Index from =
                             at / one.heads * given.heads + at % one.heads % given.heads;
                         const auto first = given.values.begin() + from * given.width;
                         array.values.insert(array.values.end(), first, first + given.width);
                     }
                 }
                 return renamed(results_of(one, {0, heads.first, heads.count}), heads.sequence);
             });
}

/// Steps before and behind the recurrence that are not differentiated.
void add_chain_faults(FaultList& list, const KernelCall& call) {
    const CallFlags& flags = call.flags;
    const auto chain = [&](bool shows, const char* name, const char* sentence, ChainStep step) {
        if (shows) {
            list.add(
                kBack, name, sentence, [step](const KernelCall& whole, const HeadGroup& heads) {
                    return results_of(whole, heads, {.not_differentiated = step});
                });
        }
    };
    chain(flags.use_qk_l2norm_in_kernel,
          "unit_rows_not_differentiated",
          "dq and dk are those of the rows of length one",
          ChainStep::unit_rows);
    chain(flags.use_beta_sigmoid_in_kernel,
          "beta_sigmoid_not_differentiated",
          "dbeta is that of sigmoid(beta)",
          ChainStep::beta_sigmoid);
    chain(flags.allow_neg_eigval,
          "beta_doubled_not_differentiated",
          "dbeta lacks the factor 2 of allow_neg_eigval",
          ChainStep::beta_doubled);
    chain(flags.use_gate_in_kernel || flags.lower_bound,
          "gate_not_differentiated",
          "dg is that of the gate's logarithm, not of what it is made of",
          ChainStep::gate);
    chain(flags.dt_softplus,
          "dt_softplus_not_differentiated",
          "ddt is that of softplus(dt)",
          ChainStep::dt_softplus);
    chain(call.recurrence == Recurrence::normalised || call.recurrence == Recurrence::mlstm,
          "normaliser_not_differentiated",
          "the normaliser is not differentiated",
          ChainStep::normaliser);
}

/// A mistake inside chunks, and what it needs to show.
struct ChunkFaultRow {
    ChunkedFault fault;
    FaultPass pass;
    bool (*shows)(const KernelCall& call);
    const char* name;
    const char* sentence;
};

bool has_decayed_scores(const KernelCall& call) {
    return has_state(call) && has_gates(call);
}

/// Whether tokens of a chunk read what those before them wrote, by a triangular matrix.
bool has_matrix(const KernelCall& call) {
    return has_correction(call.recurrence) || call.recurrence == Recurrence::dplr ||
           call.recurrence == Recurrence::rwkv7;
}

bool has_matrix_of_beta(const KernelCall& call) {
    return has_correction(call.recurrence) && call.contains("beta");
}

bool has_decayed_matrix(const KernelCall& call) {
    return has_matrix(call) && has_gates(call);
}

bool reads_by_key(const KernelCall& call) {
    return is_delta(call.recurrence) || call.recurrence == Recurrence::gated_delta_product;
}

constexpr std::array<ChunkFaultRow, 6> kChunkFaults{
    {{ChunkedFault::scores_without_diagonal,
      kForward,
      has_state,
      "own_token_masked",
      "the mask leaves out each token's own key and value"},
     {ChunkedFault::scores_without_decay,
      kForward,
      has_decayed_scores,
      "scores_without_decay",
      "the scores within a chunk lack the decays between its tokens"},
     {ChunkedFault::matrix_without_decay,
      kForward,
      has_decayed_matrix,
      "matrix_without_decay",
      "the triangular matrix of a chunk lacks the decays between its tokens"},
     {ChunkedFault::matrix_without_beta,
      kForward,
      has_matrix_of_beta,
      "matrix_without_beta",
      "the triangular matrix of a chunk lacks beta"},
     {ChunkedFault::matrix_sign,
      kForward,
      has_matrix,
      "matrix_sign",
      "the triangular matrix of a chunk has the wrong sign below its diagonal"},
     {ChunkedFault::wy_read_not_differentiated,
      kBack,
      reads_by_key,
      "wy_read_not_differentiated",
      "dk and dbeta lack what a chunk reads from the state before it"}}};

/// A fault with a form of each length of chunks that shows it in another way.
void add_chunk_fault(FaultList& list,
                     const KernelCall& call,
                     const HeadGroup& group,
                     const ChunkFaultRow& row) {
    const Index length = call.length(group.sequence) * call.steps;
    const bool of_any_chunk = row.fault == ChunkedFault::scores_without_diagonal;
    bool is_whole = false;  // a chunk that holds the sequence is like any larger one
    for (const Index chunk : kChunksTried) {
        // Chunks of a recurrence of several steps a token count steps.
        const Index offset = chunk_offset(call, group.sequence, chunk) * call.steps % chunk;
        const bool holds_all = length + offset <= chunk;
        const bool shows = row.pass == kForward || !holds_all || call.contains("initial_state");
        if (!shows || (holds_all && is_whole)) {
            continue;
        }
        is_whole = is_whole || holds_all;
        const ChunkedForm form{chunk, offset, row.fault};
        list.add(row.pass,
                 row.name,
                 of_any_chunk ? row.sentence
                              : formatted("{}, with chunks of {} tokens", row.sentence, chunk),
                 [form](const KernelCall& whole, const HeadGroup& heads) {
                     return results_of(whole, heads, {.chunked = form});
                 });
        if (of_any_chunk) {
            return;
        }
    }
}

void add_faults_within_chunks(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    for (const ChunkFaultRow& row : kChunkFaults) {
        if (row.shows(call) && (row.pass == kForward || differentiates(call))) {
            add_chunk_fault(list, call, group, row);
        }
    }
}

/// Which share of a gradient that heads have in common is written.
enum class SharedGradient : std::uint8_t { of_first_head, of_last_head, mean };

Results with_shares(const KernelCall& call, const HeadGroup& group, SharedGradient which) {
    Results results;
    std::map<ResultName, Index> counts;
    for (Index h = group.first; h < group.first + group.count; ++h) {
        ExactArithmetic arithmetic;
        for (auto& [array, values] : evaluate_head(call, group.sequence, h, arithmetic, {})) {
            const ResultName name = result_name(call, array, group.sequence, h);
            Index& count = counts[name];
            MatrixOf<long double>& sum = results[name];
            if (count == 0 || which == SharedGradient::of_last_head) {
                sum = values;
            } else if (which == SharedGradient::mean) {
                sum += values;
            }
            ++count;
        }
    }
    for (auto& [name, values] : results) {
        if (which == SharedGradient::mean) {
            values /= static_cast<long double>(counts.at(name));
        }
    }
    return results;
}

void add_share_faults(FaultList& list, const HeadGroup& group) {
    const auto share = [&](const char* name, const char* sentence, SharedGradient which) {
        if (group.count > 1) {
            list.add(
                kBack, name, sentence, [which](const KernelCall& call, const HeadGroup& heads) {
                    return with_shares(call, heads, which);
                });
        }
    };
    share("gradient_of_first_head",
          "gradients of heads that others share are those of the first of these alone",
          SharedGradient::of_first_head);
    share("gradient_of_last_head",
          "gradients of heads that others share are those of the last of these alone",
          SharedGradient::of_last_head);
    share("gradient_is_mean",
          "gradients of heads that others share are averaged, not summed",
          SharedGradient::mean);
}

/// The gradient of a state goes on into the sequence before it.
Results with_gradient_leaking(const KernelCall& call, const HeadGroup& group) {
    Results results;
    for (Index s = call.sequences() - 1; s >= group.sequence; --s) {
        if (call.length(s) == 0) {
            continue;
        }
        KernelCall one = only_sequence(call, s);
        if (!results.empty()) {
            const Index size = call.key_dim * call.value_dim;
            CallArray& behind = one.arrays["dfinal_state"];
            if (behind.values.empty()) {
                behind = {ArrayExtent::state, call.heads, size, {}};
                behind.values.assign(static_cast<std::size_t>(call.heads * size), 0.0);
            }
            for (Index h = group.first; h < group.first + group.count; ++h) {
                const MatrixOf<long double>& G = results.at({"dinitial_state", 0, h});
                for (Index j = 0; j < call.key_dim; ++j) {
                    for (Index c = 0; c < call.value_dim; ++c) {
                        behind
                            .values[static_cast<std::size_t>(h * size + j * call.value_dim + c)] +=
                            static_cast<double>(G(j, c));
                    }
                }
            }
        }
        results = results_of(one, {0, group.first, group.count});
    }
    return renamed(results, group.sequence);
}

/// dinitial_state is that of the sequence `by` further on.
void add_other_sequence(FaultList& list, const KernelCall& call, const HeadGroup& group, Index by) {
    const Index other = group.sequence + by;
    if (other < 0 || other >= call.sequences() || call.length(other) == 0 ||
        !call.contains("dinitial_state")) {
        return;
    }
    list.add(kBack,
             "dinitial_state_of_another_sequence",
             by > 0 ? "dinitial_state is that of the next sequence"
                    : "dinitial_state is that of the sequence before",
             [other](const KernelCall& whole, const HeadGroup& heads) {
                 Results results = results_of(whole, heads);
                 for (const auto& [name, values] :
                      results_of(whole, {other, heads.first, heads.count})) {
                     if (name.array == "dinitial_state") {
                         results[{name.array, heads.sequence, name.head}] = values;
                     }
                 }
                 return results;
             });
}

void add_back_faults(FaultList& list, const KernelCall& call, const HeadGroup& group) {
    const bool packed = group.sequence + 1 < call.sequences();
    if (packed && has_state(call) && call.recurrence != Recurrence::mlstm) {
        list.add(kBack,
                 "gradient_leaks_over_sequence_start",
                 "the gradient of the state goes on into the sequence before",
                 with_gradient_leaking);
    }
    add_other_sequence(list, call, group, 1);
    add_other_sequence(list, call, group, -1);
    list.changed(kBack,
                 "dfinal_state_transposed",
                 "the gradient of the final state is read with keys and values exchanged",
                 [](auto& one) { return transpose_states(one, "dfinal_state"); });
    add_transposed_result(list,
                          call,
                          kBack,
                          "dinitial_state",
                          "the gradient of the initial state is written with keys and values "
                          "exchanged");
    if (call.value_dim > kColumnsOfABlock) {
        list.add(kBack,
                 "dq_of_first_values",
                 "dq is summed over the first 64 values alone",
                 [](const KernelCall& whole, const HeadGroup& heads) {
                     KernelCall part = whole;
                     CallArray& d_o = part.arrays.at("do");
                     for (std::size_t at = 0; at < d_o.values.size(); ++at) {
                         const bool kept = static_cast<Index>(at) % d_o.width < kColumnsOfABlock;
                         d_o.values[at] = kept ? d_o.values[at] : 0.0;
                     }
                     Results results = results_of(whole, heads);
                     for (const auto& [name, values] : results_of(part, heads)) {
                         if (name.array == "dq" || name.array == "dC" || name.array == "dr") {
                             results[name] = values;
                         }
                     }
                     return results;
                 });
    }
}

}  // namespace

KernelCall without_gradients(KernelCall call) {
    for (const ArrayRow& row : arrays_of(call.recurrence)) {
        call.arrays.erase("d" + std::string(row.name));
    }
    return call;
}

std::string log_gates_of(const KernelCall& call) {
    if (call.recurrence == Recurrence::rwkv7) {
        return "w";
    }
    const bool raw = call.flags.use_gate_in_kernel || call.flags.lower_bound;
    return call.contains("g") && !raw ? "g" : "";
}

std::vector<CallFault> call_faults(const KernelCall& call, const HeadGroup& group) {
    FaultList list(call, group);
    add_scale_faults(list);
    add_state_faults(list, call, group);
    add_argument_faults(list, call);
    add_gate_faults(list, call, group);
    add_group_faults(list, call);
    add_layout_faults(list, call, group);
    add_chunk_faults(list, call, group);
    if (differentiates(call)) {
        add_chain_faults(list, call);
        add_share_faults(list, group);
        add_back_faults(list, call, group);
    }
    add_faults_within_chunks(list, call, group);
    return list.take();
}

}  // namespace attest
