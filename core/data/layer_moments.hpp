#pragma once

#include "core/data/dataset.hpp"
#include "core/layers/arithmetic.hpp"
#include "core/layers/layer_state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace attest {

/// The examples of a data set as its layer sees them, (s, u), in any arithmetic: what every route,
/// floating or exact, shares. The data set must outlive it.
template <class Arithmetic>
class LayerExamples {
public:
    using Value = typename Arithmetic::Value;

    LayerExamples(const Dataset& data, Arithmetic arithmetic)
        : data_(data),
          arithmetic_(arithmetic),
          state_(data.layer, data.layer_input(), arithmetic),
          s_(static_cast<std::size_t>(data.layout().q())),
          u_(static_cast<std::size_t>(data.layout().m())) {}

    /// visit(example, s, u) for the examples of sequence i, in order: one, or one a prefix.
    template <class Visit>
    void visit_sequence(Index i, const Visit& visit) {
        if (data_.layer.form == TokenForm::supplied) {
            for (Index e = data_.first_example(i); e < data_.first_example(i + 1); ++e) {
                load(data_.columns.s, e, s_);
                load(data_.columns.u, e, u_);
                visit(e, std::as_const(s_), std::as_const(u_));
            }
            return;
        }
        const bool prefixes = data_.labels == LabelKind::per_prefix;
        state_.start();
        for (Index t = data_.first_token(i); t < data_.first_token(i + 1); ++t) {
            load(data_.tokens, t, z_);
            load(data_.columns.phi, t, phi_);
            load(data_.columns.gates, t, gate_);
            state_.add({z_.data(), phi_.data(), gate_.data()});
            if (prefixes) {
                show(t, t, visit);
            }
        }
        if (!prefixes) {
            show(i, data_.query_token(i), visit);
        }
    }

private:
    /// Column `at` of A; nothing where A has none.
    template <class Columns>
    void load(const Columns& A, Index at, std::vector<Value>& to) const {
        to.clear();
        for (Index j = 0; A.cols() > 0 && j < A.rows(); ++j) {
            to.push_back(arithmetic_.number(A(j, at)));
        }
    }

    template <class Visit>
    void show(Index example, Index query, const Visit& visit) {
        const Layer& layer = data_.layer;
        if (layer.cross) {
            load(data_.columns.x, example, asking_);
        } else if (layer.form == TokenForm::mapped) {
            load(data_.columns.phi, query, asking_);
        } else {
            load(data_.tokens, query, asking_);
        }
        state_.write_state(s_.data());
        state_.write_query(asking_.data(), u_.data());
        visit(example, std::as_const(s_), std::as_const(u_));
    }

    const Dataset& data_;
    Arithmetic arithmetic_;
    LayerState<Arithmetic> state_;
    std::vector<Value> z_;
    std::vector<Value> phi_;
    std::vector<Value> gate_;
    std::vector<Value> asking_;
    std::vector<Value> s_;
    std::vector<Value> u_;
};

}  // namespace attest
