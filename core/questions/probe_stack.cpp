#include "core/questions/probe_stack.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/questions/certify_stack.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/stack_fit.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

/// Scales of one input, quarters, so that scaled inputs of the grid are exact. One more than the
/// degrees that there are.
constexpr std::array<double, 6> kScales{0.5, 0.75, 1.0, 1.25, 1.5, 1.75};
constexpr Index kNumScales = 6;
constexpr double kInputScale = 0.5;
/// Random inputs beyond ⌈D/o⌉.
constexpr Index kInputsToSpare = 4;

/// What answers in doubles may leave of a part that is not there: their rounding is multiplied by
/// 142, the norm of the inverse that takes the degrees apart.
constexpr double kNothing = 1e-9;
/// The fit, and the part that it has not seen.
constexpr double kFitted = 1e-9;
constexpr double kAgrees = 1e-6;

constexpr Choices<BoxVerdict, 4> kBoxVerdicts{{{BoxVerdict::found, "found_and_locally_determined"},
                                               {BoxVerdict::found_open, "found"},
                                               {BoxVerdict::not_found, "not_found"},
                                               {BoxVerdict::another_layer, "another_layer"}}};

/// Row j takes the part of degree 2j + 1 out of answers at the scales: the inverse of c^(2j+1).
Matrix degrees_apart() {
    Matrix powers(kNumScales, kNumScales);
    for (Index k = 0; k < kNumScales; ++k) {
        for (Index j = 0; j < kNumScales; ++j) {
            powers(k, j) =
                std::pow(kScales[static_cast<std::size_t>(k)], static_cast<double>(2 * j + 1));
        }
    }
    return powers.inverse();
}

/// Input by input the parts of one degree, of numbers that stand as the answers do: six of o
/// entries for each input.
Vector part_of(const Vector& answers, Index o, const Matrix& apart, Index j) {
    const Index inputs = answers.size() / (o * kNumScales);
    Vector part = Vector::Zero(inputs * o);
    for (Index i = 0; i < inputs; ++i) {
        for (Index k = 0; k < kNumScales; ++k) {
            part.segment(i * o, o) += apart(j, k) * answers.segment((i * kNumScales + k) * o, o);
        }
    }
    return part;
}

void require_answers(const Dataset& answers, Index d) {
    require(answers.labels == LabelKind::per_sequence && answers.o() == d,
            "probe: got answers of {} entries, expected y (N,{}), the last token of the box's "
            "output for each query",
            answers.o(),
            d);
    require(answers.num_sequences() > 0 && answers.num_sequences() % kNumScales == 0,
            "probe: got {} queries, expected six for each input, as attest probe --layers 2 wrote "
            "them",
            answers.num_sequences());
    for (Index i = 0; i < answers.num_sequences(); ++i) {
        const Index first = i - i % kNumScales;
        const double scale = kScales[static_cast<std::size_t>(i % kNumScales)];
        require(answers.length(i) == answers.length(first) &&
                    answers.sequence(i) * kScales.front() == answers.sequence(first) * scale,
                "probe: query {} is not {} times query {}: the queries are not those that attest "
                "probe --layers 2 wrote, in their order",
                i,
                scale / kScales.front(),
                first);
    }
}

StackTargets targets_of(const Dataset& answers) {
    StackTargets targets;
    for (Index i = 0; i < answers.num_sequences(); ++i) {
        targets.inputs.emplace_back(answers.sequence(i));
    }
    targets.y = answers.y.reshaped();
    return targets;
}

/// Outputs as the answers stand.
Vector outputs_on(const StackAt<double>& stack, StackTargets targets) {
    targets.mix = Matrix();
    targets.y.setZero();
    return residuals(stack, targets);
}

/// Random parameters of one size; each F_l is a product of four of them.
StackAt<double> start_at(const StackShape& shape, double size, const Stream& stream) {
    StackAt<double> start{shape, {}, {}};
    start.constants.resize(shape.layers.size());
    const Matrix theta =
        size * grid_matrix(grid_normal(), layout_of(shape).num_parameters, 1, stream);
    start.parameters.assign(theta.data(), theta.data() + theta.size());
    return start;
}

/// Fits a stack to the degrees 3, 5 and 7 of a box's answers.
class BoxReader {
public:
    BoxReader(const Dataset& answers, const StackShape& shape)
        : shape_(shape), apart_(degrees_apart()), targets_(targets_of(answers)) {
        targets_.mix = Matrix(3, kNumScales);
        for (Index j = 1; j <= 3; ++j) {
            const double norm = part(targets_.y, j).norm();
            targets_.mix.row(j - 1) = apart_.row(j) / (norm > 0.0 ? norm : 1.0);
        }
    }

    [[nodiscard]] Vector part(const Vector& answers, Index j) const {
        return part_of(answers, shape_.d, apart_, j);
    }

    /// How far the part of degree 2j + 1 is from one that no stack can have otherwise.
    [[nodiscard]] double off(Index j, const Vector& expected) const {
        return (part(targets_.y, j) - expected).norm() / std::max(targets_.y.norm(), kTiny);
    }

    [[nodiscard]] StackFit fit(const Stream& stream) const {
        const StackAt<double> unit = start_at(shape_, 1.0, stream);
        const double ours = part(outputs_on(unit, targets_), 1).norm();
        const double size = ours > 0.0 ? std::pow(part(targets_.y, 1).norm() / ours, 0.25) : 1.0;
        return fit_stack(start_at(shape_, size, stream), targets_);
    }

    /// The part of degree 9 of the answers less that of a stack.
    [[nodiscard]] double degree_9(const StackAt<double>& stack) const {
        const Vector wanted = part(targets_.y, 4);
        return (part(outputs_on(stack, targets_), 4) - wanted).norm() /
               std::max(wanted.norm(), kTiny);
    }

private:
    static constexpr double kTiny = 1e-300;

    const StackShape& shape_;
    Matrix apart_;
    StackTargets targets_;
};

Vector last_tokens(const Dataset& answers) {
    const Index inputs = answers.num_sequences() / kNumScales;
    Vector last(inputs * answers.d());
    for (Index i = 0; i < inputs; ++i) {
        const Index query = i * kNumScales;
        last.segment(i * answers.d(), answers.d()) =
            answers.sequence(query).col(answers.length(query) - 1) / kScales.front();
    }
    return last;
}

std::string sentence(const FoundStack& found) {
    switch (found.verdict) {
        case BoxVerdict::found:
            return "found and locally determined: every stack near it with its answers on these "
                   "queries computes its function (proved). Not proved: that the box is this stack "
                   "beyond rounding, and that no stack far from it answers the same";
        case BoxVerdict::found_open:
            return "found, and not known to be determined by these queries; certify says which "
                   "direction is open";
        case BoxVerdict::not_found:
            return "not found: no start fitted the answers, which proves nothing; more by "
                   "--starts, "
                   "other sizes by --heads and --head-size";
        case BoxVerdict::another_layer:
            break;
    }
    return "the box is not two layers of linear attention with residual connections, or its "
           "answers "
           "are not those of double precision";
}

std::string share(double part) {
    return formatted("{} of the answers", brief(part));
}

}  // namespace

std::string_view to_string(BoxVerdict verdict) {
    return name_of(kBoxVerdicts, verdict);
}

StackShape probed_shape(const StackProbeRequest& request) {
    UniformStack sizes;
    sizes.d = request.d;
    sizes.layers = 2;
    sizes.layer.heads = request.heads;
    sizes.layer.causal = request.causal;
    sizes.layer.residual = true;
    sizes.key_size = request.key_size;
    sizes.value_size = request.value_size;
    sizes.readout = Readout::last;
    return shape_of(sizes);
}

StackProbe probe_stack(const StackProbeRequest& request) {
    StackProbe found;
    found.shape = probed_shape(request);
    found.dimension = dimension({found.shape, request.tokens});
    const Index d = request.d;
    const Index inputs = found.dimension.examples_least + kInputsToSpare;
    Matrix tokens(d, inputs * kNumScales * request.tokens);
    found.queries.offsets.push_back(0);
    for (Index i = 0; i < inputs; ++i) {
        const Matrix Z = kInputScale * grid_matrix(grid_normal(),
                                                   d,
                                                   request.tokens,
                                                   Stream(request.seed).child("probe").child(i));
        for (const double scale : kScales) {
            tokens.middleCols(found.queries.offsets.back(), request.tokens) = scale * Z;
            found.queries.offsets.push_back(found.queries.offsets.back() + request.tokens);
        }
    }
    found.queries.tokens = TokenMatrix(std::move(tokens));
    return found;
}

Output describe(const StackProbe& found) {
    const Index queries = found.queries.num_sequences();
    Output output;
    output.add("architecture", in_words(found.shape));
    output.add("parameters", found.dimension.parameters);
    output.add("dimension",
               found.dimension.rank,
               formatted("{} parameters are real{}",
                         found.dimension.rank,
                         found.dimension.proof == DimensionProof::none ? "" : " (proved)"));
    output.add("num_queries",
               queries,
               formatted("{}: {} inputs at {} scales, which tell the degrees apart",
                         queries,
                         queries / kNumScales,
                         kNumScales));
    return output;
}

FoundStack read_stack_answers(const Dataset& answers,
                              const StackProbeRequest& request,
                              Index starts) {
    FoundStack found;
    found.shape = probed_shape(request);
    require_answers(answers, found.shape.d);
    const BoxReader box(answers, found.shape);
    found.degree_1 = box.off(0, last_tokens(answers));
    found.degree_11 = box.off(5, Vector::Zero(answers.num_sequences() / kNumScales * answers.d()));
    if (found.degree_1 > kNothing || found.degree_11 > kNothing) {
        found.verdict = BoxVerdict::another_layer;
        return found;
    }
    const Stream stream = Stream(request.seed).child("probe_starts");
    StackFit best;
    best.relative = HUGE_VAL;
    while (found.starts < starts && best.relative > kFitted) {
        note_progress("starts", found.starts, starts);
        StackFit fit = box.fit(stream.child(found.starts));
        ++found.starts;
        if (fit.relative < best.relative) {
            best = std::move(fit);
        }
    }
    found.misfit = best.relative;
    if (best.relative > kFitted) {
        return found;
    }
    Stack stack;
    stack.shape = found.shape;
    stack.parameters = best.parameters;
    stack.constants.resize(stack.shape.layers.size());
    found.degree_9 = box.degree_9(in_doubles(stack));
    if (*found.degree_9 > kAgrees) {
        found.verdict = BoxVerdict::another_layer;
        return found;
    }
    found.local = local_stack(answers, stack);
    found.verdict = found.local->verdict == StackVerdict::determined ? BoxVerdict::found
                                                                     : BoxVerdict::found_open;
    found.stack = std::move(stack);
    return found;
}

Decision decision(const FoundStack& found) {
    switch (found.verdict) {
        case BoxVerdict::found:
            return Decision::yes;
        case BoxVerdict::another_layer:
            return Decision::no;
        case BoxVerdict::found_open:
        case BoxVerdict::not_found:
            break;
    }
    return Decision::undecided;
}

Output describe(const FoundStack& found) {
    Output output;
    output.add("architecture", in_words(found.shape));
    output.add("verdict", to_string(found.verdict), sentence(found));
    output.add("starts", found.starts);
    output.add("degree_1",
               number_or_null(found.degree_1),
               share(found.degree_1) + ": the part of degree 1 less the last token");
    output.add("degree_11",
               number_or_null(found.degree_11),
               share(found.degree_11) + ": the part of degree 11, which is 0");
    if (found.misfit) {
        output.add("misfit",
                   number_or_null(*found.misfit),
                   brief(*found.misfit) + " of the degrees 3, 5 and 7, which were fitted");
    }
    if (found.degree_9) {
        output.add("degree_9",
                   number_or_null(*found.degree_9),
                   brief(*found.degree_9) + " of the degree 9, which was not");
    }
    if (found.local) {
        output.add("rank",
                   found.local->rank,
                   formatted("{} of the derivative on the queries", found.local->rank));
        output.add("dimension",
                   found.local->dimension,
                   formatted("{} of the family{}",
                             found.local->dimension,
                             found.local->dimension_proved ? " (proved)" : ""));
    }
    return output;
}

}  // namespace attest
