#pragma once

#include "bench/experiments/text/one_hot_layer.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace attest {

/// Tokens of a window.
inline constexpr Index kWideWindow = 4;

struct WideSetting {
    std::string path;
    Index vocabulary = 300;
    Index repetition = 0;  ///< chooses four fifths of the training windows
    std::uint64_t seed = 0;

    friend bool operator==(const WideSetting&, const WideSetting&) = default;
};

struct WideProblem {
    std::vector<WordWindow> train;
    std::vector<WordWindow> validation;
    std::vector<WordWindow> test;
    NgramTables tables;  ///< of the training windows
    Index vocabulary = 0;
    double shared_8grams = 0.0;
};

[[nodiscard]] WideProblem wide_problem(const WideSetting& setting);

/// V numbers for a window, near the next word's unit vector.
using WidePredict = std::function<Vector(const WordWindow&)>;

/// Squared error of unit vectors, whose square is 1, and how often the largest entry but <unk>'s is
/// right; <unk> is never right.
struct WideScore {
    double risk = 0.0;
    double accuracy = 0.0;
};

[[nodiscard]] WideScore wide_score(const std::vector<WordWindow>& windows,
                                   const WidePredict& predict);

/// A learned predictor with its choices, all made on the validation part. The problem must outlive
/// it.
struct WideLearned {
    WidePredict predict;
    Metrics chosen;
};

/// unigram, bigram, trigram; least_norm, ridge (towards zero) or ridge_to_bigram.
[[nodiscard]] WideLearned learn_wide(const WideProblem& problem, const std::string& learner);

}  // namespace attest
