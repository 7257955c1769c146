#include "core/certify/rank/exact_features.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/fixed_factor.hpp"
#include "core/exact/modulus.hpp"
#include "core/features/cubic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// value·2^shift, exactly.
[[nodiscard]] inline Dyadic scaled_dyadic(double value, int shift) {
    Dyadic x = dyadic(value);
    x.exponent += x.mantissa == 0 ? 0 : shift;
    return x;
}

/// scale·v for every entry v, each to be multiplied with many others.
std::vector<FixedFactor> fixed_factors(const Modulus& p,
                                       Residue scale,
                                       const std::vector<Residue>& entries) {
    const FixedFactor by_scale(p, scale);
    std::vector<FixedFactor> factors;
    factors.reserve(entries.size());
    for (const Residue entry : entries) {
        factors.emplace_back(p, by_scale.times(entry));
    }
    return factors;
}

/// One sequence's tokens modulo p while S grows: the exact counterpart of sequence_moments.
class ModularSequence {
public:
    ModularSequence(const Modulus& p, Index d)
        : p_(p),
          s_(static_cast<std::size_t>(packed_dim(d)), 0),
          token_(static_cast<std::size_t>(d)) {}

    /// Before a sequence's first token.
    void start() { std::fill(s_.begin(), s_.end(), 0); }

    void load(const Eigen::Ref<const Vector>& token, int shift) {
        for (Index j = 0; j < token.size(); ++j) {
            token_[static_cast<std::size_t>(j)] = p_.reduce(scaled_dyadic(token(j), shift));
        }
    }

    /// S += z zᵀ for the loaded token z, in the order of Algorithm 2: pairs first, then squares.
    void add() {
        std::size_t at = 0;
        for (std::size_t j = 0; j < token_.size(); ++j) {
            for (std::size_t k = j + 1; k < token_.size(); ++k, ++at) {
                s_[at] = p_.add(s_[at], p_.multiply(token_[j], token_[k]));
            }
        }
        for (std::size_t j = 0; j < token_.size(); ++j, ++at) {
            s_[at] = p_.add(s_[at], p_.multiply(token_[j], token_[j]));
        }
    }

    /// Writes 2^extra·(s ⊗ z) for the loaded token z.
    void write_features(Residue* to, int extra) const {
        const std::vector<FixedFactor> token =
            fixed_factors(p_, p_.reduce(Dyadic{1, extra}), token_);
        for (const Residue s : s_) {
            for (const FixedFactor& z : token) {
                *to++ = z.times(s);
            }
        }
    }

private:
    const Modulus& p_;
    std::vector<Residue> s_;
    std::vector<Residue> token_;
};

constexpr Index kBlockExamples = 256;

/// Numbers of tokens in a block at most, unless one sequence has more: long sequences are read a
/// few at a time.
constexpr Index kBlockNumbers = Index{1} << 19;

bool has_labels(FeatureColumns columns) {
    return columns == FeatureColumns::features_and_labels;
}

bool per_prefix(const SequenceShape& data) {
    return data.labels == LabelKind::per_prefix;
}

/// Without entries where a data set has no labels.
Vector label_of(const Dataset& data, Index example) {
    return data.labels == LabelKind::none ? Vector() : Vector(data.y.col(example));
}

DyadicRange range_of(const Eigen::Ref<const Vector>& y) {
    DyadicRange range;
    for (Index a = 0; a < y.size(); ++a) {
        range.include(y(a));
    }
    return range;
}

Integer as_integer(const Rational& value) {
    ensure(denominator(value) == 1, "integer_features: a scaled row is not integral");
    return Integer(numerator(value));
}

}  // namespace

FeatureRows::FeatureRows(const Dataset& data, FeatureColumns columns)
    : FeatureRows(std::make_shared<const SequencesInMemory>(data), columns) {}

FeatureRows::FeatureRows(const SequenceSource& data, FeatureColumns columns)
    : FeatureRows(std::shared_ptr<const SequenceSource>(std::shared_ptr<void>(), &data), columns) {}

FeatureRows::FeatureRows(std::shared_ptr<const SequenceSource> data, FeatureColumns columns)
    : data_(std::move(data)),
      all_(data_->shape()),
      columns_(columns),
      layout_(all_.layout()),
      odd_base_(attest::odd_base(all_.layer)) {
    require(all_.num_sequences() >= 1, "FeatureRows: the data set is empty");
    require(!has_labels(columns) || all_.labels != LabelKind::none,
            "FeatureRows: the data set has no labels");
    Index filled = kBlockExamples;
    Index largest = 0;
    for (Index i = 0; i < all_.num_sequences(); ++i) {
        if (filled >= kBlockExamples ||
            (all_.first_token(i + 1) - all_.first_token(starts_.back())) * all_.d > kBlockNumbers) {
            starts_.push_back(i);
            filled = 0;
        }
        filled += first_example(i + 1) - first_example(i);
        largest = std::max(largest, filled);
    }
    starts_.push_back(all_.num_sequences());
    if (all_.layer.is_linear()) {
        measure_linear();
    } else {
        measure_layer();
    }
    require_memory(static_cast<double>(largest) * static_cast<double>(num_columns()) * 24.0,
                   "the exact features of one block of sequences",
                   "raise the limit or use the numerical level");
}

void FeatureRows::measure_linear() {
    Index i = 0;
    DyadicRange tokens;
    std::vector<DyadicRange> labels;  // of the sequence's examples so far
    for_each_run(*data_, 0, all_.num_tokens(), [&](const TokenRun& run) {
        Index example = run.first_example;
        for (Index t = run.first_token; t < run.end(); ++t) {
            for (const double entry : run.tokens.col(t - run.first_token)) {
                tokens.include(entry);
            }
            const bool ends = t + 1 == all_.first_token(i + 1);
            if (ends || per_prefix(all_)) {
                labels.push_back(range_of(run.labels.col(example - run.first_example)));
                ++example;
            }
            if (ends) {
                const Index n = all_.first_token(i + 1) - all_.first_token(i);
                measure_sequence(scale_of_tokens(tokens, n), labels);
                tokens = {};
                labels.clear();
                ++i;
            }
        }
    });
}

void FeatureRows::measure_layer() {
    std::vector<DyadicRange> labels;
    data_->for_each_part([&](const Dataset& part) {
        for (Index i = 0; i < part.num_sequences(); ++i) {
            labels.clear();
            for (Index e = part.first_example(i); e < part.first_example(i + 1); ++e) {
                labels.push_back(range_of(label_of(part, e)));
            }
            measure_sequence(scale_of_sequence(part, i), labels);
        }
    });
}

/// The next sequence, from its scale and the ranges of its examples' labels.
void FeatureRows::measure_sequence(const RowScale& scale, std::span<const DyadicRange> labels) {
    scales_.push_back(scale);
    entry_bits_ = std::max(entry_bits_, scale.bits);
    if (!has_labels(columns_)) {
        return;
    }
    const Index odd_bits = scale.odd_power == 0 ? 0 : scale.odd_power * bit_length(odd_base_);
    for (const DyadicRange& range : labels) {
        const int extra = range.is_zero() ? 0 : std::max(0, -range.low - scale.exponent);
        extra_exponents_.push_back(extra);
        entry_bits_ = std::max(entry_bits_, scale.bits + extra);
        if (!range.is_zero()) {
            entry_bits_ =
                std::max<Index>(entry_bits_, range.high + scale.exponent + extra + odd_bits);
        }
    }
}

Index FeatureRows::num_columns() const {
    return layout_.psi() + (has_labels(columns_) ? all_.o : 0);
}

Index FeatureRows::num_blocks() const {
    return static_cast<Index>(starts_.size()) - 1;
}

Index FeatureRows::first_example(Index sequence) const {
    return per_prefix(all_) ? all_.offsets[static_cast<std::size_t>(sequence)] : sequence;
}

Index FeatureRows::first_row(Index b) const {
    return first_example(starts_[static_cast<std::size_t>(b)]);
}

Index FeatureRows::sequence_of(Index example) const {
    if (!per_prefix(all_)) {
        return example;
    }
    const auto after = std::upper_bound(all_.offsets.begin(), all_.offsets.end(), example);
    return after - all_.offsets.begin() - 1;
}

template <class Visit>
void FeatureRows::with_block(Index b, const Visit& visit) const {
    if (data_->whole() != nullptr) {
        visit(Run{*data_->whole(), 0, 0});
        return;
    }
    const Dataset part = data_->examples(first_row(b), first_row(b + 1));
    visit(Run{part, starts_[static_cast<std::size_t>(b)], first_row(b)});
}

int FeatureRows::row_exponent(Index example) const {
    const auto sequence = static_cast<std::size_t>(sequence_of(example));
    return scales_[sequence].exponent + extra_exponent(example);
}

Index FeatureRows::odd_power(Index example) const {
    return scales_[static_cast<std::size_t>(sequence_of(example))].odd_power;
}

Rational FeatureRows::row_factor(Index example) const {
    Integer odd = 1;
    for (Index k = 0; k < odd_power(example); ++k) {
        odd *= odd_base_;
    }
    return Rational(odd) * power_of_two(row_exponent(example));
}

int FeatureRows::extra_exponent(Index example) const {
    return extra_exponents_.empty() ? 0 : extra_exponents_[static_cast<std::size_t>(example)];
}

/// An example's labels y times row_factor, where they are asked for.
void FeatureRows::write_labels(const Modulus& p,
                               Index example,
                               const Eigen::Ref<const Vector>& y,
                               Residue* to) const {
    for (Index a = 0; has_labels(columns_) && a < all_.o; ++a) {
        to[a] = p.reduce(scaled_dyadic(y(a), row_exponent(example)));
        if (odd_power(example) > 0) {
            const auto steps = static_cast<std::uint64_t>(odd_power(example));
            to[a] = p.multiply(to[a], p.power(p.reduce(odd_base_), steps));
        }
    }
}

ModularMatrix FeatureRows::block(const Modulus& p, Index b) const {
    ModularMatrix H(first_row(b + 1) - first_row(b), num_columns());
    if (all_.layer.is_linear()) {
        write_linear(p, b, H);
    } else {
        with_block(b, [&](const Run& run) { write_layer(p, run, b, H); });
    }
    return H;
}

/// By the formulas that every arithmetic shares: rational features modulo p, then the row's factor.
void FeatureRows::write_layer(const Modulus& p, const Run& run, Index b, ModularMatrix& H) const {
    LayerExamples examples(run.data, ResidueArithmetic(p));
    const Residue base = p.reduce(odd_base_);
    const auto write = [&](Index example,
                           const std::vector<Residue>& s,
                           const std::vector<Residue>& u) {
        const Index row = run.first_example + example;
        const Residue odd = p.power(base, static_cast<std::uint64_t>(odd_power(row)));
        const std::vector<FixedFactor> queries =
            fixed_factors(p, p.multiply(odd, p.reduce(Dyadic{1, row_exponent(row)})), u);
        Residue* to = H.row(row - first_row(b));
        for (const FeatureBlock& part : layout_.blocks()) {
            for (Index k = 0; k < part.states; ++k) {
                const Residue state = s[static_cast<std::size_t>(part.first_state + k)];
                for (Index l = 0; l < part.queries; ++l) {
                    *to++ = queries[static_cast<std::size_t>(part.first_query + l)].times(state);
                }
            }
        }
        write_labels(p, row, label_of(run.data, example), to);
    };
    for (Index i = starts_[static_cast<std::size_t>(b)];
         i < starts_[static_cast<std::size_t>(b) + 1];
         ++i) {
        examples.visit_sequence(i - run.first_sequence, write);
    }
}

/// Token by token, however many runs a sequence lies in.
void FeatureRows::write_linear(const Modulus& p, Index b, ModularMatrix& H) const {
    Index i = starts_[static_cast<std::size_t>(b)];
    const Index last = starts_[static_cast<std::size_t>(b) + 1];
    ModularSequence moments(p, all_.d);
    Vector query(all_.d);
    for_each_run(*data_, all_.first_token(i), all_.first_token(last), [&](const TokenRun& run) {
        Index example = run.first_example;
        const auto write = [&](const ModularSequence& sequence) {
            Residue* const to = H.row(example - first_row(b));
            sequence.write_features(to, extra_exponent(example));
            write_labels(
                p, example, run.labels.col(example - run.first_example), to + layout_.psi());
            ++example;
        };
        for (Index t = run.first_token; t < run.end(); ++t) {
            const auto token = run.tokens.col(t - run.first_token);
            const int shift = scales_[static_cast<std::size_t>(i)].exponent / 3;  // of a cube
            if (t == all_.first_token(i)) {
                moments.start();
            }
            moments.load(token, shift);
            moments.add();
            if (t == all_.query_token(i)) {
                query = token;
            }
            const bool ends = t + 1 == all_.first_token(i + 1);
            if (per_prefix(all_)) {
                write(moments);
            } else if (ends) {
                moments.load(query, shift);
                write(moments);
            }
            i += ends ? 1 : 0;
        }
    });
}

MatrixOf<Integer> integer_features(const Dataset& data, FeatureColumns columns) {
    const FeatureRows rows(data, columns);
    const FeatureLayout layout = data.layout();
    const auto entries =
        static_cast<double>(rows.num_rows()) * static_cast<double>(rows.num_columns());
    require_memory(
        entries * (48.0 + static_cast<double>(rows.entry_bits()) / 8.0),
        formatted(
            "the exact features of {} examples, {} each", rows.num_rows(), rows.num_columns()),
        "take fewer examples or a smaller d");
    MatrixOf<Integer> H(rows.num_rows(), rows.num_columns());
    for (Index i = 0; i < data.num_sequences(); ++i) {
        throw_if_stopped("integer_features");
        const Index first = data.first_example(i);
        const MomentBatchOf<Rational> batch = sequence_moments<Rational>(data, i, i + 1);
        for (Index e = 0; e < batch.size(); ++e) {
            const Index example = first + e;
            const Rational factor = rows.row_factor(example);
            VectorOf<Rational> row(rows.num_columns());
            row.head(layout.psi()) =
                features_of_moments<Rational>(layout, batch.S.col(e), batch.u.col(e));
            row.tail(row.size() - layout.psi()) = batch.y.col(e).head(row.size() - layout.psi());
            for (Index j = 0; j < row.size(); ++j) {
                H(example, j) = as_integer(Rational(row(j) * factor));
            }
        }
    }
    return H;
}

}  // namespace attest
