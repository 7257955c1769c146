#include "distributed/distributed_rank.hpp"

#include "core/base/pick.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/certify/rank/row_scale.hpp"
#include "core/exact/float_product.hpp"
#include "distributed/agreement.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace attest {

namespace {

/// Columns of a block: few enough that every rank has some of every part of the matrix.
constexpr Index kColumnBlock = 64;

/// Rows that all ranks together eliminate at once.
constexpr Index kRowsAtOnce = 128;

/// Places that put the values in ascending order.
std::vector<Index> ascending(const std::vector<Index>& values) {
    std::vector<Index> places(values.size());
    std::iota(places.begin(), places.end(), Index{0});
    std::sort(places.begin(), places.end(), [&](Index a, Index b) {
        return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
    });
    return places;
}

/// The place of each value when they stand in ascending order.
std::vector<Index> places_in_order(const std::vector<Index>& values) {
    return ascending(ascending(values));
}

}  // namespace

DistributedRowBasis::DistributedRowBasis(const Communicator& ranks,
                                         const Modulus& p,
                                         Index num_columns)
    : ranks_(ranks), p_(p), num_columns_(num_columns), own_(columns_of(ranks.rank())) {
    free_.resize(own_.size());
    std::iota(free_.begin(), free_.end(), Index{0});
    F_ = ModularMatrix(0, std::ssize(own_));
}

std::vector<Index> DistributedRowBasis::columns_of(Index rank) const {
    const CyclicIndex cyclic{kColumnBlock, ranks_.size()};
    std::vector<Index> columns;
    for (Index j = 0; j < num_columns_; ++j) {
        if (cyclic.owner(j) == rank) {
            columns.push_back(j);
        }
    }
    return columns;
}

std::vector<Index> DistributedRowBasis::free_numbers() const {
    return pick(own_, free_);
}

/// Of every rank the columns it gives, with their numbers.
DistributedRowBasis::Gathered DistributedRowBasis::gather(const ModularMatrix& columns,
                                                          const std::vector<Index>& numbers) const {
    const std::vector<Index> counts = of_ranks(ranks_, std::ssize(numbers));
    const std::vector<Index> starts = starts_of(counts);
    const Index height = columns.rows();
    ModularMatrix all(starts.back(), height);
    std::vector<Index> all_numbers(static_cast<std::size_t>(starts.back()));
    const Index mine = starts[static_cast<std::size_t>(ranks_.rank())];
    std::copy(numbers.begin(), numbers.end(), all_numbers.begin() + mine);
    const ModularMatrix as_rows = transpose(columns);
    if (as_rows.rows() > 0) {
        std::copy_n(as_rows.row(0), as_rows.rows() * height, all.row(mine));
    }
    ranks_.gather_to_all(std::span<Index>(all_numbers), starts);
    ranks_.gather_to_all(
        std::span<Residue>(all.row(0), static_cast<std::size_t>(starts.back() * height)),
        starts_of(counts, height));
    const std::vector<Index> order = ascending(all_numbers);
    return {pick(all_numbers, order), select_rows(all, order)};
}

void DistributedRowBasis::append(const ModularMatrix& rows) {
    const Index first = num_rows_;
    num_rows_ += rows.rows();
    if (rank() == num_columns_ || rows.rows() == 0) {
        return;
    }
    // What the rows have at the pivots, in the order of the basis, is what of it they hold.
    const std::vector<Index> taken_before = other_columns(free_, std::ssize(own_));
    const Gathered known = gather(select_columns(rows, taken_before), pick(own_, taken_before));
    const ModularMatrix C = transpose(select_rows(known.columns, places_in_order(pivots_)));
    const ModularMatrix E = subtract_product(p_, select_columns(rows, free_), C, F_);

    // The first independent columns of all are among the first independent ones of each rank.
    const std::vector<Index> candidates = reduced_row_echelon(p_, E).pivots;
    const Gathered offered =
        gather(select_columns(E, candidates), pick(free_numbers(), candidates));
    const std::vector<Index> chosen = reduced_row_echelon(p_, transpose(offered.columns)).pivots;
    if (chosen.empty()) {
        return;
    }
    const std::vector<Index> pivots = pick(offered.numbers, chosen);
    const ModularMatrix at_pivots = transpose(select_rows(offered.columns, chosen));
    const std::vector<Index> independent = reduced_row_echelon(p_, at_pivots).pivot_rows;

    std::vector<Index> left;  // of free_, and what becomes pivots
    std::vector<Index> taken;
    for (Index k = 0; k < std::ssize(free_); ++k) {
        const Index number = own_[static_cast<std::size_t>(free_[static_cast<std::size_t>(k)])];
        (std::binary_search(pivots.begin(), pivots.end(), number) ? taken : left).push_back(k);
    }
    ModularMatrix found(std::ssize(pivots), std::ssize(left));
    if (!left.empty()) {
        const auto solved = solve(p_,
                                  select_rows(at_pivots, independent),
                                  select_rows(select_columns(E, left), independent));
        ensure(solved.has_value(), "DistributedRowBasis: the pivots are not regular");
        found = *solved;
    }
    const Gathered old = gather(select_columns(F_, taken), pick(free_numbers(), taken));
    F_ =
        stack(subtract_product(p_, select_columns(F_, left), transpose(old.columns), found), found);

    free_ = pick(free_, left);
    pivots_.insert(pivots_.end(), pivots.begin(), pivots.end());
    for (const Index row : independent) {
        pivot_rows_.push_back(first + row);
    }
}

namespace {

/// The feature rows of the rank's own examples, some at a time.
class OwnRows {
public:
    OwnRows(const ShardedData& data, const Modulus& p)
        : data_(data), p_(p), example_(data.first_example) {}

    /// Number of the next row among all examples.
    [[nodiscard]] Index example() const { return example_; }

    /// The next rows, `most` at most; none at the end.
    [[nodiscard]] ModularMatrix take(Index most) {
        while (at_ == rows_.rows() && next()) {
        }
        const Index count = std::min(most, rows_.rows() - at_);
        std::vector<Index> numbers(static_cast<std::size_t>(count));
        std::iota(numbers.begin(), numbers.end(), at_);
        at_ += count;
        example_ += count;
        return select_rows(rows_, numbers);
    }

private:
    /// Forms the next rows; false at the end.
    bool next() {
        if (features_ && part_ < features_->num_blocks()) {
            rows_ = features_->block(p_, part_++);
            at_ = 0;
            return true;
        }
        if (block_ == data_.own.size()) {
            return false;
        }
        features_.emplace(data_.own[block_++]);
        part_ = 0;
        return true;
    }

    const ShardedData& data_;
    Modulus p_;
    Index example_;
    std::size_t block_ = 0;
    std::optional<FeatureRows> features_;
    Index part_ = 0;
    ModularMatrix rows_;
    Index at_ = 0;
};

/// Rows of every rank to all: what each rank gets are its own columns of them, the ranks' rows one
/// after the other.
ModularMatrix own_columns_of_all(const Communicator& ranks,
                                 const DistributedRowBasis& basis,
                                 const ModularMatrix& mine,
                                 const std::vector<Index>& counts) {
    std::vector<Residue> sent;
    std::vector<Index> send_counts;
    std::vector<Index> receive_counts;
    const Index own = std::ssize(basis.own_columns());
    for (Index r = 0; r < ranks.size(); ++r) {
        const ModularMatrix theirs = select_columns(mine, basis.columns_of(r));
        const Index size = theirs.rows() * theirs.cols();
        if (size > 0) {
            sent.insert(sent.end(), theirs.row(0), theirs.row(0) + size);
        }
        send_counts.push_back(size);
        receive_counts.push_back(counts[static_cast<std::size_t>(r)] * own);
    }
    const std::vector<Residue> received = ranks.exchange(sent, send_counts, receive_counts);
    ModularMatrix rows(std::accumulate(counts.begin(), counts.end(), Index{0}), own);
    std::copy(received.begin(), received.end(), rows.row(0));
    return rows;
}

RankProfile profile_modulo(const Communicator& ranks, const ShardedData& data, const Modulus& p) {
    const Index psi = data.table.shape().psi();
    DistributedRowBasis basis(ranks, p, psi);
    OwnRows examples(data, p);
    const Index each = std::max<Index>(kRowsAtOnce / ranks.size(), 1);
    std::vector<Index> numbers;  // of the examples, row by row
    while (basis.rank() < psi) {
        ModularMatrix mine;
        const Index first = examples.example();
        together(ranks, [&] { mine = examples.take(each); });
        const std::vector<Index> counts = of_ranks(ranks, mine.rows());
        const std::vector<Index> firsts = of_ranks(ranks, first);
        for (std::size_t r = 0; r < counts.size(); ++r) {
            for (Index k = 0; k < counts[r]; ++k) {
                numbers.push_back(firsts[r] + k);
            }
        }
        if (std::all_of(counts.begin(), counts.end(), [](Index count) { return count == 0; })) {
            break;
        }
        basis.append(own_columns_of_all(ranks, basis, mine, counts));
    }
    return {p.prime(), pick(numbers, basis.pivot_rows()), basis.pivots()};
}

std::string reason_for(const ExactRank& found) {
    if (found.verdict == RankVerdict::full_rank) {
        return formatted("a {}x{} minor is nonzero modulo {}, found by all ranks",
                         found.psi,
                         found.psi,
                         found.profile.prime);
    }
    const std::string lower =
        formatted("rank >= {} by pivots modulo {}", found.rank_lower, found.profile.prime);
    return found.verdict == RankVerdict::deficient
               ? formatted("N = {} < psi = {}; {}", found.num_examples, found.psi, lower)
               : formatted("{}; only attest certify looks for null vectors", lower);
}

}  // namespace

ExactRank distributed_exact_rank(const Communicator& ranks, const ShardedData& data) {
    const SourceShape shape = data.table.shape();
    const Integer base = odd_base(data.table.layer);
    ExactRank found;
    found.num_examples = shape.num_examples;
    found.psi = shape.psi();
    found.rank_upper = std::min(found.num_examples, found.psi);
    // A fast prime first, and no other where the rank cannot be higher.
    found.profile = profile_modulo(ranks, data, usable_modulus(base, kFloatPrime));
    if (found.profile.rank() < found.rank_upper) {
        RankProfile other = profile_modulo(ranks, data, usable_modulus(base, kDefaultPrime));
        if (other.rank() > found.profile.rank()) {
            found.profile = std::move(other);
        }
    }
    found.rank_lower = found.profile.rank();
    found.verdict = found.rank_lower == found.psi    ? RankVerdict::full_rank
                    : found.num_examples < found.psi ? RankVerdict::deficient
                                                     : RankVerdict::undecided;
    found.reason = reason_for(found);
    return found;
}

double exact_rank_bytes(const SourceShape& shape, Index ranks) {
    const auto psi = static_cast<double>(shape.psi());
    const auto P = static_cast<double>(ranks);
    // A column block more than its share at most. The basis has up to psi²/4 residues, an update
    // four copies of that for a moment; beside it rows on their way and a block of features.
    const double own = psi / P + static_cast<double>(kColumnBlock);
    constexpr double kFeatureRows = 1024.0;
    return 8.0 * (psi * own + kFeatureRows * psi);
}

}  // namespace attest
