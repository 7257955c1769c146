#include "core/certify/coverage/draws.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/exact/modular_matrix.hpp"
#include "core/exact/modulus.hpp"
#include "core/exact/row_basis.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

DrawSpans::DrawSpans(const SequenceSource& data, RankProfile profile)
    : rows_(data), profile_(std::move(profile)), p_(profile_.prime) {
    const SequenceShape shape = data.shape();
    const bool prefixes = shape.labels == LabelKind::per_prefix;
    for (Index i = 0; i <= shape.num_sequences(); ++i) {
        first_rows_.push_back(prefixes ? shape.offsets[static_cast<std::size_t>(i)] : i);
    }
    for (Index i = 0; i < num_draws(); ++i) {
        draw_of_row_.insert(draw_of_row_.end(), static_cast<std::size_t>(num_rows_of(i)), i);
    }
    const double bytes = 8.0 * static_cast<double>(num_rows()) * static_cast<double>(rank());
    for (Index b = 0; b < rows_.num_blocks() && bytes <= memory_limit() / 4.0; ++b) {
        kept_.push_back(formed_block(b));
    }
}

ModularMatrix DrawSpans::formed_block(Index b) const {
    throw_if_stopped("DrawSpans");
    return select_columns(rows_.block(p_, b), profile_.pivot_columns);
}

DrawSpans::NumberedRows DrawSpans::block(Index b, const std::vector<bool>& members) const {
    NumberedRows part;
    std::vector<Index> chosen;
    for (Index row = rows_.first_row(b); row < rows_.first_row(b + 1); ++row) {
        if (members[static_cast<std::size_t>(draw_of_row(row))]) {
            part.numbers.push_back(row);
            chosen.push_back(row - rows_.first_row(b));
        }
    }
    if (chosen.empty()) {
        part.rows = ModularMatrix(0, rank());
    } else if (kept_.empty()) {
        part.rows = select_rows(formed_block(b), chosen);
    } else {
        part.rows = select_rows(kept_[static_cast<std::size_t>(b)], chosen);
    }
    return part;
}

std::optional<std::vector<Index>> DrawSpans::pivot_rows(const std::vector<bool>& members) const {
    ModularRowBasis basis(p_, rank(), {.screens = screens_for(p_)});
    std::vector<Index> numbers;
    for (Index b = 0; b < rows_.num_blocks() && basis.rank() < rank(); ++b) {
        const NumberedRows part = block(b, members);
        numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
        basis.append(part.rows, ModularMatrix(part.rows.rows(), 0));
        basis.flush();
    }
    if (basis.rank() < rank()) {
        return std::nullopt;
    }
    std::vector<Index> pivots;
    for (const Index row : basis.pivot_rows()) {
        pivots.push_back(numbers[static_cast<std::size_t>(row)]);
    }
    return pivots;
}

ModularMatrix DrawSpans::free_entries(const std::vector<Index>& rows, Index count) const {
    ModularMatrix F(std::ssize(rows), count);
    for (Index i = 0; i < F.rows(); ++i) {
        for (Index c = 0; c < count; ++c) {
            const Index number = rows[static_cast<std::size_t>(i)] * count + c;
            F(i, c) = split_mix(static_cast<std::uint64_t>(number) + p_.prime()) % p_.prime();
        }
    }
    return F;
}

LeftNullVectors DrawSpans::left_null_vectors(const std::vector<bool>& members,
                                             std::vector<Index> pivots,
                                             Index count) const {
    std::sort(pivots.begin(), pivots.end());
    ModularMatrix A(0, rank());
    ModularMatrix target(rank(), count);
    for (Index b = 0; b < rows_.num_blocks(); ++b) {
        const NumberedRows part = block(b, members);
        std::vector<Index> inside;
        std::vector<Index> others;
        std::vector<Index> numbers;
        for (Index i = 0; i < part.rows.rows(); ++i) {
            const Index row = part.numbers[static_cast<std::size_t>(i)];
            if (std::binary_search(pivots.begin(), pivots.end(), row)) {
                inside.push_back(i);
            } else {
                others.push_back(i);
                numbers.push_back(row);
            }
        }
        A = stack(A, select_rows(part.rows, inside));
        target = subtract_product(p_,
                                  std::move(target),
                                  transpose(select_rows(part.rows, others)),
                                  free_entries(numbers, count));
    }
    std::optional<ModularMatrix> X = solve(p_, transpose(A), target);
    ensure(X.has_value(), "DrawSpans: the pivot rows are singular");
    return {std::move(pivots), std::move(*X)};
}

ModularMatrix DrawSpans::entries_at(const LeftNullVectors& null, Index draw) const {
    std::vector<Index> rows;
    for (Index row = first_row_of(draw); row < first_row_of(draw + 1); ++row) {
        rows.push_back(row);
    }
    ModularMatrix entries = free_entries(rows, null.entries.cols());
    for (Index i = 0; i < entries.rows(); ++i) {
        const Index row = rows[static_cast<std::size_t>(i)];
        const auto at = std::lower_bound(null.pivot_rows.begin(), null.pivot_rows.end(), row);
        if (at != null.pivot_rows.end() && *at == row) {
            std::copy_n(
                null.entries.row(at - null.pivot_rows.begin()), entries.cols(), entries.row(i));
        }
    }
    return entries;
}

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kMostProducts = 2e9;

/// ln(e^a + e^b).
double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    return std::isinf(larger) ? larger : larger + std::log1p(std::exp(-std::abs(a - b)));
}

/// Draws with a row that the random null vector does not touch: its other rows and the other draws
/// do not determine it. Ascending.
std::vector<Index> draws_to_keep(const DrawSpans& spans, const LeftNullVectors& null) {
    std::vector<Index> kept;
    for (Index j = 0; j < null.entries.rows(); ++j) {
        const Index draw = spans.draw_of_row(null.pivot_rows[static_cast<std::size_t>(j)]);
        if (null.entries(j, 0) == 0 && (kept.empty() || kept.back() != draw)) {
            kept.push_back(draw);
        }
    }
    return kept;
}

/// `kept` and a uniform choice of the other members, `size` in all.
std::vector<bool> smaller_set(const std::vector<bool>& members,
                              const std::vector<Index>& kept,
                              Index size,
                              const Stream& stream) {
    std::vector<bool> smaller(members.size(), false);
    for (const Index draw : kept) {
        smaller[static_cast<std::size_t>(draw)] = true;
    }
    std::vector<Index> others;
    for (Index draw = 0; draw < std::ssize(members); ++draw) {
        const auto at = static_cast<std::size_t>(draw);
        if (members[at] && !smaller[at]) {
            others.push_back(draw);
        }
    }
    const std::vector<Index> order = random_permutation(std::ssize(others), stream);
    for (Index k = 0; k < size - std::ssize(kept); ++k) {
        const Index chosen = order[static_cast<std::size_t>(k)];
        smaller[static_cast<std::size_t>(others[static_cast<std::size_t>(chosen)])] = true;
    }
    return smaller;
}

/// ln of the weights of one walk, −∞ once its set spans less.
std::vector<double> walk(const DrawSpans& spans,
                         std::vector<Index> kept,
                         const std::vector<Index>& sizes,
                         const Stream& stream) {
    std::vector<double> weights(sizes.size(), kNever);
    std::vector<bool> members(static_cast<std::size_t>(spans.num_draws()), true);
    Index before = spans.num_draws();
    double weight = 0.0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        weight += log_share_holding(before, sizes[k], std::ssize(kept));
        if (std::isinf(weight)) {
            break;
        }
        members = smaller_set(members, kept, sizes[k], stream.child(static_cast<Index>(k)));
        const std::optional<std::vector<Index>> pivots = spans.pivot_rows(members);
        if (!pivots) {
            break;
        }
        weights[k] = weight;
        kept = draws_to_keep(spans, spans.left_null_vectors(members, *pivots, 1));
        before = sizes[k];
    }
    return weights;
}

}  // namespace

double log_share_holding(Index n, Index m, Index s) {
    if (s > m) {
        return kNever;
    }
    double sum = 0.0;
    for (Index i = 0; i < s; ++i) {
        sum += std::log(static_cast<double>(m - i) / static_cast<double>(n - i));
    }
    return sum;
}

std::optional<Index> draws_outside(const DrawSpans& spans) {
    Index longest = 1;
    for (Index i = 0; i < spans.num_draws(); ++i) {
        longest = std::max(longest, spans.num_rows_of(i));
    }
    const double products = static_cast<double>(spans.num_rows()) *
                            static_cast<double>(spans.rank()) * static_cast<double>(longest);
    if (longest > 1 && products > kMostProducts) {
        return std::nullopt;
    }
    if (spans.rank() == 0) {
        return 0;
    }
    const std::vector<bool> all(static_cast<std::size_t>(spans.num_draws()), true);
    const LeftNullVectors null = spans.left_null_vectors(all, spans.profile().pivot_rows, longest);
    Index count = 0;
    Index draw = -1;
    for (const Index row : null.pivot_rows) {
        if (spans.draw_of_row(row) != draw) {
            draw = spans.draw_of_row(row);
            const Index free = rank(spans.modulus(), spans.entries_at(null, draw));
            count += free < spans.num_rows_of(draw) ? 1 : 0;
        }
    }
    return count;
}

std::vector<double> spanning_log_shares(const DrawSpans& spans,
                                        const std::vector<Index>& sizes,
                                        Index chains,
                                        const Stream& stream) {
    if (spans.rank() == 0) {
        std::vector<double> certain(sizes.size(), 0.0);
        return certain;
    }
    const std::vector<bool> all(static_cast<std::size_t>(spans.num_draws()), true);
    const std::vector<Index> kept =
        draws_to_keep(spans, spans.left_null_vectors(all, spans.profile().pivot_rows, 1));
    std::vector<double> sums(sizes.size(), kNever);
    for (Index c = 0; c < chains; ++c) {
        const std::vector<double> weights = walk(spans, kept, sizes, stream.child(c));
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            sums[k] = log_sum(sums[k], weights[k]);
        }
    }
    for (double& sum : sums) {
        sum -= std::log(static_cast<double>(chains));
    }
    return sums;
}

}  // namespace attest
