#include "proofs_check/checker/grouped.hpp"

#include "proofs_check/checker/relation.hpp"
#include "proofs_check/checker/sums.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
__extension__ using Wide = unsigned __int128;
using List = std::vector<Index>;

/// Tokens and states modulo a prime. A large state is formed this way in a twentieth of the time
/// that its integers take.
class Residues {
public:
    Residues(const Table& table, std::uint64_t prime) : table_(table), prime_(prime) {
        const Index d = table.data.d;
        for (Index a = 0; a < d; ++a) {
            for (Index b = a + 1; b < d; ++b) {
                pairs_.emplace_back(a, b);
            }
        }
        for (Index a = 0; a < d; ++a) {
            pairs_.emplace_back(a, a);
        }
    }

    [[nodiscard]] std::uint64_t entry(Index token, Index a) const {
        const double value = table_.data.tokens[token * table_.data.d + a];
        const Integer residue = quotient(value, table_.exponent) % prime_;
        return static_cast<std::uint64_t>(residue < 0 ? Integer(residue + prime_) : residue);
    }

    /// These entries of pack(S) of one sequence.
    [[nodiscard]] std::vector<std::uint64_t> state(Index sequence, const List& entries) const {
        std::vector<Wide> sums(entries.size());
        std::vector<std::uint64_t> x(table_.data.d);
        const std::vector<Index>& starts = table_.data.offsets;
        for (Index t = starts[sequence]; t < starts[sequence + 1]; ++t) {
            for (Index a = 0; a < table_.data.d; ++a) {
                x[a] = entry(t, a);
            }
            for (std::size_t k = 0; k < entries.size(); ++k) {
                const auto [a, b] = pairs_[entries[k]];
                sums[k] += Wide{x[a]} * x[b];
                // Both below 2^124: no sum overflows before it is looked at.
                sums[k] = sums[k] >> 124 == 0 ? sums[k] : sums[k] % prime_;
            }
        }
        std::vector<std::uint64_t> state;
        for (const Wide sum : sums) {
            const bool small = sum >> 64 == 0;
            state.push_back(small ? std::uint64_t(sum) % prime_ : std::uint64_t(sum % prime_));
        }
        return state;
    }

private:
    const Table& table_;
    std::uint64_t prime_;
    std::vector<std::pair<Index, Index>> pairs_;
};

/// Each group in turn, then what they are together.
struct Grouped {
    Reader& in;
    const Table& table;
    Index d = table.data.d;
    Index q = d * (d + 1) / 2;
    List queries{};  ///< of the groups: places among the tokens
    Index rank = 0;
    Index members = 0;

    [[nodiscard]] Index query(Index i) const {
        const Dataset& data = table.data;
        return data.query.empty() ? data.offsets[i + 1] - 1 : data.offsets[i] + data.query[i];
    }

    [[nodiscard]] bool same_query(Index i, Index k) const {
        const auto begin = table.data.tokens.begin();
        const auto first = begin + query(i) * d;
        return std::equal(first, first + d, begin + query(k) * d);
    }

    void minor(const List& group, Index r) {
        const std::uint64_t p = read_prime(in, table, r);
        const List rows = read_list(in, "rows", table.num_examples, r);
        const bool inside = std::includes(group.begin(), group.end(), rows.begin(), rows.end());
        in.require(inside, "not all of them are in the group");
        const List columns = read_list(in, "columns", q, r);
        const Residues residues(table, p);
        std::vector<std::uint64_t> matrix;
        for (const Index i : rows) {
            const std::vector<std::uint64_t> state = residues.state(i, columns);
            matrix.insert(matrix.end(), state.begin(), state.end());
        }
        in.require(nonsingular(matrix, r, p), "the minor is 0 mod the prime");
    }

    void bound(const List& group, Index r) {
        if (in.take("few-examples\n")) {
            in.require(Index(group.size()) <= r, "there are more examples in the group than that");
            return;
        }
        const std::vector<Vector> null = read_nulls(in, q - r, q);
        for (const Index i : null.empty() ? List{} : group) {
            const Row row = table.row(i);
            for (const auto& [line, terms] : null) {
                Integer sum = 0;
                for (const auto& [column, coefficient] : terms) {
                    sum += coefficient * row.s[column];
                }
                in.require(sum == 0, "not orthogonal to state " + std::to_string(i), line);
            }
        }
    }

    void group() {
        in.expect("group");
        const List examples = in.indices(table.num_examples);
        in.require(!examples.empty(), "the group is empty");
        for (const Index i : examples) {
            in.require(same_query(i, examples[0]), "the group has more than one query");
        }
        in.expect("rank ");
        const Index r = in.number(0, q, "\n");
        minor(examples, r);
        bound(examples, r);
        queries.push_back(query(examples[0]));
        rank += r;
        members += Index(examples.size());
    }

    void independent_queries() {
        const auto count = Index(queries.size());
        const std::uint64_t p = read_prime(in, table, count);
        const List columns = read_list(in, "columns", d, count);
        const Residues residues(table, p);
        std::vector<std::uint64_t> matrix;
        for (const Index token : queries) {
            for (const Index a : columns) {
                matrix.push_back(residues.entry(token, a));
            }
        }
        in.require(nonsingular(matrix, count, p), "the queries' minor is 0 mod the prime");
    }
};
}  // namespace

void check_grouped(Reader& in, const Table& table) {
    const Index claimed = in.number(0, table.psi, "\n");
    const bool paper = table.layer.plain && !table.data.prefixes;
    in.require(paper, "only of the paper's layer, without labels for each prefix");
    Grouped found{in, table};
    in.expect("groups ");
    for (Index left = in.number(1, found.d, "\n"); left > 0; --left) {
        found.group();
    }
    found.independent_queries();
    in.require(found.rank == claimed, "the ranks of the groups have another sum");
    in.require(claimed == table.psi || found.members == table.num_examples,
               "an example is in no group");
}
}  // namespace attest::checker
