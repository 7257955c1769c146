#include "core/kernels/sharp/sharp_check.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/memory.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"
#include "core/kernels/sharp/gradient_faults.hpp"
#include "core/kernels/sharp/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
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
    std::array<std::vector<Eigen::MatrixXf>, 2> errors;  ///< of replicas, by family

    [[nodiscard]] double beyond_storing(double error, Index at) const {
        const double allowed =
            storing * std::abs(expected.data()[at]) * (1.0 + 0x1p-20) + underflow;
        return std::max(0.0, std::abs(error) - allowed);
    }
};

double in_units(double error, double sigma) {
    return is_zero(error) ? 0.0 : error / sigma;
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
            const Index at = c * judged.expected.rows() + t;
            const double found = judged.found(t, c);
            const double expected = judged.expected(t, c);
            const double ratio =
                std::isfinite(found)
                    ? in_units(judged.beyond_storing(found - expected, at), judged.sigma(t, c))
                    : std::numeric_limits<double>::infinity();
            outside = outside || ratio > threshold;
            nonzero = nonzero || !is_zero(expected);
            vacuous = vacuous && in_units(judged.beyond_storing(expected, at),
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
    return largest <= thresholds.largest &&
           squares <= thresholds.rms * thresholds.rms * static_cast<double>(left.size());
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
    result.gain_of_replicas = std::max({root_mean_square_gain(judged, judged.errors[0], sigma),
                                        root_mean_square_gain(judged, judged.errors[1], sigma),
                                        least_gain(judged, sigma)});
    result.is_scaled = is_right_without(result.gain, judged, error, sigma, thresholds);
    const double worst =
        std::max({result.largest / thresholds.largest,
                  result.rms / thresholds.rms,
                  in_units(std::abs(result.gain), result.gain_of_replicas) / thresholds.gain}) /
        factor;
    if (worst > thresholds.wrong) {
        result.verdict = SharpVerdict::wrong;
    } else if (worst > 1.0) {
        result.verdict = SharpVerdict::suspicious;
    } else if (2 * result.rows_undecided > result.rows) {
        result.verdict = SharpVerdict::undecided;
    }
    return result;
}

/// All evaluations of a group: the reference and the replicas' errors.
class GroupSpread {
public:
    GroupSpread(const KernelCall& call, const KernelArithmetic& arithmetic, const HeadGroup& group)
        : call_(call),
          arithmetic_(arithmetic),
          group_(group),
          unit_(arithmetic.slack * unit_roundoff(arithmetic.accumulator)),
          operand_unit_(unit_roundoff(arithmetic.operands) > unit_roundoff(arithmetic.accumulator)
                            ? arithmetic.slack * unit_roundoff(arithmetic.operands)
                            : 0.0) {}

    void run(const Stream& stream, int threads) {
        reference_ = evaluate_group(call_, group_, [](Index) { return ExactArithmetic(); }, {});
        std::vector<CallResults<double>> replicas(2 * kReplicas);
        parallel_for(2 * kReplicas, threads, [&](Index at) {
            const auto family =
                at < kReplicas ? ReplicaFamily::token_by_token : ReplicaFamily::chunked;
            replicas[static_cast<std::size_t>(at)] = replica(family, at % kReplicas, stream);
        });
        for (std::size_t at = 0; at < replicas.size(); ++at) {
            for (const auto& [name, values] : replicas[at]) {
                const Matrix expected = reference_.at(name).cast<double>();
                errors_[name][at / kReplicas].push_back((values - expected).cast<float>());
            }
            replicas[at].clear();
        }
    }

    [[nodiscard]] const CallResults<long double>& reference() const { return reference_; }

    using Errors = std::array<std::vector<Eigen::MatrixXf>, 2>;

    [[nodiscard]] const std::map<ResultName, Errors>& errors() const { return errors_; }

private:
    [[nodiscard]] CallResults<double> replica(ReplicaFamily family,
                                              Index number,
                                              const Stream& stream) const {
        HeadEvaluation evaluation;
        if (family == ReplicaFamily::chunked) {
            const Index chunk = std::max(arithmetic_.chunk, kLeastChunk);
            evaluation.chunk = number % 2 == 0 ? chunk : chunk / 2;
        }
        const Stream own = stream.child(family == ReplicaFamily::chunked ? "chunked" : "token")
                               .child(number)
                               .child(group_.sequence);
        return evaluate_group(
            call_,
            group_,
            [&](Index h) { return RandomArithmetic(unit_, operand_unit_, own.child(h)); },
            evaluation);
    }

    const KernelCall& call_;
    KernelArithmetic arithmetic_;
    HeadGroup group_;
    double unit_;
    double operand_unit_;
    CallResults<long double> reference_;
    std::map<ResultName, Errors> errors_;
};

Judged judged_of(const KernelCall& call,
                 const KernelArithmetic& arithmetic,
                 const ResultName& name,
                 const Matrix& expected,
                 const GroupSpread::Errors& errors) {
    const Precision stored = stored_in(call, arithmetic, name);
    const bool coarser = unit_roundoff(stored) > unit_roundoff(arithmetic.accumulator);
    return {name,
            *found_result(call, name),
            expected,
            pooled_sigma(errors[0], errors[1]),
            coarser ? unit_roundoff(stored) : 0.0,
            underflow_unit(stored) + kUnderflows * underflow_unit(arithmetic.accumulator),
            errors};
}

/// Whether a fault's own gradients are within the threshold of all that the group has.
bool fault_fits(const KernelCall& call,
                const HeadGroup& group,
                const GradientFault& fault,
                const std::vector<Judged>& judged,
                double threshold) {
    const auto results = evaluate_group(
        call,
        group,
        [](Index) { return ExactArithmetic(); },
        HeadEvaluation{.chunk = {}, .fault = fault.planted});
    return std::all_of(judged.begin(), judged.end(), [&](const Judged& one) {
        if (one.name.sequence == ResultName::kAllSequences) {
            return true;
        }
        const Matrix expected = results.at(one.name).cast<double>();
        for (Index at = 0; at < expected.size(); ++at) {
            const double error = one.beyond_storing(one.found.data()[at] - expected.data()[at], at);
            if (!(in_units(error, one.sigma.data()[at]) <= threshold)) {
                return false;
            }
        }
        return true;
    });
}

bool all_finite(const Judged& judged) {
    return judged.sigma.allFinite() && judged.expected.allFinite();
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
             const SharpThresholds& thresholds)
        : call_(call),
          arithmetic_(arithmetic),
          threads_(threads),
          thresholds_(thresholds),
          stream_(Stream(digest(call)).child("kernel")) {}

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
        for (auto& [name, errors] : parameter_errors_) {
            const Judged judged =
                judged_of(call_, arithmetic_, name, parameters_.at(name).cast<double>(), errors);
            if (all_finite(judged)) {
                check_.results.push_back(judge_result(judged, thresholds_, factor()));
            }
        }
        if (check_.results.empty()) {
            check_.silent = "the numbers overflow";
        }
        return check_;
    }

private:
    [[nodiscard]] double factor() const { return check_.repeated_rows ? kOfRepeatedRows : 1.0; }

    void check_group(const HeadGroup& group) {
        const double replicas = 2.0 * static_cast<double>(kReplicas);
        const double running = static_cast<double>(std::max(1, threads_));
        require_memory(
            4.0 * replicas * numbers_of(call_, group) * 3.0 +
                8.0 * running *
                    numbers_of_evaluation(
                        call_, group.sequence, std::max(arithmetic_.chunk, kLeastChunk) / 2),
            "the replicas of a kernel",
            "check it with --no-sharp, or record fewer tokens");
        if (repeats_rows(call_, group)) {
            check_.repeated_rows = true;
            check_.threshold = kOfRepeatedRows * thresholds_.largest;
        }
        GroupSpread spread(call_, arithmetic_, group);
        spread.run(stream_, threads_);
        std::vector<Judged> judged;
        for (const auto& [name, errors] : spread.errors()) {
            if (!call_.contains(name.array)) {
                continue;
            }
            if (name.sequence == ResultName::kAllSequences) {
                add_parameter(name, spread.reference().at(name), errors);
                continue;
            }
            Judged one = judged_of(
                call_, arithmetic_, name, spread.reference().at(name).cast<double>(), errors);
            if (all_finite(one)) {
                judged.push_back(std::move(one));
            }
        }
        judge_group(group, judged);
    }

    void judge_group(const HeadGroup& group, const std::vector<Judged>& judged) {
        bool gradients_are_right = true;
        const std::size_t first = check_.results.size();
        for (const Judged& one : judged) {
            const SharpResult result = judge_result(one, thresholds_, factor());
            const bool gradient = call_.arrays.count(one.name.array.substr(1)) > 0 ||
                                  one.name.array.rfind("dinitial", 0) == 0;
            gradients_are_right =
                gradients_are_right && !(gradient && result.verdict >= SharpVerdict::suspicious);
            check_.results.push_back(result);
        }
        if (gradients_are_right || named_) {
            return;
        }
        named_ = true;
        for (const GradientFault& fault : gradient_faults(call_, group.sequence)) {
            if (fault_fits(call_, group, fault, judged, check_.threshold)) {
                check_.alike.push_back({fault.name, fault.sentence});
            }
        }
        for (std::size_t at = first; !check_.alike.empty() && at < check_.results.size(); ++at) {
            SharpVerdict& verdict = check_.results[at].verdict;
            verdict = verdict == SharpVerdict::suspicious ? SharpVerdict::wrong : verdict;
        }
    }

    void add_parameter(const ResultName& name,
                       const MatrixOf<long double>& reference,
                       const GroupSpread::Errors& errors) {
        const auto found = parameters_.find(name);
        if (found == parameters_.end()) {
            parameters_.emplace(name, reference);
            parameter_errors_.emplace(name, errors);
            return;
        }
        found->second += reference;
        GroupSpread::Errors& sums = parameter_errors_.at(name);
        for (std::size_t family = 0; family < 2; ++family) {
            for (std::size_t at = 0; at < errors[family].size(); ++at) {
                sums[family][at] += errors[family][at];
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
    std::map<ResultName, GroupSpread::Errors> parameter_errors_;
};

}  // namespace

SharpCheck sharp_check(const KernelCall& call,
                       const KernelArithmetic& arithmetic,
                       int threads,
                       const SharpThresholds& thresholds) {
    return SharpRun(call, arithmetic, threads, thresholds).run();
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

std::vector<std::string> gain_sentences(const KernelCall& call,
                                        const SharpCheck& check,
                                        const SharpThresholds& thresholds) {
    std::vector<std::string> sentences;
    const double factor = check.repeated_rows ? kOfRepeatedRows : 1.0;
    for (const SharpResult& result : check.results) {
        const double level = factor * thresholds.gain * result.gain_of_replicas;
        if (result.verdict < SharpVerdict::suspicious || !result.is_scaled ||
            !(std::abs(result.gain) > level)) {
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
