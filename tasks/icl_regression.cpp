#include "tasks/icl_regression.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMostTasks = 1000000;
constexpr Index kMostHalvings = 10;

/// Of tasks whose best layer has a closed form.
bool is_centred(const IclRegressionOptions& options) {
    return options.tasks == 0 && is_zero(options.mean) && options.n.shortest == options.n.longest;
}

Vector input_scales(const IclRegressionOptions& options) {
    Vector scales(options.d);
    for (Index j = 0; j < options.d; ++j) {
        scales(j) = std::ldexp(1.0, -static_cast<int>(j % (options.halvings + 1)));
    }
    return scales;
}

/// The diagonal of Γ⁻¹/n.
Vector best_steps(const IclRegressionOptions& options) {
    const Vector variances = input_scales(options).cwiseAbs2();
    const auto n = static_cast<double>(options.n.longest);
    const double noise = variances.sum() + options.prompt_noise * options.prompt_noise;
    return ((n + 1.0) * variances.array() + noise).inverse().matrix();
}

/// ⟨w, x⟩ in an order of its own: the same bits on every machine.
double inner(const Vector& w, const Vector& x) {
    double sum = 0.0;
    for (Index j = 0; j < w.size(); ++j) {
        sum += w(j) * x(j);
    }
    return sum;
}

class IclRegression final : public Task {
public:
    IclRegression(const IclRegressionOptions& options, Stream stream)
        : options_(options), scales_(input_scales(options)), stream_(std::move(stream)) {}

    [[nodiscard]] TaskTraits traits() const override {
        TaskTraits traits;
        traits.d = options_.d + 1;
        traits.o = 1;
        traits.realisable = false;
        traits.bitwise = false;  // y² has the bits of four grid numbers
        traits.max_length = options_.n.longest + 1;
        return traits;
    }

    [[nodiscard]] TaskDescription description() const override {
        return {"icl-regression",
                {{"d", std::to_string(options_.d)},
                 {"n", to_string(options_.n)},
                 {"tasks", std::to_string(options_.tasks)},
                 {"mean", round_trip(options_.mean)},
                 {"prompt_noise", round_trip(options_.prompt_noise)},
                 {"halvings", std::to_string(options_.halvings)}},
                stream_.path()};
    }

    [[nodiscard]] Index length(Index i) const override {
        const auto [shortest, longest] = options_.n;
        Draws draws(example(i).child("length"));
        return shortest + 1 +
               static_cast<Index>(draws.below(static_cast<std::uint64_t>(longest - shortest + 1)));
    }

    [[nodiscard]] Sequence draw(Index i) const override {
        const Stream stream = example(i);
        const Index n = length(i) - 1;
        const Vector w = task_of(stream);
        Sequence sequence{Matrix::Zero(options_.d + 1, n + 1), Matrix(1, 1)};
        sequence.Z.topLeftCorner(options_.d, n) = inputs(n, stream.child("x"));
        sequence.Z.topRightCorner(options_.d, 1) = inputs(1, stream.child("query"));
        const Matrix noise = grid_matrix(grid_normal(), 1, n, stream.child("noise"));
        for (Index t = 0; t < n; ++t) {
            sequence.Z(options_.d, t) =
                inner(w, sequence.Z.col(t).head(options_.d)) + options_.prompt_noise * noise(t);
        }
        sequence.y(0, 0) = inner(w, sequence.Z.col(n).head(options_.d));
        return sequence;
    }

    [[nodiscard]] GroundTruth truth() const override {
        if (!is_centred(options_)) {
            return {};
        }
        const Index d = options_.d;
        Head head{Matrix::Zero(1, d + 1), Matrix::Zero(d + 1, d + 1)};
        head.V(0, d) = 1.0;
        head.Q.topLeftCorner(d, d) = best_steps(options_).asDiagonal();
        return {Parameters{d + 1, 1, {head}}, std::nullopt};
    }

private:
    [[nodiscard]] Stream example(Index i) const {
        require(i >= 0, "task icl-regression: got sequence {}, expected at least 0", i);
        return stream_.child("example").child(i);
    }

    [[nodiscard]] Matrix inputs(Index count, const Stream& stream) const {
        return scales_.asDiagonal() * grid_matrix(grid_normal(), options_.d, count, stream);
    }

    [[nodiscard]] Vector task_of(const Stream& stream) const {
        Stream own = stream.child("w");
        if (options_.tasks > 0) {
            Draws draws(stream.child("task"));
            const auto count = static_cast<std::uint64_t>(options_.tasks);
            own = stream_.child("tasks").child(static_cast<Index>(draws.below(count)));
        }
        return grid_matrix(grid_normal(), options_.d, 1, own).array() + options_.mean;
    }

    IclRegressionOptions options_;
    Vector scales_;
    Stream stream_;
};

}  // namespace

std::unique_ptr<Task> icl_regression(const IclRegressionOptions& options, const Stream& stream) {
    require(options.d >= 1 && options.tasks >= 0 && options.halvings >= 0,
            "task icl-regression: got d = {}, tasks = {}, halvings = {}, expected d at least 1 and "
            "the others at least 0",
            options.d,
            options.tasks,
            options.halvings);
    require(options.prompt_noise >= 0.0 && std::isfinite(options.prompt_noise),
            "task icl-regression: got prompt_noise {}, expected 0 or more",
            round_trip(options.prompt_noise));
    return std::make_unique<IclRegression>(options, stream);
}

double least_icl_risk(const IclRegressionOptions& options) {
    require(is_centred(options),
            "least_icl_risk: got tasks = {}, mean = {}, n = {}, expected fresh tasks of mean 0 and "
            "one length",
            options.tasks,
            round_trip(options.mean),
            to_string(options.n));
    const Vector variances = input_scales(options).cwiseAbs2();
    const auto n = static_cast<double>(options.n.longest);
    return variances.sum() - n * variances.cwiseAbs2().dot(best_steps(options));
}

std::vector<TaskParameter> icl_regression_parameters() {
    return {{"d", "4", "entries of x; a token (x, y) has one more"},
            {"n", "16", "pairs before the query; 16, or 4..32 for lengths drawn uniformly"},
            {"tasks", "0", "different w, equally likely; 0: a fresh one for every sequence"},
            {"mean", "0", "mean of every entry of w"},
            {"prompt_noise", "0", "standard deviation of Gaussian noise on the prompt's y"},
            {"halvings", "0", "entry j of x is divided by 2^(j mod (halvings + 1)), from j = 0"}};
}

std::unique_ptr<Task> read_icl_regression(const ParameterReader& reader, const Stream& stream) {
    IclRegressionOptions options;
    options.d = reader.integer("d", 1, kLargestDimension - 1);
    options.n = reader.lengths("n");
    options.tasks = reader.integer("tasks", 0, kMostTasks);
    options.mean = reader.real("mean", -0x1p20, 0x1p20);
    options.prompt_noise = reader.real("prompt_noise", 0.0, 0x1p20);
    options.halvings = reader.integer("halvings", 0, kMostHalvings);
    return icl_regression(options, stream);
}

}  // namespace attest
