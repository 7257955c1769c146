#include "core/kernels/kernel_call.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/data/archive/npy_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest {

namespace {

using Rows = std::vector<ArrayRow>;

constexpr ArrayRow token(std::string_view name,
                         ArrayWidth width,
                         ArrayNeed need = ArrayNeed::always) {
    return {name, ArrayExtent::token, width, need};
}

constexpr ArrayRow step(std::string_view name, ArrayWidth width) {
    return {name, ArrayExtent::step, width, ArrayNeed::always};
}

constexpr ArrayRow state(std::string_view name, ArrayWidth width) {
    return {name, ArrayExtent::state, width, ArrayNeed::optional};
}

constexpr ArrayRow parameter(std::string_view name, ArrayWidth width, ArrayNeed need) {
    return {name, ArrayExtent::head, width, need};
}

constexpr ArrayWidth kOne = ArrayWidth::one;
constexpr ArrayWidth kKey = ArrayWidth::key;
constexpr ArrayWidth kValue = ArrayWidth::value;
constexpr ArrayNeed kOptional = ArrayNeed::optional;

Rows operator+(Rows left, const Rows& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Every kind and the arrays that it reads, `o` and gradients aside.
struct KindRow {
    Recurrence recurrence;
    Rows arrays;
};

const std::vector<KindRow>& kinds() {
    const Rows qkv{token("q", kKey), token("k", kKey), token("v", kValue)};
    const Rows stepped{token("q", kKey), step("k", kKey), step("v", kValue), step("beta", kOne)};
    const Rows starts{state("initial_state", kValue)};
    const Rows gate{token("g", kOne, kOptional), token("gates", kOne, kOptional)};
    const Rows row_gates{token("g", kKey, kOptional), token("gates", kKey, kOptional)};
    const Rows beta{token("beta", kOne)};
    const Rows gate_parameters{parameter("A_log", kOne, kOptional),
                               parameter("dt_bias", ArrayWidth::one_or_key, kOptional)};
    static const std::vector<KindRow> table{
        {Recurrence::linear, qkv + starts},
        {Recurrence::normalised, qkv},
        {Recurrence::retention,
         qkv + starts +
             Rows{parameter("decay", kOne, kOptional), parameter("g_gamma", kOne, kOptional)}},
        {Recurrence::simple_gla, qkv + gate + gate_parameters + starts},
        {Recurrence::gla, qkv + row_gates + gate_parameters + starts},
        {Recurrence::delta, qkv + beta + starts},
        {Recurrence::gated_delta, qkv + gate + gate_parameters + beta + starts},
        {Recurrence::kda, qkv + row_gates + gate_parameters + beta + starts},
        {Recurrence::gated_delta_product, stepped + gate + gate_parameters + starts},
        {Recurrence::dplr, qkv + row_gates + Rows{token("a", kKey), token("b", kKey)} + starts},
        {Recurrence::rwkv7,
         Rows{token("r", kKey),
              token("w", kKey),
              token("k", kKey),
              token("v", kValue),
              token("a", kKey),
              token("b", kKey)} +
             starts},
        {Recurrence::comba, qkv + gate + gate_parameters + beta + Rows{token("p", kKey)} + starts},
        {Recurrence::gdn2,
         qkv + row_gates + gate_parameters + Rows{token("b", kKey), token("w", kValue)} + starts},
        {Recurrence::hgrn2, Rows{token("q", kKey), token("v", kValue), token("g", kKey)} + starts},
        {Recurrence::ssd,
         Rows{token("C", kKey),
              token("B", kKey),
              token("x", kValue),
              token("dt", kOne),
              parameter("A", kOne, ArrayNeed::always),
              parameter("D", ArrayWidth::one_or_value, kOptional),
              token("z", kValue, kOptional),
              parameter("dt_bias", kOne, kOptional)} +
             starts},
        {Recurrence::mlstm,
         qkv + Rows{token("i", kOne), token("f", kOne)} + starts +
             Rows{state("initial_n", kKey), state("initial_m", kOne)}}};
    return table;
}

/// Names that are numbers, not arrays.
constexpr std::array<std::string_view, 14> kNumbers{"scale",
                                                    "chunk",
                                                    "use_qk_l2norm_in_kernel",
                                                    "l2norm_eps",
                                                    "use_beta_sigmoid_in_kernel",
                                                    "allow_neg_eigval",
                                                    "use_gate_in_kernel",
                                                    "lower_bound",
                                                    "dt_softplus",
                                                    "dt_limit",
                                                    "state_v_first",
                                                    "head_first",
                                                    "cu_seqlens",
                                                    "seq_idx"};

/// Results, and gradients of results, that a kind's arrays bring with them.
Rows with_results(const Rows& arrays) {
    Rows all = arrays;
    all.push_back(token("o", kValue));
    all.push_back(token("do", kValue, kOptional));
    for (const ArrayRow& row : arrays) {
        if (row.name == "initial_state") {
            all.push_back(state("final_state", kValue));
            all.push_back(state("dfinal_state", kValue));
        }
        if (row.name == "initial_n") {
            all.push_back(state("final_n", kKey));
            all.push_back(state("dfinal_n", kKey));
        }
        if (row.name == "initial_m") {
            all.push_back(state("final_m", kOne));
        }
    }
    return all;
}

/// The row of a name, which may be the gradient of a row.
std::optional<ArrayRow> row_of(const Rows& rows, const std::string& name) {
    for (const ArrayRow& row : rows) {
        if (row.name == name) {
            return row;
        }
    }
    for (const ArrayRow& row : rows) {
        const bool input = row.name != "o" && row.name != "do" &&
                           row.name.find("final_") == std::string_view::npos;
        if (input && name.size() > 1 && name.front() == 'd' && row.name == name.substr(1)) {
            ArrayRow gradient = row;
            gradient.need = kOptional;
            return gradient;
        }
    }
    return std::nullopt;
}

bool is_number(const std::string& name) {
    return std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end();
}

bool is_read_by_some_kind(const std::string& name) {
    return std::any_of(kinds().begin(), kinds().end(), [&](const KindRow& kind) {
        return row_of(with_results(kind.arrays), name).has_value();
    });
}

/// Whether an array that a kind reads is the gradient of an input.
bool is_gradient_of_input(const Rows& rows, const std::string& name) {
    return std::none_of(
        rows.begin(), rows.end(), [&](const ArrayRow& row) { return row.name == name; });
}

/// What may hold NaN: what the kernel wrote.
bool is_result(const Rows& rows, const std::string& name) {
    return name == "o" || name.rfind("final_", 0) == 0 || is_gradient_of_input(rows, name);
}

class CallReader {
public:
    CallReader(Weights file, const DumpFormat& format)
        : file_(std::move(file)),
          format_(format),
          rows_(with_results(arrays_of(format.recurrence))) {
        call_.recurrence = format.recurrence;
        call_.epsilon = format.epsilon;
        refuse_what_is_not_read();
        read_flags();
        lead_ = std::string(rows_.front().name);
        read_sizes();
        read_sequences();
        read_arrays();
        share_heads();
        require_what_came_back();
        require_one_gate();
        require_contraction();
        read_scale();
        unstabilise();
    }

    [[nodiscard]] KernelCall take() { return std::move(call_); }

private:
    [[nodiscard]] std::string where(const std::string& name) const { return file_.where(name); }

    [[nodiscard]] bool contains(const std::string& name) const { return file_.contains(name); }

    [[nodiscard]] std::string_view kind() const { return to_string(format_.recurrence); }

    [[nodiscard]] const Weight& array(const std::string& name) const {
        require(
            contains(name), "{}: is missing; a {} kernel is checked by it", where(name), kind());
        return file_.tensors.at(name);
    }

    void refuse_what_is_not_read() const {
        for (const auto& [name, array] : file_.tensors) {
            const bool read = row_of(rows_, name) || is_number(name);
            require(read || !is_read_by_some_kind(name),
                    "{}: a {} kernel reads no such array; drop it or name another --kind",
                    where(name),
                    kind());
            require(read, "{}: is no array of a dump; expected {}", where(name), names());
            const auto odd = std::find_if(array.values.begin(), array.values.end(), [](double x) {
                return !std::isfinite(x);
            });
            require(is_result(rows_, name) || odd == array.values.end(),
                    "{}: element {} is no finite number; the kernel was given it: fix its inputs",
                    where(name),
                    odd - array.values.begin());
        }
    }

    /// "q, k, v, o, … or a gradient dq, dk, …".
    [[nodiscard]] std::string names() const {
        std::string text;
        for (const ArrayNeed need : {ArrayNeed::always, ArrayNeed::optional}) {
            for (const ArrayRow& row : rows_) {
                text += row.need == need ? std::string(row.name) + ", " : "";
            }
        }
        return text + "scale, cu_seqlens, a flag, or a gradient such as d" + lead_name();
    }

    [[nodiscard]] std::string lead_name() const { return std::string(rows_.front().name); }

    [[nodiscard]] std::optional<double> number(const std::string& name) const {
        if (!contains(name)) {
            return std::nullopt;
        }
        const Weight& found = array(name);
        require(found.values.size() == 1, "{}: expected one number", where(name));
        const double value = found.values.front();
        require(std::isfinite(value), "{}: holds {}, expected a finite number", where(name), value);
        return value;
    }

    [[nodiscard]] bool flag(const std::string& name) const {
        const double value = number(name).value_or(0.0);
        require(value >= 0.0 && value <= 1.0 && (value <= 0.0 || value >= 1.0),
                "{}: holds {}, expected 0 or 1",
                where(name),
                value);
        return value > 0.5;
    }

    void read_flags() {
        CallFlags& flags = call_.flags;
        const bool reads_beta = row_of(rows_, "beta").has_value();
        const bool reads_gate = row_of(rows_, "A_log").has_value();
        const bool is_ssd = call_.recurrence == Recurrence::ssd;
        refuse_flag("use_beta_sigmoid_in_kernel", reads_beta);
        refuse_flag("allow_neg_eigval", reads_beta);
        refuse_flag("use_gate_in_kernel", reads_gate);
        refuse_flag("lower_bound", reads_gate);
        refuse_flag("dt_softplus", is_ssd);
        refuse_flag("dt_limit", is_ssd);
        flags.use_qk_l2norm_in_kernel = flag("use_qk_l2norm_in_kernel");
        flags.l2norm_eps = number("l2norm_eps").value_or(flags.l2norm_eps);
        require(flags.l2norm_eps >= 0.0, "{}: expected a number from 0", where("l2norm_eps"));
        flags.use_beta_sigmoid_in_kernel = flag("use_beta_sigmoid_in_kernel");
        flags.allow_neg_eigval = flag("allow_neg_eigval");
        flags.use_gate_in_kernel = flag("use_gate_in_kernel");
        flags.lower_bound = number("lower_bound");
        flags.dt_softplus = flag("dt_softplus");
        flags.state_v_first = flag("state_v_first") || is_ssd;
        if (contains("dt_limit")) {
            const std::vector<double>& limits = array("dt_limit").values;
            require(limits.size() == 2 && limits[0] <= limits[1],
                    "{}: expected the least and the most of the steps",
                    where("dt_limit"));
            flags.dt_limit = {limits[0], limits[1]};
        }
        if (flag("head_first")) {
            format_.layout = DumpLayout::head_first;
        }
        if (const std::optional<double> chunk = number("chunk")) {
            require(*chunk >= 1.0 && *chunk <= 65536.0,
                    "{}: holds {}, expected tokens from 1 to 65536",
                    where("chunk"),
                    *chunk);
            call_.chunk = static_cast<Index>(*chunk);
        }
        const bool inside = flags.use_gate_in_kernel || flags.lower_bound.has_value();
        for (const char* name : {"A_log", "dt_bias"}) {
            require(inside || is_ssd || !contains(name),
                    "{}: is read by kernels that are told use_gate_in_kernel alone; drop it or set "
                    "that flag",
                    where(name));
        }
        require(!inside || contains("g"),
                "{}: is missing; a kernel that makes its gates reads it",
                where("g"));
    }

    void refuse_flag(const std::string& name, bool is_read) const {
        require(is_read || !contains(name),
                "{}: a {} kernel reads no such flag; drop it or name another --kind",
                where(name),
                kind());
    }

    [[nodiscard]] Index axes() const { return std::ssize(array(lead_).shape); }

    [[nodiscard]] static bool has_width(const ArrayRow& row) {
        return row.width != ArrayWidth::one;
    }

    /// B, T and H of an array, by the axes before its width.
    struct Outer {
        Index batch = 1;
        Index rows = 1;
        Index heads = 1;
    };

    [[nodiscard]] std::optional<Outer> outer_of(const std::vector<Index>& shape, bool width) const {
        if (std::ssize(shape) != axes() - (width ? 0 : 1)) {
            return std::nullopt;
        }
        Outer outer;
        if (axes() == 2) {
            outer.rows = shape[0];
            return outer;
        }
        const std::size_t first = axes() == 4 ? 1 : 0;
        const bool heads_first = format_.layout == DumpLayout::head_first;
        outer.batch = first == 1 ? shape[0] : 1;
        outer.rows = shape[first + (heads_first ? 1 : 0)];
        outer.heads = shape[first + (heads_first ? 0 : 1)];
        return outer;
    }

    void read_sizes() {
        const std::vector<Index>& shape = array(lead_).shape;
        require(shape.size() >= 2 && shape.size() <= 4,
                "{}: has shape {}, expected (B,T,H,K), (T,H,K) or (T,K)",
                where(lead_),
                shape_text(shape));
        require(*std::min_element(shape.begin(), shape.end()) > 0,
                "{}: has shape {}: it is empty",
                where(lead_),
                shape_text(shape));
        const Outer outer = *outer_of(shape, true);
        call_.batch = outer.batch;
        call_.key_dim = shape.back();
        lead_heads_ = outer.heads;
        tokens_ = outer.rows;
        const auto valued = std::find_if(rows_.begin(), rows_.end(), [](const ArrayRow& row) {
            return row.width == ArrayWidth::value;
        });
        const std::string name(valued->name);
        const std::vector<Index>& values = array(name).shape;
        require(!values.empty() && values.back() > 0, "{}: is empty", where(name));
        call_.value_dim = values.back();
        if (call_.recurrence == Recurrence::gated_delta_product) {
            const std::optional<Outer> keys = outer_of(array("k").shape, true);
            require(keys && keys->rows > 0 && keys->rows % tokens_ == 0,
                    "{}: has shape {}, expected n keys for each of {} tokens",
                    where("k"),
                    shape_text(array("k").shape),
                    tokens_);
            call_.steps = keys->rows / tokens_;
        }
    }

    void read_sequences() {
        require(!contains("cu_seqlens") || !contains("seq_idx"),
                "{}: stands beside cu_seqlens; keep one of them",
                where("seq_idx"));
        const std::string name = contains("cu_seqlens") ? "cu_seqlens" : "seq_idx";
        if (!contains(name)) {
            for (Index b = 0; b <= call_.batch; ++b) {
                call_.starts.push_back(b * tokens_);
            }
            return;
        }
        require(call_.batch == 1,
                "{}: expected one batch that holds all sequences, got {}",
                where(name),
                call_.batch);
        const std::vector<double>& values = array(name).values;
        const std::string place = where(name);
        for (const double value : values) {
            require(std::floor(value) >= value && value >= 0.0 && value <= 0x1p40,
                    "{}: holds {}, expected integers from 0",
                    place,
                    value);
        }
        packed_ = true;
        if (name == "seq_idx") {
            start_where_numbers_rise(values, place);
        } else {
            start_at(values, place);
        }
    }

    /// The number of its sequence at each token.
    void start_where_numbers_rise(const std::vector<double>& values, const std::string& place) {
        require(std::ssize(values) == tokens_,
                "{}: has {} elements, expected one for each of {} tokens",
                place,
                values.size(),
                tokens_);
        for (Index t = 0; t < tokens_; ++t) {
            const auto at = static_cast<std::size_t>(t);
            require(t == 0 || values[at] >= values[at - 1],
                    "{}: falls at token {}, expected sequences one after the other",
                    place,
                    t);
            if (t == 0 || values[at] > values[at - 1]) {
                call_.starts.push_back(t);
            }
        }
        call_.starts.push_back(tokens_);
    }

    /// The first token of each sequence, and the end.
    void start_at(const std::vector<double>& values, const std::string& place) {
        for (const double value : values) {
            const auto start = static_cast<Index>(value);
            require(call_.starts.empty() ? start == 0 : start >= call_.starts.back(),
                    "{}: holds {} behind {}, expected 0 first and no smaller number behind it",
                    place,
                    start,
                    call_.starts.empty() ? 0 : call_.starts.back());
            call_.starts.push_back(start);
        }
        require(call_.starts.size() >= 2 && call_.starts.back() == tokens_,
                "{}: ends with {}, expected {}, the number of tokens",
                place,
                call_.starts.empty() ? 0 : call_.starts.back(),
                tokens_);
    }

    [[nodiscard]] Index width_of(const ArrayRow& row) const {
        return row.width == ArrayWidth::key     ? call_.key_dim
               : row.width == ArrayWidth::value ? call_.value_dim
                                                : 1;
    }

    void read_arrays() {
        for (const ArrayRow& row : rows_) {
            const std::string name(row.name);
            if (row.need == ArrayNeed::always || contains(name)) {
                read(name, row);
            }
            const std::string gradient = "d" + name;
            if (contains(gradient) && row_of(rows_, gradient)->name == row.name) {
                read(gradient, row);
            }
        }
    }

    void read(const std::string& name, const ArrayRow& row) {
        CallArray found{.extent = row.extent};
        switch (row.extent) {
            case ArrayExtent::token:
            case ArrayExtent::step:
                read_rows(found, name, row);
                break;
            case ArrayExtent::state:
                read_state(found, name, row);
                break;
            case ArrayExtent::head:
                read_parameter(found, name, row);
                break;
        }
        call_.arrays[name] = std::move(found);
    }

    void read_rows(CallArray& found, const std::string& name, const ArrayRow& row) const {
        const std::vector<Index>& shape = array(name).shape;
        const std::optional<Outer> outer = outer_of(shape, has_width(row));
        const Index rows = tokens_ * (row.extent == ArrayExtent::step ? call_.steps : 1);
        const Index width = width_of(row);
        const bool fits = outer && outer->batch == call_.batch && outer->rows == rows &&
                          outer->heads > 0 && (!has_width(row) || shape.back() == width);
        require(fits,
                "{}: has shape {}, expected {} beside {} of shape {}",
                where(name),
                shape_text(shape),
                shape_text(expected_shape(rows, row)),
                lead_,
                shape_text(array(lead_).shape));
        found.heads = outer->heads;
        found.width = width;
        const std::vector<double>& values = array(name).values;
        const bool ordered = format_.layout == DumpLayout::time_first || axes() == 2;
        found.values = ordered ? values : time_first(values, *outer, width);
    }

    [[nodiscard]] std::vector<Index> expected_shape(Index rows, const ArrayRow& row) const {
        std::vector<Index> shape{rows};
        if (axes() > 2) {
            shape = format_.layout == DumpLayout::head_first
                        ? std::vector<Index>{lead_heads_, rows}
                        : std::vector<Index>{rows, lead_heads_};
        }
        if (axes() == 4) {
            shape.insert(shape.begin(), call_.batch);
        }
        if (has_width(row)) {
            shape.push_back(width_of(row));
        }
        return shape;
    }

    [[nodiscard]] static std::vector<double> time_first(const std::vector<double>& values,
                                                        const Outer& outer,
                                                        Index width) {
        std::vector<double> ordered(values.size());
        auto from = values.begin();
        for (Index b = 0; b < outer.batch; ++b) {
            for (Index h = 0; h < outer.heads; ++h) {
                for (Index t = 0; t < outer.rows; ++t, from += width) {
                    const Index to = ((b * outer.rows + t) * outer.heads + h) * width;
                    std::copy_n(from, width, ordered.begin() + to);
                }
            }
        }
        return ordered;
    }

    /// A state: (N,H) and its own axes; without N where B was left out, and H likewise.
    void read_state(CallArray& found, const std::string& name, const ArrayRow& row) const {
        const std::vector<Index>& shape = array(name).shape;
        std::vector<Index> inner;
        if (row.width == ArrayWidth::value) {
            inner = call_.flags.state_v_first ? std::vector<Index>{call_.value_dim, call_.key_dim}
                                              : std::vector<Index>{call_.key_dim, call_.value_dim};
        } else if (row.width == ArrayWidth::key) {
            inner = {call_.key_dim};
        }
        std::vector<Index> expected;
        if (axes() == 4 || packed_) {
            expected.push_back(call_.sequences());
        }
        const std::size_t head_axis = expected.size();
        if (axes() > 2) {
            const bool there = shape.size() > head_axis;
            expected.push_back(there ? shape[head_axis] : lead_heads_);
        }
        expected.insert(expected.end(), inner.begin(), inner.end());
        require(shape == expected && std::find(shape.begin(), shape.end(), 0) == shape.end(),
                "{}: has shape {}, expected {} beside {} of shape {}",
                where(name),
                shape_text(shape),
                shape_text(expected),
                lead_,
                shape_text(array(lead_).shape));
        found.heads = axes() > 2 ? shape[head_axis] : 1;
        found.values = array(name).values;
        found.width = row.width == ArrayWidth::value ? call_.key_dim * call_.value_dim
                      : row.width == ArrayWidth::key ? call_.key_dim
                                                     : 1;
        if (row.width == ArrayWidth::value && call_.flags.state_v_first) {
            transpose_each(found.values);
        }
    }

    void transpose_each(std::vector<double>& states) const {
        const Index K = call_.key_dim;
        const Index V = call_.value_dim;
        std::vector<double> one(static_cast<std::size_t>(K * V));
        for (auto first = states.begin(); first != states.end(); first += K * V) {
            std::copy_n(first, K * V, one.begin());
            for (Index j = 0; j < K; ++j) {
                for (Index c = 0; c < V; ++c) {
                    first[j * V + c] = one[static_cast<std::size_t>(c * K + j)];
                }
            }
        }
    }

    void read_parameter(CallArray& found, const std::string& name, const ArrayRow& row) const {
        const Weight& given = array(name);
        const Index wide = row.width == ArrayWidth::one_or_key     ? call_.key_dim
                           : row.width == ArrayWidth::one_or_value ? call_.value_dim
                                                                   : 1;
        const Index heads = given.shape.empty() ? 1 : given.shape.front();
        const bool gates_by_row = row.name != "dt_bias" || row_of(rows_, "g")->width == kKey;
        found.width = 1;
        found.heads = heads;
        if (given.shape.size() == 2 && given.shape[1] == wide) {
            found.width = wide;
        } else if (wide > 1 && gates_by_row && given.shape.size() == 1 && heads % wide == 0 &&
                   row.width == ArrayWidth::one_or_key) {
            found.width = wide;  // flat, as (H·K)
            found.heads = heads / wide;
        } else {
            require(given.shape.size() <= 1 && heads > 0,
                    "{}: has shape {}, expected one factor for each of {} heads",
                    where(name),
                    shape_text(given.shape),
                    lead_heads_);
        }
        found.values = given.values;
    }

    /// The most heads of any array, which those of every other must divide.
    void share_heads() {
        for (const auto& [name, array] : call_.arrays) {
            if (array.extent != ArrayExtent::head) {
                call_.heads = std::max(call_.heads, array.heads);
            }
        }
        for (const auto& [name, array] : call_.arrays) {
            const bool parameter = array.extent == ArrayExtent::head;
            require(!parameter || call_.heads % array.heads == 0,
                    "{}: has shape {}, expected one factor for each of {} heads",
                    where(name),
                    shape_text(file_.tensors.at(name).shape),
                    lead_heads_);
            require(call_.heads % array.heads == 0,
                    "{}: has {} heads, which do not divide {}, the most of any array",
                    where(name),
                    array.heads,
                    call_.heads);
        }
        for (const auto& [name, array] : call_.arrays) {
            const bool whole = name == "o" || name == "do" || array.extent == ArrayExtent::state;
            require(!whole || array.heads == call_.heads,
                    "{}: has {} heads, expected {}, the most of any array",
                    where(name),
                    array.heads,
                    call_.heads);
        }
    }

    /// Without gradients of results all others would have to be zero.
    void require_what_came_back() const {
        if (contains("do") || contains("dfinal_state") || contains("dfinal_n")) {
            return;
        }
        for (const auto& [name, array] : call_.arrays) {
            require(!is_gradient_of_input(rows_, name),
                    "{}: is missing; gradients such as {} are checked by it: save it, or "
                    "dfinal_state where only that came back",
                    where("do"),
                    name);
        }
    }

    void require_one_gate() const {
        require(!contains("g") || !contains("gates"),
                "{}: stands beside gates; keep one of them",
                where("g"));
        if (call_.recurrence == Recurrence::retention) {
            require(contains("decay") != contains("g_gamma"),
                    "{}: {}",
                    where("decay"),
                    contains("decay") ? "stands beside g_gamma; keep one of them"
                                      : "is missing; a retention kernel is checked by it");
        }
    }

    /// What the bounds of the gated delta rules rest on; see docs/kernel-bounds.md.
    void require_contraction() const {
        const bool gated_rule =
            call_.recurrence == Recurrence::gated_delta || call_.recurrence == Recurrence::kda;
        if (!gated_rule || call_.flags.changes_arguments()) {
            return;
        }
        for (const char* name : {"g", "gates"}) {
            if (!contains(name)) {
                continue;
            }
            const bool logarithm = std::string_view(name) == "g";
            const std::string place = where(name);
            for (const double gate : array(name).values) {
                require(logarithm ? gate <= 0.0 : std::abs(gate) <= 1.0,
                        "{}: holds {}, expected gates of at most 1 for a gated delta rule{}",
                        place,
                        gate,
                        logarithm ? ": logarithms of at most 0" : "");
            }
        }
    }

    void read_scale() {
        const bool bare =
            call_.recurrence == Recurrence::ssd || call_.recurrence == Recurrence::rwkv7;
        call_.scale = bare ? 1.0 : 1.0 / std::sqrt(static_cast<double>(call_.key_dim));
        call_.scale = format_.scale.value_or(number("scale").value_or(call_.scale));
        require(std::isfinite(call_.scale), "scale: got {}, expected a finite number", call_.scale);
    }

    /// mLSTM kernels hand over e^−m times the state and n: what is checked is the product with e^m.
    void unstabilise() {
        for (const char* when : {"initial", "final"}) {
            const std::string stabiliser = std::string(when) + "_m";
            if (!contains(stabiliser)) {
                continue;
            }
            require(
                !contains("dinitial_state") && !contains("dfinal_state"),
                "{}: gradients of stabilised states are not checked; record the states of m = 0",
                where(stabiliser));
            const CallArray& m = call_.arrays.at(stabiliser);
            for (const char* what : {"_state", "_n"}) {
                const auto found = call_.arrays.find(std::string(when) + what);
                if (found == call_.arrays.end()) {
                    continue;
                }
                CallArray& array = found->second;
                for (std::size_t at = 0; at < array.values.size(); ++at) {
                    array.values[at] *=
                        std::exp(m.values[at / static_cast<std::size_t>(array.width)]);
                }
            }
        }
    }

    Weights file_;
    DumpFormat format_;
    Rows rows_;
    KernelCall call_;
    std::string lead_;
    Index lead_heads_ = 1;
    Index tokens_ = 0;
    bool packed_ = false;
};

}  // namespace

const std::vector<ArrayRow>& arrays_of(Recurrence recurrence) {
    return std::find_if(kinds().begin(),
                        kinds().end(),
                        [&](const KindRow& kind) { return kind.recurrence == recurrence; })
        ->arrays;
}

namespace {

constexpr Choices<ChunkGrid, 2> kGrids{{{ChunkGrid::own, "own"}, {ChunkGrid::flat, "flat"}}};

}  // namespace

std::string_view to_string(ChunkGrid grid) {
    return name_of(kGrids, grid);
}

std::vector<std::string> chunk_grid_names() {
    std::vector<std::string> names;
    for (const auto& choice : kGrids) {
        names.emplace_back(choice.name);
    }
    return names;
}

ChunkGrid chunk_grid_named(std::string_view name) {
    return choice_named("chunk grid", name, kGrids);
}

bool has_correction(Recurrence recurrence) {
    return is_delta(recurrence) || recurrence == Recurrence::gated_delta_product ||
           recurrence == Recurrence::comba || recurrence == Recurrence::gdn2;
}

bool has_gates(const KernelCall& call) {
    return call.recurrence == Recurrence::ssd || call.recurrence == Recurrence::mlstm ||
           call.recurrence == Recurrence::rwkv7 || call.contains("g") || call.contains("gates") ||
           call.contains("decay") || call.contains("g_gamma");
}

Index chunk_offset(const KernelCall& call, Index sequence, Index chunk) {
    return call.grid == ChunkGrid::own ? 0
                                       : call.starts[static_cast<std::size_t>(sequence)] % chunk;
}

Index head_of(const KernelCall& call, const CallArray& array, Index h) {
    return h / (call.heads / array.heads);
}

Matrix head_rows(const KernelCall& call, const CallArray& array, Index sequence, Index from_head) {
    Index first = 0;
    Index count = 1;
    Index width = array.width;
    if (array.extent == ArrayExtent::state) {
        const bool square = array.width == call.key_dim * call.value_dim;
        first = sequence;
        const double* const entries =
            array.values.data() + (first * array.heads + from_head) * array.width;
        const Index rows = square ? call.key_dim : array.width;
        const Index cols = square ? call.value_dim : 1;
        Matrix state(rows, cols);
        for (Index j = 0; j < rows; ++j) {
            for (Index c = 0; c < cols; ++c) {
                state(j, c) = entries[j * cols + c];
            }
        }
        return state;
    }
    if (array.extent != ArrayExtent::head) {
        const Index each = array.extent == ArrayExtent::step ? call.steps : 1;
        first = call.starts[static_cast<std::size_t>(sequence)] * each;
        count = call.length(sequence) * each;
    }
    Matrix rows(count, width);
    for (Index t = 0; t < count; ++t) {
        const double* const entries =
            array.values.data() + ((first + t) * array.heads + from_head) * width;
        for (Index c = 0; c < width; ++c) {
            rows(t, c) = entries[c];
        }
    }
    return rows;
}

KernelCall kernel_call(Weights file, const DumpFormat& format) {
    return CallReader(std::move(file), format).take();
}

KernelCall read_kernel_call(const std::string& path, const DumpFormat& format) {
    return kernel_call(read_weights(path, "", NonFinite::kept), format);
}

bool has_bound(Recurrence recurrence) {
    return recurrence <= Recurrence::kda;
}

namespace {

/// The tokens from `first` on of an array, repeated for every head of the call.
std::vector<double> for_every_head(const KernelCall& call,
                                   const CallArray& array,
                                   Index first,
                                   Index count) {
    std::vector<double> rows;
    rows.reserve(static_cast<std::size_t>(count * call.heads * array.width));
    for (Index t = first; t < first + count; ++t) {
        for (Index h = 0; h < call.heads; ++h) {
            const Index row = array.extent == ArrayExtent::head ? 0 : t;
            const auto from =
                array.values.begin() + (row * array.heads + head_of(call, array, h)) * array.width;
            rows.insert(rows.end(), from, from + array.width);
        }
    }
    return rows;
}

KernelDump bounded_dump(const KernelCall& call, Index sequence, Index sequences) {
    const auto at = static_cast<std::size_t>(sequence);
    const Index first = call.starts[at];
    KernelDump dump{.recurrence = call.recurrence,
                    .batch = sequences,
                    .tokens = call.length(sequence),
                    .heads = call.heads,
                    .key_dim = call.key_dim,
                    .value_dim = call.value_dim};
    const Index count = dump.tokens * sequences;
    const auto rows = [&](const char* name) {
        const auto found = call.arrays.find(name);
        return found == call.arrays.end() ? std::vector<double>()
                                          : for_every_head(call, found->second, first, count);
    };
    const auto states = [&](const char* name) {
        const auto found = call.arrays.find(name);
        if (found == call.arrays.end()) {
            return std::vector<double>();
        }
        const Index size = call.heads * call.key_dim * call.value_dim;
        const auto from = found->second.values.begin() + sequence * size;
        return std::vector<double>(from, from + sequences * size);
    };
    dump.q = rows("q");
    dump.k = rows("k");
    dump.v = rows("v");
    dump.o = rows("o");
    dump.beta = rows("beta");
    for (const char* name : {"g", "gates", "decay", "g_gamma"}) {
        if (call.contains(name)) {
            dump.gates = rows(name);
            dump.gate_width = call.arrays.at(name).width;
            const bool logarithm = name[0] == 'g' && std::string_view(name) != "gates";
            dump.gate_form = logarithm ? GateEntry::logarithm : GateEntry::factor;
        }
    }
    dump.initial_state = states("initial_state");
    dump.final_state = states("final_state");
    dump.scale = call.scale;
    dump.epsilon = call.epsilon;
    return dump;
}

}  // namespace

std::vector<KernelDump> bounded_dumps(const KernelCall& call) {
    std::vector<KernelDump> dumps;
    if (!has_bound(call.recurrence) || call.flags.changes_arguments()) {
        return dumps;
    }
    bool equal = true;
    for (Index s = 0; s < call.sequences(); ++s) {
        equal = equal && call.length(s) == call.length(0);
    }
    if (equal) {
        dumps.push_back(bounded_dump(call, 0, call.sequences()));
        return dumps;
    }
    for (Index s = 0; s < call.sequences(); ++s) {
        dumps.push_back(bounded_dump(call, s, 1));
    }
    return dumps;
}

}  // namespace attest
