#include "proofs_check/checker/verify.hpp"

#include "proofs_check/checker/grouped.hpp"
#include "proofs_check/checker/relation.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
using List = std::vector<Index>;

Rational dyadic(const Integer& m, Index e) {
    return e < 0 ? Rational(m, Integer(1) << -e) : Rational(m << e);
}

/// One member function for each block (FORMAT.md §3) and each larger claim (§4).
struct Verifier {
    Reader& in;
    const Table& table;
    Index psi = table.psi;
    Index num_examples = table.num_examples;

    /// MINOR(size); `row` and `column`, if not empty, are added to those of the proof.
    void minor(Index size, const List& row = {}, const List& column = {}) {
        const std::uint64_t p = read_prime(in, table, size);
        const auto read = [&](const char* word, Index limit, const List& more) {
            List list = read_list(in, word, limit, size - Index(more.size()));
            list.insert(list.end(), more.begin(), more.end());
            return list;
        };
        const List rows = read("rows", num_examples, row);
        const List columns = read("columns", psi, column);
        std::vector<std::uint64_t> residues;
        for (const Index i : rows) {
            const Row entries = table.row(i);
            for (const Index k : columns) {
                residues.push_back(
                    static_cast<std::uint64_t>(Integer(entries.entry(k) % p + p) % p));
            }
        }
        in.require(nonsingular(residues, size, p), "the minor is 0 mod the prime");
    }

    void orthogonal(const std::vector<Vector>& vectors, Index first, Index last) {
        table.visit(first, last, [&](Index i, const Row& row) {
            for (const auto& [line, terms] : vectors) {
                const bool zero = row.dot(terms) == 0;
                in.require(zero, zero ? "" : "not orthogonal to row " + std::to_string(i), line);
            }
        });
    }

    /// NULLS(count) over the first columns.
    std::vector<Vector> nulls(Index count, Index column_limit) {
        std::vector<Vector> null = read_nulls(in, count, column_limit);
        orthogonal(null, 0, num_examples);
        return null;
    }

    /// BOUND(r).
    void bound(Index r) {
        if (in.take("few-examples\n")) {
            in.require(num_examples <= r, "there are more examples than that");
        } else {
            (void)nulls(psi - r, psi);
        }
    }

    /// `factor`: is R = M(Λ − shift − LLᵀ) diagonally dominant?
    void factor(const Rational& shift) {
        in.expect("factor ");
        const Index power = in.number(-20000, 20000, " ");
        const Index size = psi * (psi + 1) / 2;  // of a lower triangle, row after row
        const Index bits =
            table.layout.degree * (1024 - table.exponent) + Index(table.weights.bits);
        const Index bytes = 32 + 2 * bits / 8;  // of an entry of HᵀH at most
        in.require(size <= (Index{1} << 31) / bytes, "too large a matrix");
        std::vector<Integer> L(size);
        for (Integer& entry : L) {
            entry = in.integer(&entry == &L.back() ? "\n" : " ");
        }
        std::vector<Integer> G(size);
        table.visit(0, num_examples, [&](Index, const Row& row) {
            std::vector<Integer> h(psi);
            auto entry = G.begin();
            for (Index i = 0; i < psi; ++i) {
                h[i] = row.entry(i);
                for (Index j = 0; j <= i; ++j) {
                    *entry++ += h[i] * h[j];
                }
            }
        });
        const Integer unit = table.scale() * table.scale();
        std::vector<Rational> margin(psi, -num_examples * shift);  // R_ii − Σ|R_ij|
        for (Index i = 0, at = 0; i < psi; ++i) {
            const Integer* const row = &L[at];
            const Integer* other = L.data();
            for (Index j = 0; j <= i; other += ++j) {
                Integer product = 0;
                for (Index k = 0; k <= j; ++k) {
                    product += row[k] * other[k];
                }
                const Rational R =
                    Rational(G[at++], unit) - dyadic(num_examples * product, 2 * power);
                margin[i] += i == j ? R : Rational(-abs(R));
                margin[j] -= i == j ? Rational(0) : Rational(abs(R));
            }
        }
        in.require(*std::min_element(margin.begin(), margin.end()) >= 0, "not diagonally dominant");
    }

    Rational read_dyadic(const char* after) {
        const Integer mantissa = in.integer("*2^");
        return dyadic(mantissa, in.number(-20000, 20000, after));
    }

    void lambda_min() {
        const Rational lower = read_dyadic(" ");
        const Rational upper = read_dyadic("\n");
        if (lower > 0) {  // Λ ⪰ 0 needs no proof
            factor(lower);
        }
        in.expect("upper");
        const Terms x = in.vector(psi).terms;
        Integer norm = 0;
        for (const auto& term : x) {
            norm += term.second * term.second;
        }
        Integer image = 0;
        table.visit(0, num_examples, [&](Index, const Row& row) { image += pow(row.dot(x), 2); });
        norm *= table.scale() * table.scale() * num_examples;
        const bool below = Rational(image) <= upper * norm;
        in.require(norm > 0 && below, "the Rayleigh quotient exceeds the upper bound");
    }

    void determined(const List& queries) {
        in.require(!queries.empty(), "no query is listed");
        const bool basis = in.take("basis ");
        std::vector<Vector> null;
        if (basis) {
            const Index r = in.number(0, psi, "\n");
            minor(r);
            null = nulls(psi - r, psi);
        }
        for (const Index k : queries) {
            orthogonal(null, num_examples + k, num_examples + k + 1);
            if (!basis) {
                in.expect("relation ");
                const Integer coefficient = in.integer("");
                in.require(coefficient != 0, "the query takes no part");
                (void)read_relation(in, table, {{num_examples + k, coefficient}});
            }
        }
    }

    void undetermined(const List& queries) {
        in.require(!queries.empty(), "no query is listed");
        const bool extended = in.take("extend ");
        const Index r = extended ? in.number(0, psi, "\n") : psi;
        extended ? bound(r) : void();
        const Terms v = extended ? Terms{} : nulls(1, psi)[0].terms;
        for (const Index k : queries) {
            const bool differs = extended || table.row(num_examples + k).dot(v) != 0;
            in.require(differs, "orthogonal to query " + std::to_string(k));
            extended ? minor(r + 1, {num_examples + k}) : void();
        }
    }

    void labels_inconsistent() {
        if (in.take("extend ")) {
            const Index r = in.number(0, psi, "\n");
            bound(r);
            in.expect("output ");
            minor(r + 1, {}, {psi + in.number(0, table.data.o - 1, "\n")});
        } else {
            in.expect("relation");
            in.require(read_relation(in, table).breaks(), "the labels cancel too");
        }
    }

    void claim() {
        if (in.take("full-rank\n")) {
            minor(psi);
        } else if (in.take("deficient\n")) {
            bound(psi - 1);
        } else if (in.take("rank ")) {
            const Index r = in.number(0, psi, "\n");
            minor(r);
            bound(r);
        } else if (in.take("lambda-min ")) {
            lambda_min();
        } else if (in.take("determined")) {
            determined(in.indices(table.queries.num_examples));
        } else if (in.take("undetermined")) {
            undetermined(in.indices(table.queries.num_examples));
        } else if (in.take("labels-consistent\n")) {
            in.require(table.data.o > 0, "there are no labels");
            const Vector first = nulls(table.data.o, psi + table.data.o)[0];
            in.require(first.terms.back().first >= psi, "there is no label in it", first.line);
        } else if (in.take("grouped ")) {
            check_grouped(in, table);
        } else if (in.take("inexpressible ")) {
            check_inexpressible(in, table);
        } else {
            in.require(in.take("labels-inconsistent\n"), "unknown claim");
            labels_inconsistent();
        }
        in.finish();
    }
};
}  // namespace

void check_claim(Reader& in, const Table& table) {
    Verifier{in, table}.claim();
}
}  // namespace attest::checker
