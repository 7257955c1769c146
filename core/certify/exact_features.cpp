#include "core/certify/exact_features.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <bit>

namespace attest {

namespace {

constexpr Index kBlockExamples = 256;

bool has_labels(FeatureColumns columns) {
    return columns == FeatureColumns::features_and_labels;
}

bool per_prefix(const Dataset& data) {
    return data.labels == LabelKind::per_prefix;
}

Index first_example(const Dataset& data, Index sequence) {
    return per_prefix(data) ? data.first_token(sequence) : sequence;
}

Dyadic scaled(double value, int shift) {
    Dyadic x = dyadic(value);
    x.exponent += x.mantissa == 0 ? 0 : shift;
    return x;
}

}  // namespace

FeatureRows::FeatureRows(const Dataset& data, FeatureColumns columns)
    : data_(data), columns_(columns) {
    require(data.num_sequences() >= 1, "FeatureRows: the data set is empty");
    require(!has_labels(columns) || data.labels != LabelKind::none,
            "FeatureRows: the data set has no labels");
    Index filled = kBlockExamples;
    Index largest = 0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (filled >= kBlockExamples) {
            starts_.push_back(i);
            filled = 0;
        }
        filled += per_prefix(data) ? data.length(i) : 1;
        largest = std::max(largest, filled);
        measure_sequence(i);
    }
    starts_.push_back(data.num_sequences());
    require_memory(static_cast<double>(largest) * static_cast<double>(num_columns()) * 24.0,
                   "the exact features of one block of sequences",
                   "split long sequences or use the numerical level");
}

void FeatureRows::measure_sequence(Index i) {
    DyadicRange range;
    for (Index t = data_.first_token(i); t < data_.first_token(i + 1); ++t) {
        for (Index j = 0; j < data_.d(); ++j) {
            range.include(data_.tokens(j, t));
        }
    }
    token_exponents_.push_back(range.is_zero() ? 0 : -range.low);
    const auto length_bits =
        static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(data_.length(i))));
    const Index bits = 3 * range.bits() + length_bits;
    entry_bits_ = std::max(entry_bits_, bits);
    if (has_labels(columns_)) {
        for (Index e = first_example(data_, i); e < first_example(data_, i + 1); ++e) {
            measure_labels(i, e);
            entry_bits_ = std::max(entry_bits_, bits + extra_exponents_.back());
        }
    }
}

void FeatureRows::measure_labels(Index i, Index example) {
    DyadicRange range;
    for (Index a = 0; a < data_.o(); ++a) {
        range.include(data_.y(a, example));
    }
    const int features = 3 * token_exponents_[static_cast<std::size_t>(i)];
    const int extra = range.is_zero() ? 0 : std::max(0, -range.low - features);
    extra_exponents_.push_back(extra);
    if (!range.is_zero()) {
        entry_bits_ = std::max<Index>(entry_bits_, range.high + features + extra);
    }
}

Index FeatureRows::num_columns() const {
    return feature_dim(data_.d()) + (has_labels(columns_) ? data_.o() : 0);
}

Index FeatureRows::num_blocks() const {
    return static_cast<Index>(starts_.size()) - 1;
}

Index FeatureRows::first_row(Index b) const {
    const Index sequence = starts_[static_cast<std::size_t>(b)];
    return first_example(data_, sequence);
}

int FeatureRows::row_exponent(Index example) const {
    Index sequence = example;
    if (per_prefix(data_)) {
        const auto after = std::upper_bound(data_.offsets.begin(), data_.offsets.end(), example);
        sequence = after - data_.offsets.begin() - 1;
    }
    return 3 * token_exponents_[static_cast<std::size_t>(sequence)] + extra_exponent(example);
}

int FeatureRows::extra_exponent(Index example) const {
    return extra_exponents_.empty() ? 0 : extra_exponents_[static_cast<std::size_t>(example)];
}

namespace {

/// One sequence's tokens modulo p while S grows: the exact counterpart of sequence_moments.
class ModularSequence {
public:
    ModularSequence(const Modulus& p, Index d)
        : p_(p),
          s_(static_cast<std::size_t>(packed_dim(d)), 0),
          token_(static_cast<std::size_t>(d)) {}

    void load(const Dataset& data, Index t, int shift) {
        for (Index j = 0; j < data.d(); ++j) {
            token_[static_cast<std::size_t>(j)] = p_.reduce(scaled(data.tokens(j, t), shift));
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
        const Residue factor = p_.reduce(Dyadic{1, extra});
        for (const Residue s : s_) {
            const Residue weight = extra == 0 ? s : p_.multiply(s, factor);
            for (const Residue z : token_) {
                *to++ = p_.multiply(weight, z);
            }
        }
    }

private:
    const Modulus& p_;
    std::vector<Residue> s_;
    std::vector<Residue> token_;
};

}  // namespace

ModularMatrix FeatureRows::block(const Modulus& p, Index b) const {
    const Index first = first_row(b);
    ModularMatrix H(first_row(b + 1) - first, num_columns());
    const auto write = [&](const ModularSequence& moments, Index example) {
        Residue* row = H.row(example - first);
        moments.write_features(row, extra_exponent(example));
        for (Index a = 0; has_labels(columns_) && a < data_.o(); ++a) {
            row[feature_dim(data_.d()) + a] =
                p.reduce(scaled(data_.y(a, example), row_exponent(example)));
        }
    };
    for (Index i = starts_[static_cast<std::size_t>(b)];
         i < starts_[static_cast<std::size_t>(b) + 1];
         ++i) {
        ModularSequence moments(p, data_.d());
        const int shift = token_exponents_[static_cast<std::size_t>(i)];
        for (Index t = data_.first_token(i); t < data_.first_token(i + 1); ++t) {
            moments.load(data_, t, shift);
            moments.add();
            if (per_prefix(data_)) {
                write(moments, t);
            }
        }
        if (!per_prefix(data_)) {
            moments.load(data_, data_.query_token(i), shift);
            write(moments, i);
        }
    }
    return H;
}

}  // namespace attest
