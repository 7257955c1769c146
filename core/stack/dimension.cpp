#include "core/stack/dimension.hpp"

#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/dimension_bound.hpp"
#include "core/stack/jacobian.hpp"
#include "core/stack/numerical_rank.hpp"
#include "core/stack/residue_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<StackArithmetic, 4> kArithmetics{{{StackArithmetic::residues, "residues"},
                                                    {StackArithmetic::rationals, "rationals"},
                                                    {StackArithmetic::powers, "powers"},
                                                    {StackArithmetic::floating, "floating"}}};
constexpr Choices<DimensionProof, 3> kProofs{{{DimensionProof::symmetries, "symmetries"},
                                              {DimensionProof::bound, "bound"},
                                              {DimensionProof::none, "none"}}};

/// Points that are tried before a rank below its upper bound is reported.
constexpr Index kPoints = 3;
/// Examples in a row that must not enlarge a rank before it is taken as the end.
constexpr Index kIdleExamples = 3;
/// Examples whose denominator vanishes are drawn again, so often at the most.
constexpr Index kDraws = 1000;

/// Integers of a kind of number: all residues, or small ones where sizes matter.
template <class Value>
std::int64_t draw_integer(Draws& draws, std::int64_t largest) {
    if constexpr (std::is_same_v<Value, ResidueNumber<kStackPrime>>) {
        return static_cast<std::int64_t>(draws.below(kStackPrime));
    } else {
        return static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(2 * largest + 1))) -
               largest;
    }
}

constexpr std::int64_t kLargestParameter = 3;
constexpr std::int64_t kLargestInput = 2;

/// Decays, cosines and sines of a layer: decays differ; (c, s) = ((1−x²)/(1+x²), 2x/(1+x²)) is a
/// rational rotation for every x.
struct ConstantSources {
    std::vector<std::int64_t> decays;
    std::vector<std::int64_t> slopes;  ///< x of each pair

    [[nodiscard]] std::vector<std::int64_t> all() const {
        std::vector<std::int64_t> both = decays;
        both.insert(both.end(), slopes.begin(), slopes.end());
        return both;
    }
};

ConstantSources constant_sources(const StackLayer& layer) {
    ConstantSources sources;
    for (Index h = 0; layer.decay == StackDecay::fixed && h < layer.heads; ++h) {
        sources.decays.push_back(h + 2);
    }
    for (Index pair = 0; layer.rotary && pair < layer.key_size / 2; ++pair) {
        sources.slopes.push_back(pair + 2);
    }
    return sources;
}

template <class Value>
LayerConstants<Value> constants_of(const ConstantSources& sources) {
    LayerConstants<Value> constants;
    for (const std::int64_t decay : sources.decays) {
        constants.decay.push_back(static_cast<Value>(decay));
    }
    for (const std::int64_t slope : sources.slopes) {
        const auto x = static_cast<Value>(slope);
        const Value one(1);
        const Value denominator = one + x * x;
        constants.cosine.push_back((one - x * x) / denominator);
        constants.sine.push_back((x + x) / denominator);
    }
    return constants;
}

template <class Value>
using ImageOf = TangentOf<Value>;

/// A point and what its derivative on examples spans.
template <class Value>
class ExactRanking {
public:
    using Residue = ImageOf<Value>;

    ExactRanking(const DimensionRequest& request, const Stream& stream)
        : request_(request),
          layout_(layout_of(request.shape)),
          inputs_(stream.child("inputs")),
          basis_(modulus_of<Residue>(), layout_.num_parameters) {
        Draws draws(stream.child("parameters"));
        point_.prime = Residue::kModulus;
        StackAt<Value> stack{request.shape, {}, {}};
        for (Index k = 0; k < layout_.num_parameters; ++k) {
            point_.parameters.push_back(draw_integer<Value>(draws, kLargestParameter));
            stack.parameters.push_back(Value(point_.parameters.back()));
        }
        for (const StackLayer& layer : request.shape.layers) {
            const ConstantSources sources = constant_sources(layer);
            point_.constants.push_back(sources.all());
            stack.constants.push_back(constants_of<Value>(sources));
        }
        jacobian_.emplace(stack);
        rank_fields(stack);
    }

    [[nodiscard]] Index symmetry_rank() const {
        return static_cast<Index>(point_.field_rows.size());
    }

    [[nodiscard]] const std::vector<LostToSymmetry>& lost() const { return lost_; }

    /// Examples until the rank is `upper`, or does not grow any more.
    Index rank(Index upper) {
        const Index outputs = request_.shape.outputs(request_.tokens);
        const Index expected = (upper + outputs - 1) / outputs;
        Index idle = 0;
        while (basis_.rank() < upper && idle < kIdleExamples) {
            const Index before = basis_.rank();
            throw_if_interrupted("dimension");
            note_progress("rank", std::min(before, upper), upper);
            append_example();
            if (static_cast<Index>(point_.inputs.size()) >= expected) {
                basis_.flush();
                idle = basis_.rank() > before ? 0 : idle + 1;
            }
        }
        return basis_.rank();
    }

    [[nodiscard]] StackPoint point() const {
        StackPoint point = point_;
        point.rows = basis_.pivot_rows();
        point.columns = basis_.pivots();
        return point;
    }

private:
    void rank_fields(const StackAt<Value>& stack) {
        std::vector<Residue> images;
        for (const Value& value : stack.parameters) {
            images.push_back(Calculus<Value>::image(value));
        }
        SymmetryRank found = attest::symmetry_rank(request_.shape, images);
        lost_ = std::move(found.lost);
        point_.field_rows = std::move(found.rows);
        point_.field_columns = std::move(found.columns);
    }

    void append_example() {
        for (Index draw = 0; draw < kDraws; ++draw) {
            Draws draws(inputs_.child(next_draw_++));
            MatrixOf<std::int64_t> input(request_.shape.d, request_.tokens);
            MatrixOf<Value> X(request_.shape.d, request_.tokens);
            for (Index k = 0; k < X.size(); ++k) {
                input(k) = draw_integer<Value>(draws, kLargestInput);
                X(k) = Value(input(k));
            }
            try {
                const StackDerivative<Value> found = jacobian_->at(X);
                basis_.append(modular(found.J), ModularMatrix(found.J.rows(), 0));
                point_.inputs.push_back(std::move(input));
                return;
            } catch (const InvalidInput&) {
                // A denominator vanishes modulo the prime, or a relu is 0: another example.
            }
        }
        throw BrokenInvariant("dimension: every example has a denominator that vanishes");
    }

    const DimensionRequest& request_;
    StackLayout layout_;
    Stream inputs_;
    Index next_draw_ = 0;
    StackPoint point_;
    std::optional<StackJacobian<Value>> jacobian_;
    ModularRowBasis basis_;
    std::vector<LostToSymmetry> lost_;
};

/// Upper bound and what is lost, then ranks at points until they meet.
template <class Value>
void rank_exactly(const DimensionRequest& request, StackDimension& found) {
    for (Index k = 0; k < kPoints; ++k) {
        ExactRanking<Value> ranking(request, Stream(request.seed).child("point").child(k));
        if (ranking.symmetry_rank() > found.symmetry_rank || found.lost.empty()) {
            found.symmetry_rank = ranking.symmetry_rank();
            found.lost = ranking.lost();
        }
        const Index by_fields = found.parameters - ranking.symmetry_rank();
        found.upper = std::min(
            {k == 0 ? by_fields : found.upper, by_fields, found.bound.value_or(by_fields)});
        const Index rank = ranking.rank(found.upper);
        ensure(rank <= found.upper, "dimension: a rank exceeds its bound");
        if (k == 0 || rank > found.rank) {
            found.rank = rank;
            found.point = ranking.point();
            found.examples = static_cast<Index>(found.point->inputs.size());
            found.proof = rank + ranking.symmetry_rank() == found.parameters
                              ? DimensionProof::symmetries
                          : found.bound == rank ? DimensionProof::bound
                                                : DimensionProof::none;
        }
        if (found.proof != DimensionProof::none) {
            return;
        }
    }
}

Matrix normal_matrix(Index rows, Index cols, const Stream& stream) {
    return grid_matrix(grid_normal(), rows, cols, stream);
}

StackAt<double> floating_point_of(const StackShape& shape, Index parameters, const Stream& stream) {
    StackAt<double> stack{shape, {}, {}};
    const Matrix theta = normal_matrix(parameters, 1, stream.child("parameters"));
    stack.parameters.assign(theta.data(), theta.data() + theta.size());
    for (const StackLayer& layer : shape.layers) {
        LayerConstants<double> constants = constants_of<double>(constant_sources(layer));
        for (double& decay : constants.decay) {
            decay = 1.0 / decay;
        }
        stack.constants.push_back(std::move(constants));
    }
    return stack;
}

void rank_numerically(const DimensionRequest& request, StackDimension& found) {
    // Symmetries are polynomial, so that any residues bound what they lose.
    using Residue = ResidueNumber<kStackPrime>;
    const Stream stream = Stream(request.seed).child("floating");
    Draws draws(stream.child("residues"));
    std::vector<Residue> residues;
    for (Index k = 0; k < found.parameters; ++k) {
        residues.emplace_back(static_cast<std::int64_t>(1 + draws.below(kStackPrime - 1)));
    }
    SymmetryRank fields = symmetry_rank(request.shape, residues);
    found.lost = std::move(fields.lost);
    found.symmetry_rank = fields.rank();
    found.upper =
        std::min(found.parameters - fields.rank(), found.bound.value_or(found.parameters));
    // Six times the least number of examples: the smallest singular values grow with them.
    constexpr Index kMoreExamples = 6;
    const Index examples = (found.upper / found.outputs + 1) * kMoreExamples;
    StackJacobian<double> jacobian(floating_point_of(request.shape, found.parameters, stream));
    Matrix J(examples * found.outputs, found.parameters);
    for (Index i = 0; i < examples; ++i) {
        throw_if_interrupted("dimension");
        note_progress("derivatives", i, examples);
        J.middleRows(i * found.outputs, found.outputs) =
            jacobian
                .at(normal_matrix(request.shape.d, request.tokens, stream.child("inputs").child(i)))
                .J;
    }
    std::tie(found.rank, found.gap) = numerical_rank(std::move(J));
    found.examples = examples;
}

}  // namespace

std::string_view to_string(StackArithmetic arithmetic) {
    return name_of(kArithmetics, arithmetic);
}

std::string_view to_string(DimensionProof proof) {
    return name_of(kProofs, proof);
}

StackArithmetic arithmetic_for(const StackShape& shape) {
    Index softmax = 0;
    bool relu = false;
    bool rotary = false;
    for (const StackLayer& layer : shape.layers) {
        if (layer.norm != StackNorm::none || layer.activation == Activation::gelu) {
            return StackArithmetic::floating;
        }
        softmax += layer.score == StackScore::softmax ? 1 : 0;
        rotary = rotary || layer.rotary;
        relu = relu || layer.activation == Activation::relu;
    }
    // A rational rotation makes rational scores, of which 2^x has no further power.
    if (shape.final_norm != StackNorm::none || softmax > 2 || (softmax > 0 && relu) ||
        (softmax > 1 && rotary)) {
        return StackArithmetic::floating;
    }
    return softmax > 0 ? StackArithmetic::powers
           : relu      ? StackArithmetic::rationals
                       : StackArithmetic::residues;
}

double dimension_bytes(Index parameters) {
    const auto P = static_cast<double>(parameters);
    // A reduced basis of residues, at most P²/4, twice while it grows; fields, and a block of rows.
    return 8.0 * P * (P / 2.0 + 512.0) + 4.0 * P * P;
}

double dimension_seconds(const DimensionRequest& request) {
    const auto P = static_cast<double>(layout_of(request.shape).num_parameters);
    const StackArithmetic arithmetic =
        request.numerical ? StackArithmetic::floating : arithmetic_for(request.shape);
    if (arithmetic == StackArithmetic::floating) {
        return 6e-10 * P * P * P;  // measured 4.1 s at P = 2048, 0.68 s at 1152, 1.25 times as fast
    }
    // Elimination, and derivatives of about P outputs by P parameters: 5.4 s at P = 4608, 24 s at
    // 8192; with softmax 13 s at 4608, 0.33 s at 1152; in rationals 1.4 s at 384.
    const double derivative = arithmetic == StackArithmetic::residues ? 1.6e-7
                              : arithmetic == StackArithmetic::powers ? 6e-7
                                                                      : 1.5e-5;
    return 3.5e-11 * P * P * P + derivative * P * P * static_cast<double>(request.tokens) / 3.0;
}

StackDimension dimension(const DimensionRequest& request) {
    require(request.tokens >= 1, "dimension: got {} tokens, expected at least 1", request.tokens);
    StackDimension found;
    found.tokens = request.tokens;
    found.outputs = request.shape.outputs(request.tokens);
    found.parameters = layout_of(request.shape).num_parameters;
    found.arithmetic =
        request.numerical ? StackArithmetic::floating : arithmetic_for(request.shape);
    found.bound = dimension_bound(request.shape, request.tokens);
    found.upper = found.parameters;
    require_memory(dimension_bytes(found.parameters),
                   formatted("the dimension of {} parameters", found.parameters),
                   "ask for fewer or smaller layers");
    switch (found.arithmetic) {
        case StackArithmetic::residues:
            rank_exactly<ResidueNumber<kStackPrime>>(request, found);
            break;
        case StackArithmetic::rationals:
            rank_exactly<Rational>(request, found);
            break;
        case StackArithmetic::powers:
            rank_exactly<PowerNumber>(request, found);
            break;
        case StackArithmetic::floating:
            rank_numerically(request, found);
            break;
    }
    found.examples_least = (found.rank + found.outputs - 1) / found.outputs;
    return found;
}

}  // namespace attest
