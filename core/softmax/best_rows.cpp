#include "core/softmax/best_rows.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace attest {

BestRows::BestRows(Index capacity, Index payload)
    : capacity_(static_cast<std::size_t>(capacity)), payload_(payload) {
    require(capacity >= 1 && payload >= 0, "best_rows: expected a positive capacity");
}

bool BestRows::accepts(const Key& key) const {
    return heap_.size() < capacity_ || key < heap_.front().key;
}

double* BestRows::keep(const Key& key) {
    Index slot = size();
    if (heap_.size() == capacity_) {
        std::pop_heap(heap_.begin(), heap_.end());
        slot = heap_.back().slot;
        heap_.back() = {key, slot};
    } else {
        heap_.push_back({key, slot});
        payloads_.resize(payloads_.size() + static_cast<std::size_t>(payload_));
    }
    std::push_heap(heap_.begin(), heap_.end());
    return payloads_.data() + slot * payload_;
}

BestRows::Result BestRows::sorted() const {
    std::vector<Entry> order = heap_;
    std::sort(order.begin(), order.end());
    Result result{{}, Matrix(payload_, size())};
    for (const Entry& entry : order) {
        result.payloads.col(static_cast<Index>(result.keys.size())) =
            Eigen::Map<const Vector>(payloads_.data() + entry.slot * payload_, payload_);
        result.keys.push_back(entry.key);
    }
    return result;
}

}  // namespace attest
