#include "python/src/data.hpp"

#include "core/data/sliced_source.hpp"

#include <utility>

namespace attest::python {

Data::Data(Dataset whole) : data_(std::move(whole)) {
    check(data_);
    sequences_ = std::make_unique<SequencesInMemory>(data_);
}

Data::Data(StridedTokens elsewhere, Dataset rest)
    : data_(std::move(rest)), elsewhere_(std::move(elsewhere)) {
    sequences_ = std::make_unique<StridedSequences>(*elsewhere_, data_);
}

const Dataset& Data::whole() const {
    if (!elsewhere_) {
        return data_;
    }
    std::call_once(copied_, [&] {
        whole_ = data_;
        whole_.tokens = tokens();
    });
    return whole_;
}

Matrix Data::tokens() const {
    return elsewhere_ ? elsewhere_->copied(0, elsewhere_->num_tokens())
                      : Matrix(data_.tokens.view());
}

std::unique_ptr<const MomentSource> Data::source(ReadingAs as) const {
    if (elsewhere_ && as == ReadingAs::parts) {
        return std::make_unique<SlicedSource>(*sequences_);
    }
    return std::make_unique<DatasetSource>(whole());
}

std::unique_ptr<Data> Data::with(const std::function<void(Dataset&)>& change) const {
    Dataset other = data_;
    change(other);
    return elsewhere_ ? std::make_unique<Data>(*elsewhere_, std::move(other))
                      : std::make_unique<Data>(std::move(other));
}

void Data::set_meta(const std::string& meta) {
    data_.meta = meta;
    whole_.meta = meta;
}

}  // namespace attest::python
