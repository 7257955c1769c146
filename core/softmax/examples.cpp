#include "core/softmax/examples.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attest {

namespace {

constexpr Index kTokensOfABlock = 50000;
constexpr Index kMostBits = 62;

bool is_sign(double x) {
    return bitwise_equal(x, 1.0) || bitwise_equal(x, -1.0);
}

constexpr double kHeldBytes = 256e6;
constexpr double kRepeating = 8.0;  // classes {X, −X} an example; beyond, few examples repeat

/// Whether sequences, if they are Boolean, repeat often enough to matter and the distinct ones fit
/// in memory.
bool may_repeat(const SoftmaxSource& source) {
    const auto count = static_cast<double>(source.count);
    const double classes = std::ldexp(1.0, static_cast<int>(source.d * source.k - 1));
    const auto bytes = 16.0 * static_cast<double>(source.d * source.k) * std::min(count, classes);
    return classes <= kRepeating * count && bytes <= kHeldBytes;
}

/// Calls visit(block, first) for consecutive blocks as long as it says true; whether it always did.
bool for_each_block_while(const SoftmaxSource& source,
                          const std::function<bool(const SoftmaxExamples&, Index)>& visit) {
    const Index size = std::max<Index>(1, kTokensOfABlock / source.k);
    bool going_on = true;
    for (Index first = 0; first < source.count && going_on; first += size) {
        throw_if_interrupted("softmax");
        going_on = visit(source.draw(first, std::min(size, source.count - first)), first);
    }
    return going_on;
}

/// Matrices of one shape as an array (m,rows,cols).
NpyArray stacked(const std::vector<Matrix>& matrices) {
    const Matrix& first = matrices.front();
    NpyArray array{
        DType::float64, {static_cast<Index>(matrices.size()), first.rows(), first.cols()}, {}};
    for (const Matrix& A : matrices) {
        for (Index i = 0; i < A.rows(); ++i) {
            for (Index j = 0; j < A.cols(); ++j) {
                array.data.push_back(A(i, j));
            }
        }
    }
    return array;
}

void add_softmax_heads(NpzWriter& file, const std::string& prefix, const SoftmaxHeads& heads) {
    std::vector<Matrix> thetas;
    std::vector<Matrix> values;
    for (const SoftmaxHead& head : heads) {
        thetas.push_back(head.Theta);
        values.push_back(head.W);
    }
    file.add(prefix + "Theta", stacked(thetas));
    file.add(prefix + "W", stacked(values));
}

std::vector<Matrix> unstacked(const NpzReader& file, const std::string& key, Index d) {
    const NpyArray array = file.read(key);
    require(array.rank() == 3 && array.shape[0] >= 1 && array.shape[1] == d && array.shape[2] == d,
            "{} has another shape, expected (m,{},{})",
            file.where(key),
            d,
            d);
    std::vector<Matrix> matrices;
    for (Index h = 0; h < array.shape[0]; ++h) {
        Matrix A(d, d);
        for (Index e = 0; e < d * d; ++e) {
            A(e / d, e % d) = array.data[static_cast<std::size_t>(h * d * d + e)];
            require(std::isfinite(A(e / d, e % d)),
                    "{} holds a number that is not finite",
                    file.where(key));
        }
        matrices.push_back(A);
    }
    return matrices;
}

std::optional<SoftmaxHeads> read_truth(const NpzReader& file, Index d) {
    const bool theta = file.contains("truth_Theta");
    require(theta == file.contains("truth_W"),
            "{}: holds one of truth_Theta and truth_W, expected both or none",
            file.name());
    if (!theta) {
        return std::nullopt;
    }
    const std::vector<Matrix> thetas = unstacked(file, "truth_Theta", d);
    const std::vector<Matrix> values = unstacked(file, "truth_W", d);
    require(thetas.size() == values.size(),
            "{}: truth_Theta and truth_W disagree on the number of heads",
            file.name());
    SoftmaxHeads heads;
    for (std::size_t i = 0; i < thetas.size(); ++i) {
        heads.push_back({thetas[i], values[i]});
    }
    return heads;
}

}  // namespace

void check(const SoftmaxExamples& examples) {
    require(examples.k >= 1 && examples.X.cols() >= examples.k &&
                examples.X.cols() % examples.k == 0 && examples.X.rows() >= 1 &&
                examples.Y.rows() == examples.X.rows() && examples.Y.cols() == examples.X.cols(),
            "softmax examples: got tokens {}x{} and labels {}x{}, expected the same shape and "
            "whole sequences of {} tokens",
            examples.X.rows(),
            examples.X.cols(),
            examples.Y.rows(),
            examples.Y.cols(),
            examples.k);
}

SoftmaxExamples subset(const SoftmaxExamples& examples, Index first, Index count) {
    require(first >= 0 && count >= 0 && first + count <= examples.count(),
            "softmax examples: got those from {} on, {} of them, expected at most {}",
            first,
            count,
            examples.count());
    const Index k = examples.k;
    return {k,
            examples.X.middleCols(first * k, count * k),
            examples.Y.middleCols(first * k, count * k)};
}

SoftmaxSource source_of(SoftmaxExamples examples) {
    check(examples);
    const auto held = std::make_shared<const SoftmaxExamples>(std::move(examples));
    return {held->d(), held->k, held->count(), [held](Index first, Index count) {
                return subset(*held, first, count);
            }};
}

SoftmaxSource held_in_memory(SoftmaxSource source, double bytes) {
    const auto needed = 16.0 * static_cast<double>(source.d * source.k * source.count);
    return needed <= bytes ? source_of(source.draw(0, source.count)) : std::move(source);
}

void for_each_block(const SoftmaxSource& source,
                    const std::function<void(const SoftmaxExamples&, Index)>& visit) {
    (void)for_each_block_while(source, [&](const SoftmaxExamples& block, Index first) {
        visit(block, first);
        return true;
    });
}

namespace {

/// Classes {X, −X} of Boolean sequences: those seen, and one example of each, with the mean of its
/// labels: equal labels stay as they are, and noise averages out.
class BooleanClasses {
public:
    explicit BooleanClasses(Index size) : size_(size) {}

    /// Whether all entries are ±1; takes the example, or its label where its class is known.
    [[nodiscard]] bool take(const double* x, const double* y) {
        if (!std::all_of(x, x + size_, is_sign)) {
            return false;
        }
        std::uint64_t code = 0;
        for (Index e = 0; e < size_; ++e) {
            code = code << 1U | static_cast<std::uint64_t>(x[e] * x[0] > 0.0);
        }
        const auto [seen, is_new] = seen_.try_emplace(code, std::ssize(counts_));
        if (is_new) {
            const auto turned = [&](double e) { return e * x[0]; };
            std::transform(x, x + size_, std::back_inserter(X_), turned);
            std::transform(y, y + size_, std::back_inserter(Y_), turned);
            counts_.push_back(1.0);
            return true;
        }
        const Index at = seen->second;
        double& count = counts_[static_cast<std::size_t>(at)];
        count += 1.0;
        const auto mean = Y_.begin() + at * size_;
        std::transform(y, y + size_, mean, mean, [&](double label, double before) {
            return before + (label * x[0] - before) / count;
        });
        return true;
    }

    [[nodiscard]] SoftmaxExamples examples(Index d, Index k) const {
        const auto tokens = static_cast<Index>(X_.size()) / d;
        return {k,
                Eigen::Map<const Matrix>(X_.data(), d, tokens),
                Eigen::Map<const Matrix>(Y_.data(), d, tokens)};
    }

private:
    Index size_;
    std::unordered_map<std::uint64_t, Index> seen_;
    std::vector<double> counts_;
    std::vector<double> X_;
    std::vector<double> Y_;
};

}  // namespace

std::optional<SoftmaxExamples> distinct_boolean(const SoftmaxSource& source) {
    const Index size = source.d * source.k;
    if (size > kMostBits) {
        return std::nullopt;
    }
    BooleanClasses classes(size);
    const bool all = for_each_block_while(source, [&](const SoftmaxExamples& block, Index) {
        Index i = 0;
        while (i < block.count() &&
               classes.take(block.X.data() + i * size, block.Y.data() + i * size)) {
            ++i;
        }
        return i == block.count();
    });
    return all ? std::optional(classes.examples(source.d, source.k)) : std::nullopt;
}

SoftmaxSource prepared_source(const SoftmaxSource& source) {
    std::optional<SoftmaxExamples> distinct =
        may_repeat(source) ? distinct_boolean(source) : std::nullopt;
    return distinct ? source_of(std::move(*distinct)) : held_in_memory(source, kHeldBytes);
}

void write_softmax_data(const std::string& path, const SoftmaxData& data) {
    check(data.examples);
    const Index d = data.examples.d();
    const Index k = data.examples.k;
    const Index N = data.examples.count();
    NpyArray Z{DType::float64, {N, d, k}, {}};
    NpyArray y{DType::float64, {N, k * d}, {}};
    Z.data.reserve(static_cast<std::size_t>(N * d * k));
    for (Index i = 0; i < N; ++i) {
        for (Index v = 0; v < d; ++v) {
            for (Index a = 0; a < k; ++a) {
                Z.data.push_back(data.examples.X(v, i * k + a));
            }
        }
    }
    y.data.assign(data.examples.Y.data(), data.examples.Y.data() + data.examples.Y.size());
    NpzWriter file;
    file.add("Z", Z);
    file.add("y", y);
    if (data.truth) {
        add_softmax_heads(file, "truth_", *data.truth);
    }
    if (!data.meta.empty()) {
        add_meta(file, data.meta);
    }
    file.write(path);
}

SoftmaxExamples softmax_examples(Dataset set, const std::string& name) {
    const Index k = set.length(0);
    for (Index i = 1; i < set.num_sequences(); ++i) {
        require(set.length(i) == k,
                "{}: Z[{}] has {} tokens, expected {} in every sequence",
                name,
                i,
                set.length(i),
                k);
    }
    require(set.labels == LabelKind::per_sequence && set.o() == k * set.d() && set.query.empty(),
            "{}: the labels are no softmax layer's, expected y with k*d = {} entries for each "
            "sequence and no query",
            name,
            k * set.d());
    const Index d = set.d();
    return {k, std::move(set.tokens.own()), set.y.reshaped(d, set.y.size() / d)};
}

SoftmaxData read_softmax_data(const std::string& path) {
    const NpzReader file = NpzReader::open(path);
    Dataset set = load_dataset(file, InvalidExamples::reject).data;
    std::string meta = std::move(set.meta);
    SoftmaxExamples examples = softmax_examples(std::move(set), path);
    const Index d = examples.d();
    return {std::move(examples), read_truth(file, d), std::move(meta)};
}

void write_softmax_model(const std::string& path,
                         const SoftmaxHeads& heads,
                         const std::string& meta) {
    require(!heads.empty(), "write_softmax_model: got no heads, expected at least one");
    NpzWriter file;
    add_softmax_heads(file, "", heads);
    add_meta(file, meta);
    file.write(path);
}

}  // namespace attest
