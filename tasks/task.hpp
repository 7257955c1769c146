#pragma once

#include "core/base/choice.hpp"
#include "core/base/shape.hpp"
#include "core/data/dataset.hpp"
#include "core/data/sources/moments.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// One drawn sequence with its labels: Z is d×n; y is o×1 (per_sequence), o×n (per_prefix) or 0×0.
struct Sequence {
    Matrix Z;
    Matrix y;
    LayerColumns columns = {};  ///< what the task's layer reads beside Z
};

/// What a task promises about its data.
struct TaskTraits {
    Index d = 0;
    Index o = 0;  ///< 0 without labels
    LabelKind labels = LabelKind::per_sequence;
    bool realisable = true;  ///< labels are MHLA_Θ of the truth, up to rounding
    bool bitwise = true;  ///< inputs lie on a dyadic grid: their cubic features are exact in double
    Index max_length = 0;   ///< the longest sequence drawn
    Layer layer = {};       ///< what the labels are of, and
    LayerInput input = {};  ///< the sizes that it reads; for the paper's layer d says all
};

/// What a task is called, with what parameters, and from which stream it draws. Names and values
/// are those make_task takes.
struct TaskDescription {
    std::string name;
    std::vector<std::pair<std::string, std::string>> parameters;
    std::string stream;  ///< path of the root stream
};

/// A generator of sequences with its ground truth. `draw(i)`, i ≥ 0, is a pure function of i:
/// independent of order, of the number of sequences and of threads.
class Task {
public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    Task(Task&&) = delete;
    Task& operator=(Task&&) = delete;
    virtual ~Task() = default;

    [[nodiscard]] virtual TaskTraits traits() const = 0;
    [[nodiscard]] virtual TaskDescription description() const = 0;
    /// Number of tokens of draw(i).
    [[nodiscard]] virtual Index length(Index i) const = 0;
    [[nodiscard]] virtual Sequence draw(Index i) const = 0;
    [[nodiscard]] virtual GroundTruth truth() const = 0;
};

/// Sequences first … first+count−1 of the task in memory, with truth and meta (JSON: task,
/// parameters, stream, first, count, realisable, bitwise). Bit-identical for any `threads`.
/// Throws InvalidInput unless first ≥ 0 and count ≥ 1, EnvironmentFailure if memory does not do.
[[nodiscard]] Dataset materialise(const Task& task, Index first, Index count, int threads);

/// Sequences drawn to see what one takes, at most; fewer than so many are not worth it.
inline constexpr Index kTrialDraws = 32;

/// About how many seconds materialise takes on this machine, from trial draws spread over the
/// range; 0 of fewer than kTrialDraws sequences. Throws as materialise does for first and count.
[[nodiscard]] double drawing_seconds(const Task& task, Index first, Index count, int threads);

/// The same examples as moments, drawn when asked for: never more than one block in memory. The
/// task must outlive it.
class TaskSource final : public MomentSource {
public:
    TaskSource(const Task& task, Index first, Index count);

    [[nodiscard]] SourceShape shape() const override { return shape_; }

    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    const Task& task_;
    Index first_;
    Index count_;
    Index sequences_per_block_;
    SourceShape shape_;
};

/// One parameter of a task, as help texts list it.
struct TaskParameter {
    std::string name;
    std::string default_value;
    std::string description;
};

/// Bounds of what make_task accepts, so that a slip of the keyboard does not ask for a terabyte.
inline constexpr Index kLargestDimension = 256;
inline constexpr Index kMostHeads = 65536;

/// Sequence lengths, drawn uniformly between both ends.
struct LengthRange {
    Index shortest = 1;
    Index longest = 1;
};

/// "16", or "4..32" when the ends differ.
[[nodiscard]] std::string to_string(const LengthRange& range);

/// Reads parameter values by name; what is not given has its default.
class ParameterReader {
public:
    /// Throws UnknownName if a given name is not among `known`.
    ParameterReader(std::string task,
                    std::vector<TaskParameter> known,
                    std::map<std::string, std::string> given);

    [[nodiscard]] const std::string& text(const std::string& name) const;
    /// Throws InvalidInput unless the value is an integer within lowest … highest.
    [[nodiscard]] Index integer(const std::string& name, Index lowest, Index highest) const;
    /// Throws InvalidInput unless the value is a finite number within lowest … highest.
    [[nodiscard]] double real(const std::string& name, double lowest, double highest) const;
    /// "n" or "n..m", 1 ≤ n ≤ m ≤ 2²⁴. Throws InvalidInput otherwise.
    [[nodiscard]] LengthRange lengths(const std::string& name) const;

    /// The choice of that name. Throws UnknownName listing the names.
    template <class Enum, std::size_t N>
    [[nodiscard]] Enum choice(const std::string& name, const Choices<Enum, N>& choices) const {
        return choice_named(where(name), text(name), choices);
    }

private:
    /// "task random-linear-attention: n", the start of every message.
    [[nodiscard]] std::string where(const std::string& name) const;

    std::string task_;
    std::vector<TaskParameter> known_;
    std::map<std::string, std::string> given_;
};

}  // namespace attest
