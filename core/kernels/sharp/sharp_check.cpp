#include "core/kernels/sharp/sharp_check.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/memory.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"
#include "core/kernels/sharp/call_faults.hpp"
#include "core/kernels/sharp/gradient_faults.hpp"
#include "core/kernels/sharp/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>

namespace attest {

namespace {

constexpr Index kReplicas = 8;          // of each family
constexpr Index kLeastChunk = 16;       // of the chunked family, for kernels without chunks too
constexpr double kRepeatedRows = 0.25;  // more of them: roundings that are all alike
constexpr double kOfRepeatedRows = 4.0;
constexpr double kUnderflows = 64.0;

enum class ReplicaFamily : std::uint8_t { token_by_token, chunked };

/// A number that changes with any input of the call.
std::uint64_t digest(const KernelCall& call) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29U;
    };
    for (const ArrayRow& row : arrays_of(call.recurrence)) {
        const auto found = call.arrays.find(std::string(row.name));
        if (found == call.arrays.end()) {
            continue;
        }
        for (const double value : found->second.values) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            mix(bits);
        }
        mix(found->second.values.size());
    }
    return hash;
}

/// Numbers that a group's results consist of, for the estimate of memory.
double numbers_of(const KernelCall& call, const HeadGroup& group) {
    const auto T = static_cast<double>(call.length(group.sequence));
    const auto K = static_cast<double>(call.key_dim);
    const auto V = static_cast<double>(call.value_dim);
    const auto n = static_cast<double>(call.steps);
    const double results = T * (3.0 * K + 2.0 * V) * n + 2.0 * K * V;
    return results * static_cast<double>(group.count);
}

/// What an evaluation keeps while it runs: inputs, a tape, and states.
double numbers_of_evaluation(const KernelCall& call, Index sequence, Index chunk) {
    const auto T = static_cast<double>(call.length(sequence) * call.steps);
    const auto K = static_cast<double>(call.key_dim);
    const auto V = static_cast<double>(call.value_dim);
    const auto C = static_cast<double>(chunk);
    const double token = 64.0 * 2.0 * K * V + T / 64.0 * K * V + 12.0 * T * (K + V);
    const double chunked = T / C * 4.0 * K * V + T * (20.0 * (K + V) + 8.0 * C);
    return std::max(2.0 * token, chunked);  // numbers of 16 bytes in the reference
}

/// The precision in which the kernel stored a result.
Precision stored_in(const KernelCall& call,
                    const KernelArithmetic& arithmetic,
                    const ResultName& name) {
    const auto found = call.arrays.find(name.array);
    const bool rows = found != call.arrays.end() && (found->second.extent == ArrayExtent::token ||
                                                     found->second.extent == ArrayExtent::step);
    if (name.array.rfind("final_", 0) == 0) {
        return arithmetic.stored_state();
    }
    return rows ? arithmetic.output : arithmetic.accumulator;
}

/// Whether most of the roundings of a group may be alike.
bool repeats_rows(const KernelCall& call, const HeadGroup& group) {
    const std::string key = call.contains("k") ? "k" : call.contains("B") ? "B" : "v";
    const CallArray& array = call.arrays.at(key);
    const Matrix rows = head_rows(call, array, group.sequence, head_of(call, array, group.first));
    Index equal = 0;
    for (Index t = 1; t < rows.rows(); ++t) {
        equal += bitwise_equal(0.0, (rows.row(t) - rows.row(t - 1)).cwiseAbs().maxCoeff()) ? 1 : 0;
    }
    return static_cast<double>(equal) > kRepeatedRows * static_cast<double>(rows.rows());
}

/// A result with all that it is judged by.
struct Judged {
    ResultName name;
    Matrix found;
    Matrix expected;
    Matrix sigma;    ///< of the computation
    double storing;  ///< relative rounding of what is stored
    double underflow;
    double gain_of_replicas = 0.0;

    /// What is left of an error when a number of this size has been stored.
    [[nodiscard]] double beyond_storing(double error, double size) const {
        const double allowed = storing * std::abs(size) * (1.0 + 0x1p-20) + underflow;
        return std::max(0.0, std::abs(error) - allowed);
    }
};

double in_units(double error, double sigma) {
    return is_zero(error) ? 0.0 : error / sigma;
}

/// How many σ a number is off, beyond what storing it rounds.
double in_sigmas(const Judged& judged, Index t, Index c) {
    const double found = judged.found(t, c);
    const double expected = judged.expected(t, c);
    return std::isfinite(found)
               ? in_units(judged.beyond_storing(found - expected, expected), judged.sigma(t, c))
               : std::numeric_limits<double>::infinity();
}

/// σ and the standard deviation of rounding to what is stored.
Matrix with_storing(const Judged& judged) {
    const Matrix stored = judged.expected.cwiseAbs() * (judged.storing / std::sqrt(3.0));
    return (judged.sigma.cwiseAbs2() + stored.cwiseAbs2()).cwiseSqrt();
}

double root_mean_square_gain(const Judged& judged,
                             const std::vector<Eigen::MatrixXf>& errors,
                             const Matrix& sigma) {
    double squares = 0.0;
    for (const Eigen::MatrixXf& error : errors) {
        const double gain = regression_gain(error.cast<double>(), judged.expected, sigma);
        squares += gain * gain;
    }
    return std::sqrt(squares / static_cast<double>(errors.size()));
}

/// The gain's standard deviation if all errors were independent: no replica's spread is less.
double least_gain(const Judged& judged, const Matrix& sigma) {
    double weight = 0.0;
    for (Index at = 0; at < sigma.size(); ++at) {
        if (sigma.data()[at] > 0.0) {
            const double ratio = judged.expected.data()[at] / sigma.data()[at];
            weight += ratio * ratio;
        }
    }
    return weight > 0.0 ? 1.0 / std::sqrt(weight) : 0.0;
}

void measure(SharpResult& result, const Judged& judged, double threshold) {
    const Index cols = judged.expected.cols();
    for (Index t = 0; t < judged.expected.rows(); ++t) {
        bool outside = false;
        bool nonzero = false;
        bool vacuous = true;
        for (Index c = 0; c < cols; ++c) {
            const double found = judged.found(t, c);
            const double expected = judged.expected(t, c);
            const double ratio = in_sigmas(judged, t, c);
            outside = outside || ratio > threshold;
            nonzero = nonzero || !is_zero(expected);
            vacuous = vacuous && in_units(judged.beyond_storing(expected, expected),
                                          judged.sigma(t, c)) <= threshold;
            if (ratio > result.largest || (t == 0 && c == 0)) {
                result.largest = ratio;
                result.row = t;
                result.column = c;
                result.found = found;
                result.expected = expected;
                result.sigma = judged.sigma(t, c);
            }
        }
        result.rows_outside += outside ? 1 : 0;
        result.rows_undecided += !outside && nonzero && vacuous ? 1 : 0;
    }
    result.rows = judged.expected.rows();
}

/// Whether what is left of the error without its gain is within the thresholds.
bool is_right_without(double gain,
                      const Judged& judged,
                      const Matrix& error,
                      const Matrix& sigma,
                      const SharpThresholds& thresholds) {
    const Matrix left = error - gain * judged.expected;
    double squares = 0.0;
    double largest = 0.0;
    for (Index at = 0; at < left.size(); ++at) {
        const double ratio = in_units(std::abs(left.data()[at]), sigma.data()[at]);
        squares += ratio * ratio;
        largest = std::max(largest, ratio);
    }
    const double rms = thresholds.rms_of(left.size());
    return largest <= thresholds.largest && squares <= rms * rms * static_cast<double>(left.size());
}

SharpResult judge_result(const Judged& judged, const SharpThresholds& thresholds, double factor) {
    SharpResult result{.name = judged.name};
    measure(result, judged, factor * thresholds.largest);
    if (!judged.found.allFinite()) {
        result.verdict = SharpVerdict::wrong;
        return result;
    }
    const Matrix sigma = with_storing(judged);
    const Matrix error = judged.found - judged.expected;
    double squares = 0.0;
    for (Index at = 0; at < error.size(); ++at) {
        const double ratio = in_units(error.data()[at], sigma.data()[at]);
        squares += ratio * ratio;
    }
    result.rms = std::sqrt(squares / static_cast<double>(std::max<Index>(1, error.size())));
    result.gain = regression_gain(error, judged.expected, sigma);
    result.gain_of_replicas = std::max(judged.gain_of_replicas, least_gain(judged, sigma));
    result.is_scaled = is_right_without(result.gain, judged, error, sigma, thresholds);
    const double worst =
        std::max({result.largest / thresholds.largest,
                  result.rms / thresholds.rms_of(error.size()),
                  in_units(std::abs(result.gain), result.gain_of_replicas) / thresholds.gain}) /
        factor;
    if (worst > thresholds.wrong) {
        result.verdict = SharpVerdict::wrong;
    } else if (worst > 1.0) {
        result.verdict = SharpVerdict::suspicious;
    }
    return result;
}

/// Right results of arrays of which most rows say nothing are undecided: one number of a sequence
/// that cancels says nothing of the others.
void leave_undecided(std::vector<SharpResult>& results) {
    std::map<std::string, Index> balance;
    for (const SharpResult& result : results) {
        balance[result.name.array] += 2 * result.rows_undecided - result.rows;
    }
    for (SharpResult& result : results) {
        if (result.verdict == SharpVerdict::right && balance.at(result.name.array) > 0 &&
            result.rows_undecided > 0) {
            result.verdict = SharpVerdict::undecided;
        }
    }
}

/// Errors of the replicas of a result, by family.
using ReplicaErrors = std::array<std::vector<Eigen::MatrixXf>, 2>;

/// What replicas run in.
struct ReplicaUnits {
    double unit;
    MeanRounding operands;  ///< by 0: factors are not rounded
};

ReplicaUnits replica_units(const KernelArithmetic& arithmetic) {
    const double unit = unit_roundoff(arithmetic.accumulator);
    const MeanRounding operands = mean_rounding(arithmetic.operands);
    if (!(operands.unit > unit)) {
        return {arithmetic.slack * unit, {}};
    }
    return {arithmetic.slack * unit,
            {.unit = arithmetic.slack * operands.unit, .bias = operands.bias}};
}

CallResults<double> replica_of(const KernelCall& call,
                               const HeadGroup& group,
                               const KernelArithmetic& arithmetic,
                               ReplicaFamily family,
                               Index number,
                               const Stream& stream) {
    HeadEvaluation evaluation;
    if (family == ReplicaFamily::chunked) {
        const Index chunk = std::max(arithmetic.chunk, kLeastChunk);
        evaluation.chunked = ChunkedForm{number % 2 == 0 ? chunk : chunk / 2};
    }
    const Stream own = stream.child(family == ReplicaFamily::chunked ? "chunked" : "token")
                           .child(number)
                           .child(group.sequence);
    const ReplicaUnits units = replica_units(arithmetic);
    return evaluate_group(
        call,
        group,
        [&](Index h) { return RandomArithmetic(units.unit, units.operands, own.child(h)); },
        evaluation);
}

std::map<ResultName, ReplicaErrors> replica_errors(const KernelCall& call,
                                                   const HeadGroup& group,
                                                   const KernelArithmetic& arithmetic,
                                                   const CallResults<long double>& reference,
                                                   const Stream& stream,
                                                   int threads) {
    std::vector<std::map<ResultName, Eigen::MatrixXf>> errors(2 * kReplicas);
    parallel_for(2 * kReplicas, threads, [&](Index at) {
        const auto family = at < kReplicas ? ReplicaFamily::token_by_token : ReplicaFamily::chunked;
        const CallResults<double> replica =
            replica_of(call, group, arithmetic, family, at % kReplicas, stream);
        for (const auto& [name, values] : replica) {
            if (call.contains(name.array)) {
                errors[static_cast<std::size_t>(at)].emplace(
                    name, (values - reference.at(name).cast<double>()).cast<float>());
            }
        }
    });
    std::map<ResultName, ReplicaErrors> all;
    for (std::size_t at = 0; at < errors.size(); ++at) {
        for (auto& [name, error] : errors[at]) {
            all[name][at / kReplicas].push_back(std::move(error));
        }
    }
    return all;
}

/// A result before its spread is known.
Judged unspread(const KernelCall& call,
                const KernelArithmetic& arithmetic,
                const ResultName& name,
                const MatrixOf<long double>& reference) {
    const Precision stored = stored_in(call, arithmetic, name);
    return {name,
            *found_result(call, name),
            reference.cast<double>(),
            Matrix(),
            unit_roundoff(stored),
            underflow_unit(stored) + kUnderflows * underflow_unit(arithmetic.accumulator)};
}

ResultSpread spread_of(Judged judged, const ReplicaErrors& errors) {
    ResultSpread spread{judged.name, {family_spread(errors[0]), family_spread(errors[1])}, 0.0};
    judged.sigma = sigma_of(spread.families[0], spread.families[1]);
    const Matrix sigma = with_storing(judged);
    spread.gain = std::max(root_mean_square_gain(judged, errors[0], sigma),
                           root_mean_square_gain(judged, errors[1], sigma));
    return spread;
}

/// The result with what is known of its spread.
Judged with_spread(Judged judged, const ResultSpread& spread) {
    for (const FamilySpread& family : spread.families) {
        require(family.rows.size() == judged.expected.rows() &&
                    family.columns.size() == judged.expected.cols(),
                "sharp_check: got a spread of {} that is {}x{}, expected {}x{}",
                judged.name.array,
                family.rows.size(),
                family.columns.size(),
                judged.expected.rows(),
                judged.expected.cols());
    }
    judged.sigma = sigma_of(spread.families[0], spread.families[1]);
    judged.gain_of_replicas = spread.gain;
    return judged;
}

bool is_gradient(const ResultName& name) {
    return name.array.front() == 'd';
}

/// Whether a result is what a fault gives; where that is larger than what is right, so are its
/// roundings.
bool fits(const Judged& one, const CallResults<long double>& results, double threshold) {
    const auto found = results.find(one.name);
    if (found == results.end()) {
        return false;
    }
    const Matrix given = found->second.cast<double>();
    const double larger = std::max(1.0, in_units(given.norm(), one.expected.norm()));
    if (!given.allFinite() || !std::isfinite(larger)) {
        return false;  // a fault whose numbers overflow gives nothing to be like
    }
    for (Index at = 0; at < given.size(); ++at) {
        const double size = given.data()[at];
        const double error = one.beyond_storing(one.found.data()[at] - size, size);
        if (!(in_units(error, one.sigma.data()[at]) <= threshold * larger)) {
            return false;
        }
    }
    return true;
}

/// The rows of a result that are 0 and should not be; none at all where other rows are wrong too.
std::vector<Index> rows_not_written(const Judged& judged, double threshold) {
    std::vector<Index> zeros;
    for (Index t = 0; t < judged.expected.rows(); ++t) {
        double largest = 0.0;
        for (Index c = 0; c < judged.expected.cols(); ++c) {
            largest = std::max(largest, in_sigmas(judged, t, c));
        }
        if (largest <= threshold) {
            continue;
        }
        if (!judged.found.row(t).isZero(0.0)) {
            return {};
        }
        zeros.push_back(t);
    }
    return zeros;
}

bool all_finite(const Judged& judged) {
    return judged.sigma.allFinite() && judged.expected.allFinite();
}

/// A result of which the reference or its spread overflows: nothing is said of its rows.
SharpResult not_compared(const Judged& judged) {
    SharpResult result{.name = judged.name, .verdict = SharpVerdict::undecided};
    result.rows = judged.found.rows();
    result.rows_undecided = result.rows;
    return result;
}

/// What keeps a call from being compared so.
std::string why_silent(const KernelCall& call) {
    for (const char* name : {"gates", "decay"}) {
        const auto found = call.arrays.find(name);
        if (found != call.arrays.end() && std::any_of(found->second.values.begin(),
                                                      found->second.values.end(),
                                                      [](double gate) { return !(gate > 0.0); })) {
            return formatted("{} of 0 or below have no logarithms", name);
        }
    }
    return "";
}

}  // namespace

std::string_view to_string(SharpVerdict verdict) {
    constexpr std::array<std::string_view, 4> kNames{"right", "undecided", "suspicious", "wrong"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

double SharpThresholds::rms_of(Index n) const {
    return std::sqrt(rms * rms + largest * largest / static_cast<double>(std::max<Index>(1, n)));
}

SharpVerdict SharpCheck::verdict() const {
    SharpVerdict worst = SharpVerdict::right;
    for (const SharpResult& result : results) {
        worst = std::max(worst, result.verdict);
    }
    return worst;
}

namespace {

/// The results of a call, group by group, and what is summed over sequences.
class SharpRun {
public:
    SharpRun(const KernelCall& call,
             const KernelArithmetic& arithmetic,
             int threads,
             const SharpThresholds& thresholds,
             const std::vector<ResultSpread>& known)
        : call_(call),
          arithmetic_(arithmetic),
          threads_(threads),
          thresholds_(thresholds),
          stream_(Stream(digest(call)).child("kernel")) {
        for (const ResultSpread& spread : known) {
            known_.emplace(spread.name, spread);
        }
    }

    [[nodiscard]] SharpCheck run() {
        check_.replicas = 2 * kReplicas;
        check_.threshold = thresholds_.largest;
        check_.silent = why_silent(call_);
        if (!check_.silent.empty()) {
            return check_;
        }
        for (const HeadGroup& group : head_groups(call_)) {
            check_group(group);
        }
        for (Index s = 0; s < call_.sequences(); ++s) {
            if (call_.length(s) == 0) {
                check_without_tokens(s);
            }
        }
        for (const auto& [name, reference] : parameters_) {
            const Judged judged = judged_of(name, reference, parameter_errors_);
            if (all_finite(judged)) {
                check_.results.push_back(judge_result(judged, thresholds_, factor()));
                name_parameter_fault(judged, check_.results.back());
            } else {
                overflown_.push_back(not_compared(judged));
            }
        }
        if (check_.results.empty()) {
            check_.silent = "the numbers overflow";
            return check_;
        }
        leave_undecided(check_.results);
        check_.results.insert(check_.results.end(), overflown_.begin(), overflown_.end());
        return check_;
    }

private:
    /// Whether the sequences behind the first one are left out of a sum over all.
    void name_parameter_fault(const Judged& judged, SharpResult& result) {
        if (result.verdict >= SharpVerdict::suspicious && call_.sequences() > 1 &&
            fits(judged, first_shares_, check_.threshold)) {
            result.verdict = SharpVerdict::wrong;
            check_.alike.push_back(
                {"parameter_gradient_of_first_sequence",
                 formatted("{} is that of the first sequence alone", judged.name.array)});
        }
    }

    /// A sequence without tokens hands on its state as it is, and the gradient of that back: exact
    /// but for storing, and for the sum over heads that share a state.
    void check_without_tokens(Index sequence) {
        constexpr std::array<std::pair<const char*, const char*>, 4> kHandedOn{
            {{"final_state", "initial_state"},
             {"final_n", "initial_n"},
             {"dinitial_state", "dfinal_state"},
             {"dinitial_n", "dfinal_n"}}};
        for (const auto& [result, source] : kHandedOn) {
            if (!call_.contains(result)) {
                continue;
            }
            CallResults<double> expected;
            for (Index h = 0; h < call_.heads; ++h) {
                const ResultName name = result_name(call_, result, sequence, h);
                const Matrix found = *found_result(call_, name);
                Matrix share = Matrix::Zero(found.rows(), found.cols());
                if (call_.contains(source)) {
                    const CallArray& array = call_.arrays.at(source);
                    share = head_rows(call_, array, sequence, head_of(call_, array, h));
                }
                add_results(expected, CallResults<double>{{name, share}});
            }
            const Index shares = call_.heads / std::ssize(expected);
            for (const auto& [name, values] : expected) {
                Judged one = unspread(call_, arithmetic_, name, values.cast<long double>());
                one.sigma = static_cast<double>(shares - 1) *
                            unit_roundoff(arithmetic_.accumulator) * values.cwiseAbs();
                check_.results.push_back(judge_result(one, thresholds_, factor()));
            }
        }
    }

    [[nodiscard]] double factor() const { return check_.repeated_rows ? kOfRepeatedRows : 1.0; }

    void check_group(const HeadGroup& group) {
        if (repeats_rows(call_, group)) {
            check_.repeated_rows = true;
            check_.threshold = kOfRepeatedRows * thresholds_.largest;
        }
        require_room(group);
        const CallResults<long double> reference =
            evaluate_group(call_, group, [](Index) { return ExactArithmetic(); }, {});
        std::map<ResultName, ReplicaErrors> errors;
        if (known_.empty()) {
            errors = replica_errors(call_, group, arithmetic_, reference, stream_, threads_);
        }
        std::vector<Judged> judged;
        for (const auto& [name, values] : reference) {
            if (!call_.contains(name.array)) {
                continue;
            }
            if (name.sequence == ResultName::kAllSequences) {
                add_parameter(name, values, errors);
                if (group.sequence == 0) {
                    add_results(first_shares_, CallResults<long double>{{name, values}});
                }
                continue;
            }
            Judged one = judged_of(name, values, errors);
            if (all_finite(one)) {
                judged.push_back(std::move(one));
            } else {
                overflown_.push_back(not_compared(one));
            }
        }
        judge_group(group, judged);
    }

    void require_room(const HeadGroup& group) const {
        const double replicas = 2.0 * static_cast<double>(kReplicas);
        const double running = static_cast<double>(std::max(1, threads_));
        require_memory(
            4.0 * replicas * numbers_of(call_, group) * 3.0 +
                8.0 * running *
                    numbers_of_evaluation(
                        call_, group.sequence, std::max(arithmetic_.chunk, kLeastChunk) / 2),
            "the replicas of a kernel",
            "check it with --no-sharp, or record fewer tokens");
    }

    /// A result with its spread: the known one, or what these errors say.
    [[nodiscard]] Judged judged_of(const ResultName& name,
                                   const MatrixOf<long double>& reference,
                                   const std::map<ResultName, ReplicaErrors>& errors) {
        Judged judged = unspread(call_, arithmetic_, name, reference);
        if (known_.empty()) {
            check_.spreads.push_back(spread_of(judged, errors.at(name)));
            return with_spread(std::move(judged), check_.spreads.back());
        }
        const auto found = known_.find(name);
        require(found != known_.end(), "sharp_check: got no spread of {}", name.array);
        return with_spread(std::move(judged), found->second);
    }

    void judge_group(const HeadGroup& group, const std::vector<Judged>& judged) {
        const std::size_t first = check_.results.size();
        std::vector<const Judged*> wrong;
        for (const Judged& one : judged) {
            check_.results.push_back(judge_result(one, thresholds_, factor()));
            if (check_.results.back().verdict >= SharpVerdict::suspicious) {
                wrong.push_back(&one);
            }
        }
        if (wrong.empty() || named_) {
            return;
        }
        named_ = true;
        if (!name_odd_numbers(wrong)) {
            const bool forward = std::any_of(wrong.begin(), wrong.end(), [](const Judged* one) {
                return !is_gradient(one->name);
            });
            if (!forward) {
                name_gradient_faults(group, judged);
            }
            name_call_faults(group, wrong, judged, forward ? FaultPass::forward : FaultPass::back);
            if (check_.alike.empty()) {
                name_rows_not_written(wrong);
            }
        }
        for (std::size_t at = first; !check_.alike.empty() && at < check_.results.size(); ++at) {
            SharpVerdict& verdict = check_.results[at].verdict;
            verdict = verdict == SharpVerdict::suspicious ? SharpVerdict::wrong : verdict;
        }
        if (check_.alike.empty()) {
            name_coarse_gates(group, wrong);
        }
    }

    /// Rows of zeros where the reference has others, of results that are right but for them.
    void name_rows_not_written(const std::vector<const Judged*>& wrong) {
        std::vector<SharpLikeness> found;
        for (const Judged* const one : wrong) {
            const std::vector<Index> zeros = rows_not_written(*one, check_.threshold);
            if (zeros.empty()) {
                return;
            }
            found.push_back({"rows_not_written",
                             formatted("{} is 0 in {} rows of head {}, the first {}, the last {}",
                                       one->name.array,
                                       zeros.size(),
                                       one->name.head,
                                       zeros.front(),
                                       zeros.back())});
        }
        check_.alike = std::move(found);
    }

    /// Kernels that sum gates by a product with a matrix of ones sum what matrix units make of
    /// them. That is rounding, and leaves the verdict as it is.
    void name_coarse_gates(const HeadGroup& group, const std::vector<const Judged*>& wrong) {
        const std::string gates = log_gates_of(call_);
        if (gates.empty()) {
            return;
        }
        KernelCall coarse = call_;
        for (double& gate : coarse.arrays.at(gates).values) {
            gate = rounded(Precision::tf32, gate);
        }
        const CallResults<long double> results =
            evaluate_group(coarse, group, [](Index) { return ExactArithmetic(); }, {});
        if (std::all_of(wrong.begin(), wrong.end(), [&](const Judged* one) {
                return fits(*one, results, check_.threshold);
            })) {
            check_.alike.push_back(
                {"gates_in_low_precision",
                 formatted("{} is taken to tf32, 11 bits, before it is summed", gates)});
        }
    }

    /// NaN and infinities look like nothing else.
    bool name_odd_numbers(const std::vector<const Judged*>& wrong) {
        for (const Judged* const one : wrong) {
            for (Index t = 0; t < one->found.rows(); ++t) {
                if (!one->found.row(t).allFinite()) {
                    check_.alike.push_back(
                        {"not_finite",
                         formatted("{} holds NaN or infinite numbers, in head {} from row {} on",
                                   one->name.array,
                                   one->name.head,
                                   t)});
                    return true;
                }
            }
        }
        return false;
    }

    /// Faults of the pass back that give all results of the heads.
    void name_gradient_faults(const HeadGroup& group, const std::vector<Judged>& judged) {
        for (const GradientFault& fault : gradient_faults(call_, group.sequence)) {
            const CallResults<long double> results = evaluate_group(
                call_,
                group,
                [](Index) { return ExactArithmetic(); },
                HeadEvaluation{.fault = fault.planted});
            if (std::all_of(judged.begin(), judged.end(), [&](const Judged& one) {
                    return fits(one, results, check_.threshold);
                })) {
                check_.alike.push_back({fault.name, fault.sentence});
            }
        }
    }

    /// Faults of the pass forward that give all results of the heads that are not right: kernels
    /// make outputs, states and gradients apart, each with arguments of its own. Of the pass back:
    /// that give all results.
    void name_call_faults(const HeadGroup& group,
                          const std::vector<const Judged*>& wrong,
                          const std::vector<Judged>& judged,
                          FaultPass pass) {
        const KernelCall forward = without_gradients(call_);
        std::vector<const Judged*> outputs;
        for (const Judged* const one : wrong) {
            if (!is_gradient(one->name)) {
                outputs.push_back(one);
            }
        }
        std::vector<const Judged*> decisive = wrong;
        if (pass == FaultPass::back) {
            decisive.clear();
            std::transform(
                judged.begin(), judged.end(), std::back_inserter(decisive), [](const Judged& one) {
                    return &one;
                });
        }
        const auto all_fit = [&](const std::vector<const Judged*>& results,
                                 const CallResults<long double>& given) {
            return std::all_of(results.begin(), results.end(), [&](const Judged* one) {
                return fits(*one, given, check_.threshold);
            });
        };
        for (const CallFault& fault : call_faults(call_, group)) {
            if (fault.pass != pass) {
                continue;
            }
            // Outputs alone decide most: gradients cost three times as much.
            const bool outputs_fit =
                pass == FaultPass::back || all_fit(outputs, fault.results(forward, group));
            const bool only_outputs = outputs.size() == decisive.size();
            if (outputs_fit && (only_outputs || all_fit(decisive, fault.results(call_, group)))) {
                check_.alike.push_back({fault.name, fault.sentence});
            }
        }
    }

    void add_parameter(const ResultName& name,
                       const MatrixOf<long double>& reference,
                       std::map<ResultName, ReplicaErrors>& errors) {
        add_results(parameters_, CallResults<long double>{{name, reference}});
        const auto these = errors.find(name);
        if (these == errors.end()) {
            return;
        }
        const auto found = parameter_errors_.find(name);
        if (found == parameter_errors_.end()) {
            parameter_errors_.emplace(name, std::move(these->second));
            return;
        }
        for (std::size_t family = 0; family < 2; ++family) {
            for (std::size_t at = 0; at < these->second[family].size(); ++at) {
                found->second[family][at] += these->second[family][at];
            }
        }
    }

    const KernelCall& call_;
    KernelArithmetic arithmetic_;
    int threads_;
    SharpThresholds thresholds_;
    Stream stream_;
    SharpCheck check_;
    bool named_ = false;
    CallResults<long double> parameters_;
    std::vector<SharpResult> overflown_;
    CallResults<long double> first_shares_;  ///< of the parameters, by the first sequence
    std::map<ResultName, ReplicaErrors> parameter_errors_;
    std::map<ResultName, ResultSpread> known_;
};

}  // namespace

SharpCheck sharp_check(const KernelCall& call,
                       const KernelArithmetic& arithmetic,
                       int threads,
                       const SharpThresholds& thresholds,
                       const std::vector<ResultSpread>& known) {
    return SharpRun(call, arithmetic, threads, thresholds, known).run();
}

namespace {

/// 1 + gain, with three digits of the gain.
std::string factor_text(double gain) {
    const double digits = 2.0 - std::floor(std::log10(std::abs(gain)));
    std::array<char, 64> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "%.*f",
                  static_cast<int>(std::clamp(digits, 0.0, 16.0)),
                  1.0 + gain);
    return text.data();
}

}  // namespace

bool is_gain(const SharpCheck& check,
             const SharpResult& result,
             const SharpThresholds& thresholds) {
    const double factor = check.repeated_rows ? kOfRepeatedRows : 1.0;
    const double level = factor * thresholds.gain * result.gain_of_replicas;
    return result.verdict >= SharpVerdict::suspicious && result.is_scaled &&
           std::abs(result.gain) > level;
}

std::vector<std::string> gain_sentences(const KernelCall& call,
                                        const SharpCheck& check,
                                        const SharpThresholds& thresholds) {
    std::vector<std::string> sentences;
    for (const SharpResult& result : check.results) {
        if (!is_gain(check, result, thresholds)) {
            continue;
        }
        std::string where = call.heads > 1 ? formatted(" in head {}", result.name.head) : "";
        if (call.sequences() > 1 && result.name.sequence >= 0) {
            where += formatted(" of sequence {}", result.name.sequence);
        }
        sentences.push_back(formatted("{} is {} times what it should be{}",
                                      result.name.array,
                                      factor_text(result.gain),
                                      where));
    }
    return sentences;
}

}  // namespace attest
