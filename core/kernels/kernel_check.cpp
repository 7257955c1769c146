#include "core/kernels/kernel_check.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/parallel.hpp"
#include "core/kernels/coarse_arithmetic.hpp"
#include "core/kernels/follow_head.hpp"
#include "core/kernels/mutants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attest {

namespace {

/// Found numbers beside what they should be.
struct RowVerdict {
    double ratio = 0.0;
    Index column = 0;  ///< where the ratio is largest
    double tolerance = 0.0;
    bool vacuous = true;  ///< zeros would pass, though zeros are not what is expected

    [[nodiscard]] bool outside() const { return ratio > 1.0; }

    [[nodiscard]] bool undecided() const { return !outside() && vacuous; }
};

double ratio_of(double found, long double expected, double tolerance) {
    if (!std::isfinite(found)) {
        return std::numeric_limits<double>::infinity();
    }
    if (!std::isfinite(tolerance)) {
        return 0.0;  // a normaliser that may be zero
    }
    const auto distance = static_cast<double>(std::abs(static_cast<long double>(found) - expected));
    return is_zero(distance) ? 0.0 : distance / tolerance;
}

/// The bound, and the rounding of the result to the precision that it is stored in.
double tolerance_of(const Enclosed& expected, std::size_t at, Precision stored) {
    const auto size = static_cast<double>(std::abs(expected.value[at]));
    return kBoundInflation *
               (expected.bound[at] + unit_roundoff(stored) * (size + expected.bound[at])) +
           underflow_unit(stored);
}

RowVerdict judge(std::span<const double> found, const Enclosed& expected, Precision stored) {
    RowVerdict verdict;
    bool nonzero = false;  // or not known at all
    for (std::size_t c = 0; c < found.size(); ++c) {
        const double tolerance = tolerance_of(expected, c, stored);
        const double ratio = ratio_of(found[c], expected.value[c], tolerance);
        const auto size = static_cast<double>(std::abs(expected.value[c]));
        nonzero = nonzero || !is_zero(size) || !std::isfinite(tolerance);
        verdict.vacuous = verdict.vacuous && !(size > tolerance);  // nor is anything known by NaN
        if (c == 0 || ratio > verdict.ratio) {
            verdict.ratio = ratio;
            verdict.column = static_cast<Index>(c);
            verdict.tolerance = tolerance;
        }
    }
    verdict.vacuous = verdict.vacuous && nonzero;
    return verdict;
}

std::span<const double> outputs_of(const KernelDump& dump, Index b, Index t, Index h) {
    const auto width = static_cast<std::size_t>(dump.value_dim);
    return {dump.o.data() + dump.row(b, t, h) * width, width};
}

RowVerdict judge_state(
    const KernelDump& dump, Index b, Index h, const Enclosed& state, Precision stored) {
    return judge({dump.final_state.data() + dump.state(b, h), state.value.size()}, state, stored);
}

KernelPlace place_of(const RowVerdict& verdict,
                     std::span<const double> found,
                     const Enclosed& expected) {
    const auto at = static_cast<std::size_t>(verdict.column);
    return {.column = verdict.column,
            .found = found[at],
            .expected = static_cast<double>(expected.value[at]),
            .tolerance = verdict.tolerance};
}

HeadVerdict check_head(const KernelDump& dump,
                       Index b,
                       Index h,
                       const KernelArithmetic& arithmetic,
                       std::vector<double>& ratios) {
    HeadVerdict head;
    const auto visit = [&](Index t, const Enclosed& expected) {
        const std::span<const double> found = outputs_of(dump, b, t, h);
        const RowVerdict row = judge(found, expected, arithmetic.output);
        ratios[dump.row(b, t, h)] = row.ratio;
        head.largest_ratio = std::max(head.largest_ratio, row.ratio);
        head.rows_outside += row.outside() ? 1 : 0;
        head.rows_undecided += row.undecided() ? 1 : 0;
        if (row.outside() && !head.first) {
            head.first = place_of(row, found, expected);
            head.first->batch = b;
            head.first->token = t;
            head.first->head = h;
        }
        return true;
    };
    const std::optional<Enclosed> state = follow_head(dump, b, h, {arithmetic}, visit);
    if (state && !dump.final_state.empty()) {
        const RowVerdict verdict = judge_state(dump, b, h, *state, arithmetic.stored_state());
        if (verdict.outside()) {
            head.final_state = place_of(
                verdict, {dump.final_state.data() + dump.state(b, h), state->value.size()}, *state);
            head.final_state->batch = b;
            head.final_state->token = dump.tokens;
            head.final_state->head = h;
        }
    }
    return head;
}

bool head_fits(const KernelDump& dump,
               Index b,
               Index h,
               const KernelArithmetic& arithmetic,
               DecidedRows rows) {
    bool fits = true;
    bool decided = false;
    const std::optional<Enclosed> state =
        follow_head(dump, b, h, {arithmetic}, [&](Index t, const Enclosed& expected) {
            const RowVerdict row = judge(outputs_of(dump, b, t, h), expected, arithmetic.output);
            fits = !row.outside() && (rows == DecidedRows::some || !row.undecided());
            decided = decided || !row.undecided();
            return fits;
        });
    return fits && decided &&
           (!state || dump.final_state.empty() ||
            !judge_state(dump, b, h, *state, arithmetic.stored_state()).outside());
}

}  // namespace

KernelCheck check_kernel(const KernelDump& dump, const KernelArithmetic& arithmetic, int threads) {
    KernelCheck check;
    check.heads.resize(static_cast<std::size_t>(dump.batch * dump.heads));
    check.ratios.resize(static_cast<std::size_t>(dump.batch * dump.tokens * dump.heads));
    parallel_for(dump.batch * dump.heads, threads, [&](Index at) {
        check.heads[static_cast<std::size_t>(at)] =
            check_head(dump, at / dump.heads, at % dump.heads, arithmetic, check.ratios);
    });
    for (const HeadVerdict& head : check.heads) {
        check.rows_outside += head.rows_outside;
        check.rows_undecided += head.rows_undecided;
        check.states_outside += head.final_state ? 1 : 0;
        check.largest_ratio = std::max(check.largest_ratio, head.largest_ratio);
        for (const std::optional<KernelPlace>& place : {head.first, head.final_state}) {
            if (place && (!check.first || place->token < check.first->token)) {
                check.first = place;
            }
        }
    }
    return check;
}

bool heads_fit(const KernelDump& dump,
               Index b,
               const std::vector<Index>& heads,
               const KernelArithmetic& arithmetic,
               DecidedRows decided) {
    return std::all_of(heads.begin(), heads.end(), [&](Index h) {
        return head_fits(dump, b, h, arithmetic, decided);
    });
}

namespace {

/// The heads of a sequence that have something wrong in them.
std::vector<Index> wrong_heads(const KernelDump& dump, const KernelCheck& check, Index b) {
    std::vector<Index> wrong;
    for (Index h = 0; h < dump.heads; ++h) {
        const HeadVerdict& head = check.heads[static_cast<std::size_t>(b * dump.heads + h)];
        if (head.first || head.final_state) {
            wrong.push_back(h);
        }
    }
    return wrong;
}

std::vector<Index> all_heads(const KernelDump& dump) {
    std::vector<Index> all;
    for (Index h = 0; h < dump.heads; ++h) {
        all.push_back(h);
    }
    return all;
}

/// Rounding that is too coarse shows everywhere: in more than half of the rows of each head.
bool is_widespread(const KernelDump& dump,
                   const KernelCheck& check,
                   Index b,
                   const std::vector<Index>& heads) {
    return std::all_of(heads.begin(), heads.end(), [&](Index h) {
        const HeadVerdict& head = check.heads[static_cast<std::size_t>(b * dump.heads + h)];
        return head.first && 2 * head.rows_outside > dump.tokens;
    });
}

/// The dump of sequence b as if it had begun with the states that sequence b − 1 ended with.
KernelDump continued(const KernelDump& dump, Index b, const KernelArithmetic& arithmetic) {
    const KernelDump before = one_sequence(dump, b - 1);
    KernelDump changed = one_sequence(dump, b);
    changed.initial_state.clear();
    for (Index h = 0; h < dump.heads; ++h) {
        const std::optional<Enclosed> state =
            follow_head(before, 0, h, {arithmetic}, [](Index, const Enclosed&) { return true; });
        for (const long double entry : state->value) {
            changed.initial_state.push_back(static_cast<double>(entry));
        }
    }
    return changed;
}

}  // namespace

std::vector<Likeness> diagnose_kernel(const KernelDump& dump,
                                      const KernelArithmetic& arithmetic,
                                      const KernelCheck& check) {
    if (check.holds()) {
        return {};
    }
    const Index b = check.first->batch;
    const KernelDump sequence = one_sequence(dump, b);
    const std::vector<Index> wrong = wrong_heads(dump, check, b);
    std::vector<Likeness> alike;
    for (const KernelMutant& mutant : kernel_mutants()) {
        const std::optional<KernelDump> changed = mutant.change(sequence);
        const bool alone = mutant.reach == MutantReach::head;
        if (changed && heads_fit(*changed, 0, alone ? wrong : all_heads(dump), arithmetic)) {
            alike.push_back({mutant.name, mutant.sentence});
        }
    }
    if (b > 0 && dump.recurrence != Recurrence::normalised &&
        heads_fit(continued(dump, b, arithmetic), 0, wrong, arithmetic)) {
        alike.push_back({"state_kept_between_sequences",
                         "a sequence begins with the state that the one before it ended with"});
    }
    if (alike.empty()) {
        alike = coarse_outputs(sequence, arithmetic, wrong);
    }
    if (alike.empty()) {
        alike = coarse_state(sequence, arithmetic, wrong, check.first->token);
    }
    if (alike.empty() && is_widespread(dump, check, b, wrong)) {
        alike = coarse_products(sequence, arithmetic, wrong);
    }
    return alike;
}

KernelDump with_factors(KernelDump dump) {
    if (dump.gate_width == 0) {
        dump.gate_width = 1;
        dump.gates.assign(static_cast<std::size_t>(dump.batch * dump.tokens * dump.heads), 1.0);
    } else if (dump.gate_form == GateEntry::logarithm) {
        std::transform(dump.gates.begin(), dump.gates.end(), dump.gates.begin(), [](double gate) {
            return std::exp(gate);
        });
    }
    dump.gate_form = GateEntry::factor;
    return dump;
}

std::vector<double> moved_in_time(const KernelDump& dump,
                                  const std::vector<double>& rows,
                                  Index by,
                                  double fill) {
    std::vector<double> moved(rows.size(), fill);
    const Index token = std::ssize(rows) / dump.tokens;
    const Index kept = (dump.tokens - std::min(std::abs(by), dump.tokens)) * token;
    const Index from = std::max<Index>(0, -by) * token;
    const Index to = std::max<Index>(0, by) * token;
    std::copy_n(rows.begin() + from, kept, moved.begin() + to);
    return moved;
}

std::vector<double> transposed_states(const KernelDump& dump, std::vector<double> states) {
    const Index K = dump.key_dim;
    for (auto first = states.begin(); first != states.end(); first += K * K) {
        for (Index j = 0; j < K; ++j) {
            for (Index c = 0; c < j; ++c) {
                std::swap(first[j * K + c], first[c * K + j]);
            }
        }
    }
    return states;
}

std::vector<double> read_heads_first(const KernelDump& dump, const std::vector<double>& rows) {
    std::vector<double> read(rows.size());
    const Index width = std::ssize(rows) / (dump.tokens * dump.heads);
    for (Index h = 0; h < dump.heads; ++h) {
        for (Index t = 0; t < dump.tokens; ++t) {
            std::copy_n(rows.begin() + (h * dump.tokens + t) * width,
                        width,
                        read.begin() + (t * dump.heads + h) * width);
        }
    }
    return read;
}

std::vector<double> scaled_rows(std::vector<double> rows, const std::vector<double>& factors) {
    const std::size_t width = rows.size() / factors.size();
    for (std::size_t at = 0; at < rows.size(); ++at) {
        rows[at] *= factors[at / width];
    }
    return rows;
}

}  // namespace attest
