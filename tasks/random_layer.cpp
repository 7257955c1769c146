#include "tasks/random_layer.hpp"

#include "core/base/text.hpp"
#include "core/features/cubic.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "tasks/labels.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMostLevels = 1000;
constexpr Index kMostFeatures = 1000000;

TaskDescription describe(const RandomLayerOptions& options) {
    return {"random-layer",
            {{"layer", to_string(options.layer)},
             {"d", std::to_string(options.d)},
             {"o", std::to_string(options.o)},
             {"n", to_string(options.n)},
             {"labels", std::string(to_string(options.labels))},
             {"width", std::to_string(options.width)},
             {"levels", std::to_string(options.levels)}},
            {}};
}

LayerInput input_of(const RandomLayerOptions& options) {
    const Layer& layer = options.layer;
    LayerInput input;
    if (layer.form == TokenForm::supplied) {
        input.state = options.width + 1;
        input.query = options.width;
        return input;
    }
    input.d = options.d;
    input.x = layer.cross ? options.width : 0;
    input.phi = layer.has_own_keys() ? options.width : 0;
    return input;
}

class RandomLayer final : public Task {
public:
    RandomLayer(RandomLayerOptions options, const Stream& stream)
        : options_(std::move(options)), input_(input_of(options_)), stream_(stream) {
        const FeatureLayout layout = layout_of(options_.layer, input_);
        require(layout.psi() <= kMostFeatures,
                "task random-layer: the layer {} has {} features, expected at most {}; take a "
                "smaller d or width",
                to_string(options_.layer),
                layout.psi(),
                kMostFeatures);
        P_ = grid_matrix(grid_normal(), layout.psi(), options_.o, stream.child("truth")) /
             std::sqrt(static_cast<double>(layout.psi()));
    }

    [[nodiscard]] TaskTraits traits() const override {
        TaskTraits traits;
        traits.d = input_.d;
        traits.o = options_.o;
        traits.labels = options_.labels;
        traits.bitwise = options_.layer.is_linear() && options_.levels == 0 &&
                         options_.n.longest <= grid_normal().exact_feature_length();
        traits.max_length = options_.n.longest;
        traits.layer = options_.layer;
        traits.input = input_;
        return traits;
    }

    [[nodiscard]] TaskDescription description() const override {
        TaskDescription description = describe(options_);
        description.stream = stream_.path();
        return description;
    }

    [[nodiscard]] Index length(Index i) const override {
        Draws draws(stream_.child("length").child(i));
        const Index choices = options_.n.longest - options_.n.shortest + 1;
        return options_.n.shortest +
               static_cast<Index>(draws.below(static_cast<std::uint64_t>(choices)));
    }

    [[nodiscard]] Sequence draw(Index i) const override {
        const Stream stream = stream_.child("sequence").child(i);
        Dataset data;
        data.layer = options_.layer;
        data.labels = options_.labels;
        const Index n = length(i);
        data.offsets = {0, n};
        data.tokens = entries(input_.d, n, stream.child("Z"));
        data.y = Matrix::Zero(options_.o, data.num_examples());
        data.columns = columns(data, stream);
        label(data);
        return {std::move(data.tokens.own()), std::move(data.y), std::move(data.columns)};
    }

    [[nodiscard]] GroundTruth truth() const override { return {std::nullopt, P_}; }

private:
    /// In an order of its own: the same bits on every machine.
    void label(Dataset& data) const {
        const MomentBatch batch = sequence_moments<double>(data, 0, 1);
        for (Index e = 0; e < batch.size(); ++e) {
            const Vector h =
                features_of_moments<double>(data.layout(), batch.S.col(e), batch.u.col(e));
            for (Index a = 0; a < options_.o; ++a) {
                double sum = 0.0;
                for (Index i = 0; i < h.size(); ++i) {
                    sum += P_(i, a) * h(i);
                }
                data.y(a, e) = sum;
            }
        }
    }

    [[nodiscard]] Matrix entries(Index rows, Index cols, const Stream& stream) const {
        if (options_.levels == 0) {
            return grid_matrix(grid_normal(), rows, cols, stream);
        }
        const auto count = static_cast<std::uint64_t>(2 * options_.levels + 1);
        Draws draws(stream);
        return Matrix::NullaryExpr(rows, cols, [&] {
            return static_cast<double>(static_cast<Index>(draws.below(count)) - options_.levels);
        });
    }

    /// An eighth to all of the largest power of two up to 1/‖k‖²: a key forgets at most what it
    /// reads.
    [[nodiscard]] static Matrix strengths(const Matrix& keys, const Stream& stream) {
        Draws draws(stream);
        Matrix beta(1, keys.cols());
        for (Index t = 0; t < keys.cols(); ++t) {
            int exponent = 0;
            (void)std::frexp(keys.col(t).squaredNorm(), &exponent);
            beta(0, t) = std::ldexp(static_cast<double>(1 + draws.below(8)), -3 - exponent);
        }
        return beta;
    }

    [[nodiscard]] LayerColumns columns(const Dataset& data, const Stream& stream) const {
        const Index n = data.tokens.cols();
        const Index examples = data.num_examples();
        LayerColumns columns;
        columns.x = entries(input_.x, input_.x > 0 ? examples : 0, stream.child("x"));
        if (options_.layer.form == TokenForm::delta) {
            columns.keys = entries(input_.phi, n, stream.child("keys"));
            columns.beta = strengths(columns.keys, stream.child("beta"));
        } else {
            columns.phi = entries(input_.phi, input_.phi > 0 ? n : 0, stream.child("phi"));
        }
        columns.s = entries(input_.state, input_.state > 0 ? examples : 0, stream.child("s"));
        columns.u = entries(input_.query, input_.query > 0 ? examples : 0, stream.child("u"));
        const Index gates = gate_rows(options_.layer, input_);
        Draws draws(stream.child("gates"));
        columns.gates = Matrix::NullaryExpr(gates, gates > 0 ? n : 0, [&] {
            return static_cast<double>(1 + draws.below(8)) / 8.0;
        });
        return columns;
    }

    RandomLayerOptions options_;
    LayerInput input_;
    Stream stream_;
    Matrix P_;
};

}  // namespace

std::unique_ptr<Task> random_layer(const RandomLayerOptions& options, const Stream& stream) {
    require(options.labels != LabelKind::none,
            "task random-layer: got labels none, expected per_sequence or per_prefix");
    require(options.layer.form != TokenForm::supplied ||
                (options.labels == LabelKind::per_sequence && options.n.longest == 1),
            "task random-layer: moments are examples without tokens; give --n 1 and labels "
            "per_sequence");
    return std::make_unique<RandomLayer>(options, stream);
}

std::vector<TaskParameter> random_layer_parameters() {
    return {{"layer", "decay=1,31/32", "the layer; see attest layers"},
            {"d", "3", "rows of a token"},
            {"o", "2", "outputs"},
            {"n", "8", "tokens in a sequence; 16, or 4..32 for lengths drawn uniformly"},
            {"labels", "per_sequence", "per_sequence, or per_prefix: one label after every token"},
            {"width",
             "3",
             "entries of x (cross), phi (mapped), keys (delta), u (moments; s has one more)"},
            {"levels", "0", "entries are integers up to this size; 0: Gaussian"}};
}

std::unique_ptr<Task> read_random_layer(const ParameterReader& reader, const Stream& stream) {
    RandomLayerOptions options;
    options.layer = layer_named(reader.text("layer"));
    options.d = reader.integer("d", 1, kLargestDimension);
    options.o = reader.integer("o", 1, kLargestDimension);
    options.n = reader.lengths("n");
    options.labels = reader.choice("labels", kLabelKinds);
    options.width = reader.integer("width", 1, kLargestDimension);
    options.levels = reader.integer("levels", 0, kMostLevels);
    return random_layer(options, stream);
}

}  // namespace attest
