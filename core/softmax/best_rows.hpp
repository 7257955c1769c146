#pragma once

#include "core/algebra/matrix.hpp"

#include <tuple>
#include <vector>

namespace attest {

/// The rows of least score in one pass over a stream, with a payload each: memory for `capacity`
/// rows whatever the length of the stream. Ties go to the lower (example, token, first, second), so
/// the choice does not depend on the order of the offers.
class BestRows {
public:
    struct Key {
        double score;
        Index example;
        Index token;
        Index first;
        Index second;

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.score, a.example, a.token, a.first, a.second) <
                   std::tie(b.score, b.example, b.token, b.first, b.second);
        }
    };

    BestRows(Index capacity, Index payload);

    /// Whether a row of this key would be kept now.
    [[nodiscard]] bool accepts(const Key& key) const;
    /// Keeps the row, in place of the worst when full; the caller fills the payload returned. Only
    /// after accepts(key).
    [[nodiscard]] double* keep(const Key& key);

    [[nodiscard]] Index size() const { return static_cast<Index>(heap_.size()); }

    /// What was kept, best first: keys and payloads (a column each).
    struct Result {
        std::vector<Key> keys;
        Matrix payloads;
    };

    [[nodiscard]] Result sorted() const;

private:
    struct Entry {
        Key key;
        Index slot;

        friend bool operator<(const Entry& a, const Entry& b) { return a.key < b.key; }
    };

    std::size_t capacity_;
    Index payload_;
    std::vector<Entry> heap_;  ///< the worst in front
    std::vector<double> payloads_;
};

}  // namespace attest
