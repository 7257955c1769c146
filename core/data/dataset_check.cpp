#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset.hpp"

#include <cmath>

namespace attest {

namespace {

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
    throw InvalidInput(concat("dataset: got ", parts...));
}

void check_offsets(const Dataset& data) {
    if (data.d() < 1) {
        fail("d = ", data.d(), ", expected at least 1");
    }
    if (data.num_sequences() < 1) {
        fail("no sequence, expected at least one");
    }
    if (data.first_token(0) != 0) {
        fail("offsets[0] = ", data.first_token(0), ", expected 0");
    }
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (data.length(i) < 1) {
            fail(data.length(i), " tokens in sequence ", i, ", expected at least one");
        }
    }
    const Index last = data.first_token(data.num_sequences());
    if (last != data.tokens.cols()) {
        fail("the last offset ", last, ", expected the number of tokens ", data.tokens.cols());
    }
}

void check_labels(const Dataset& data) {
    if (data.labels == LabelKind::none) {
        if (data.o() != 0) {
            fail("y with ", data.o(), " rows, expected none without labels");
        }
    } else if (data.o() < 1 || data.y.cols() != data.num_examples()) {
        fail("y ",
             data.o(),
             "x",
             data.y.cols(),
             ", expected at least one row and ",
             data.num_examples(),
             " columns");
    }
}

void check_query(const Dataset& data) {
    if (data.query.empty()) {
        return;
    }
    if (data.labels == LabelKind::per_prefix) {
        fail("query beside labels per prefix, expected none: a prefix's query is its last column");
    }
    if (static_cast<Index>(data.query.size()) != data.num_sequences()) {
        fail(data.query.size(), " query columns, expected ", data.num_sequences());
    }
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Index column = data.query[static_cast<std::size_t>(i)];
        if (column < 0 || column >= data.length(i)) {
            fail("query[", i, "] = ", column, ", expected 0 to ", data.length(i) - 1);
        }
    }
}

void check_truth(const Dataset& data) {
    const auto fits = [&](Index o) { return data.o() == 0 || o == data.o(); };
    if (data.truth.heads) {
        const Parameters& theta = *data.truth.heads;
        check_shapes(theta);
        if (theta.d != data.d() || !fits(theta.o)) {
            fail("true heads with d = ",
                 theta.d,
                 ", o = ",
                 theta.o,
                 ", expected d = ",
                 data.d(),
                 ", o = ",
                 data.o());
        }
    }
    if (data.truth.P) {
        const Matrix& P = *data.truth.P;
        if (P.rows() != feature_dim(data.d()) || !fits(P.cols())) {
            fail("true coefficients ",
                 P.rows(),
                 "x",
                 P.cols(),
                 ", expected ",
                 feature_dim(data.d()),
                 " rows and o = ",
                 data.o());
        }
    }
}

template <class Block>
void check_finite(const Block& block, std::string_view key, Index i) {
    for (Index t = 0; t < block.cols(); ++t) {
        for (Index j = 0; j < block.rows(); ++j) {
            if (!std::isfinite(block(j, t))) {
                throw InvalidInput(concat(key,
                                          "[",
                                          i,
                                          "] holds ",
                                          name_of_non_finite(block(j, t)),
                                          " at (",
                                          j,
                                          ",",
                                          t,
                                          "), expected finite numbers"));
            }
        }
    }
}

}  // namespace

void check(const Dataset& data) {
    check_offsets(data);
    check_labels(data);
    check_query(data);
    check_truth(data);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        check_finite(data.sequence(i), "Z", i);
    }
    for (Index i = 0; i < data.y.cols(); ++i) {
        check_finite(data.y.col(i), "y", i);
    }
}

}  // namespace attest
