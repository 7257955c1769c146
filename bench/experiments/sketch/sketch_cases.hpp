#pragma once

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/sketch/sketches.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// One sketch to try.
struct SketchChoice {
    SketchKind kind;
    Index features;  ///< m
    Index draw;      ///< 0 but for random ones

    [[nodiscard]] Stream stream(const Stream& root) const;

    /// Learner, its parameters, stream and repetition of a row.
    void name(CaseKey& key, const Stream& root) const;
};

/// Every kind with m = 4, 16, 64, … and `most`, random ones five times.
[[nodiscard]] std::vector<SketchChoice> sketch_choices(Index most);

/// Least squares on the sketched features: train_risk, test_risk, choose_cpu_seconds.
[[nodiscard]] Metrics measure_sketch(const SketchChoice& choice,
                                     const Moments& train,
                                     const Moments& test,
                                     Index d,
                                     const Stream& root);

/// A line for each group of rows: `groups`, then learner and m, with means over the draws.
[[nodiscard]] Table sketch_table(const std::vector<Row>& rows, std::vector<KeyColumn> groups);

/// Risk against m of some rows, a curve for each kind of sketch; no series without rows.
[[nodiscard]] Panel sketch_panel(const std::vector<Row>& rows,
                                 const std::string& metric,
                                 const std::string& title);

/// The table, and the panels that have a series as one figure, both under this name.
[[nodiscard]] Derived sketch_derived(const std::string& name,
                                     Table table,
                                     std::vector<Panel> panels,
                                     const std::string& title);

}  // namespace attest
