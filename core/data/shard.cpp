#include "core/data/shard.hpp"

#include "core/base/error.hpp"
#include "core/data/layer_columns_file.hpp"
#include "core/data/npz_checks.hpp"
#include "core/data/sequence_index.hpp"

namespace attest {

ShardIndex read_shard_index(const std::string& path, const Layer& layer) {
    const NpzReader file = NpzReader::open(path);
    ShardIndex index{path, read_layout(file, layer), {}, {}};
    index.offsets = read_offsets(file, index.layout);
    index.query = read_query(file, index.offsets);
    return index;
}

ShardReader::ShardReader(const ShardIndex& index, const Layer& layer, MemberCheck check)
    : index_(index), layer_(layer), check_(check), file_(NpzReader::open(index.path)) {
    if (index.layout.d > 0) {
        tokens_.emplace(array(index.layout.sequence_key));
    }
    if (index.layout.labels != LabelKind::none) {
        labels_.emplace(array(index.layout.label_key));
    }
    for (const auto& [key, rows] : index.layout.columns) {
        columns_.push_back(array(key));
    }
}

ShardReader::Array ShardReader::array(std::string_view key) const {
    return {std::string(key), file_.stream(key, check_)};
}

void ShardReader::read_elements(Array& from, Index first, std::span<double> to) {
    from.stream.read(first, to);
    if (check_ == MemberCheck::to_do) {
        require_finite(file_.where(from.key),
                       to,
                       from.stream.header().shape,
                       first,
                       "remove the example or pass --skip-invalid");
    }
}

Matrix ShardReader::read_columns(Array& from, Index rows, ColumnsOf what, Index first, Index last) {
    const bool of_tokens =
        what == ColumnsOf::tokens || index_.layout.labels == LabelKind::per_prefix;
    const Index begin = of_tokens ? index_.token(first) : first;
    const Index end = of_tokens ? index_.token(last) : last;
    Matrix columns(rows, end - begin);
    read_elements(
        from, begin * rows, std::span(columns.data(), static_cast<std::size_t>(columns.size())));
    return columns;
}

Matrix ShardReader::tokens(Index first, Index last) {
    const Index d = index_.layout.d;
    const Index n = index_.layout.length;
    if (!tokens_) {
        return Matrix(0, index_.token(last) - index_.token(first));
    }
    Matrix read = read_columns(*tokens_, d, ColumnsOf::tokens, first, last);
    if (index_.layout.form != SequenceForm::feature_major) {
        return read;
    }
    Matrix tokens(d, read.cols());
    for (Index i = 0; i < last - first; ++i) {
        const Eigen::Map<const Matrix> transposed(read.data() + i * d * n, n, d);
        tokens.middleCols(i * n, n) = transposed.transpose();
    }
    return tokens;
}

Matrix ShardReader::labels(Index first, Index last) {
    return labels_ ? read_columns(*labels_, index_.layout.o, ColumnsOf::examples, first, last)
                   : Matrix();
}

Matrix ShardReader::columns(std::size_t which, Index first, Index last) {
    const auto& [key, rows] = index_.layout.columns[which];
    const bool of_tokens = column_key(key).of_tokens;
    return read_columns(
        columns_[which], rows, of_tokens ? ColumnsOf::tokens : ColumnsOf::examples, first, last);
}

Dataset ShardReader::read(Index first, Index last) {
    Dataset part;
    part.layer = layer_;
    part.labels = index_.layout.labels;
    for (Index i = first; i <= last; ++i) {
        part.offsets.push_back(index_.token(i) - index_.token(first));
    }
    part.tokens = tokens(first, last);
    part.y = labels(first, last);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        part.columns.*column_key(index_.layout.columns[k].first).member = columns(k, first, last);
    }
    return part;
}

}  // namespace attest
