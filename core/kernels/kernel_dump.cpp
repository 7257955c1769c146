#include "core/kernels/kernel_dump.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/data/archive/npy_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr std::array<std::string_view, 11> kNames{
    "q", "k", "v", "o", "g", "gates", "decay", "beta", "initial_state", "final_state", "scale"};

/// A dump's arrays, taken one by one and brought to time-first order.
class DumpArrays {
public:
    DumpArrays(Weights file, const DumpFormat& format) : format_(format), file_(std::move(file)) {
        for (const auto& [name, array] : file_.tensors) {
            require(std::find(kNames.begin(), kNames.end(), name) != kNames.end(),
                    "{}: is no array of a dump; expected q, k, v, o, g, gates, decay, beta, "
                    "initial_state, final_state or scale",
                    where(name));
            const auto odd = std::find_if(array.values.begin(), array.values.end(), [](double x) {
                return !std::isfinite(x);
            });
            require(name == "o" || odd == array.values.end(),
                    "{}: element {} is no finite number; the kernel was given it: fix its inputs",
                    where(name),
                    odd - array.values.begin());
        }
    }

    [[nodiscard]] bool contains(const std::string& name) const { return file_.contains(name); }

    [[nodiscard]] std::string where(const std::string& name) const { return file_.where(name); }

    [[nodiscard]] const Weight& array(const std::string& name) const {
        require(contains(name),
                "{}: is missing; a {} kernel is checked by it",
                where(name),
                to_string(format_.recurrence));
        return file_.tensors.at(name);
    }

    void refuse_unread(const std::string& name, bool is_read) const {
        require(is_read || !contains(name),
                "{}: a {} kernel reads no such array; drop it or name another --kind",
                where(name),
                to_string(format_.recurrence));
    }

    /// The sizes B, T, H, K of q, which has 2 to 4 axes.
    [[nodiscard]] std::array<Index, 4> sizes() const {
        const std::vector<Index>& shape = array("q").shape;
        require(shape.size() >= 2 && shape.size() <= 4,
                "{}: has shape {}, expected (B,T,H,K), (T,H,K) or (T,K)",
                where("q"),
                shape_text(shape));
        std::array<Index, 4> sizes{1, 1, 1, shape.back()};
        if (shape.size() == 2) {
            sizes[1] = shape[0];
        } else {
            const bool heads_first = format_.layout == DumpLayout::head_first;
            const std::size_t first = shape.size() - 3;
            sizes[0] = first == 1 ? shape[0] : 1;
            sizes[1] = shape[first + (heads_first ? 1 : 0)];
            sizes[2] = shape[first + (heads_first ? 0 : 1)];
        }
        require(*std::min_element(sizes.begin(), sizes.end()) > 0,
                "{}: has shape {}: it is empty",
                where("q"),
                shape_text(shape));
        return sizes;
    }

    /// An array (B,T,H) followed by `inner` axes, in time-first order.
    [[nodiscard]] std::vector<double> rows(const std::string& name,
                                           const KernelDump& dump,
                                           const std::vector<Index>& inner) const {
        require_shape(name, outer_axes(dump.batch, dump.tokens, dump.heads), inner);
        const std::vector<double>& values = array(name).values;
        const bool ordered = format_.layout == DumpLayout::time_first || axes() == 2;
        return ordered ? values : time_first(values, dump);
    }

    /// An array (B,H,K,V).
    [[nodiscard]] std::vector<double> state(const std::string& name, const KernelDump& dump) const {
        if (!contains(name)) {
            return {};
        }
        std::vector<Index> outer{dump.batch, dump.heads};
        outer.erase(outer.begin(), outer.end() - (axes() - 2));
        require_shape(name, outer, {dump.key_dim, dump.value_dim});
        return array(name).values;
    }

private:
    [[nodiscard]] Index axes() const { return std::ssize(array("q").shape); }

    /// The axes of q before its last one.
    [[nodiscard]] std::vector<Index> outer_axes(Index batch, Index tokens, Index heads) const {
        if (axes() == 2) {
            return {tokens};
        }
        std::vector<Index> outer{batch, tokens, heads};
        if (format_.layout == DumpLayout::head_first) {
            std::swap(outer[1], outer[2]);
        }
        outer.erase(outer.begin(), outer.end() - (axes() - 1));
        return outer;
    }

    void require_shape(const std::string& name,
                       std::vector<Index> expected,
                       const std::vector<Index>& inner) const {
        expected.insert(expected.end(), inner.begin(), inner.end());
        require(array(name).shape == expected,
                "{}: has shape {}, expected {} beside q of shape {}",
                where(name),
                shape_text(array(name).shape),
                shape_text(expected),
                shape_text(array("q").shape));
    }

    [[nodiscard]] static std::vector<double> time_first(const std::vector<double>& values,
                                                        const KernelDump& dump) {
        std::vector<double> ordered(values.size());
        const auto width = std::ssize(values) / (dump.batch * dump.tokens * dump.heads);
        auto from = values.begin();
        for (Index b = 0; b < dump.batch; ++b) {
            for (Index h = 0; h < dump.heads; ++h) {
                for (Index t = 0; t < dump.tokens; ++t, from += width) {
                    std::copy_n(from,
                                width,
                                ordered.begin() + static_cast<Index>(dump.row(b, t, h)) * width);
                }
            }
        }
        return ordered;
    }

    DumpFormat format_;
    Weights file_;
};

void read_gates(KernelDump& dump, const DumpArrays& arrays) {
    const bool gated = dump.recurrence == Recurrence::simple_gla ||
                       dump.recurrence == Recurrence::gla ||
                       dump.recurrence == Recurrence::gated_delta;
    arrays.refuse_unread("g", gated);
    arrays.refuse_unread("gates", gated);
    arrays.refuse_unread("decay", dump.recurrence == Recurrence::retention);
    if (dump.recurrence == Recurrence::retention) {
        const Weight& decay = arrays.array("decay");
        require(decay.shape == std::vector<Index>{dump.heads},
                "{}: has shape {}, expected one factor for each of {} heads",
                arrays.where("decay"),
                shape_text(decay.shape),
                dump.heads);
        dump.gate_width = 1;
        for (Index row = 0; row < dump.batch * dump.tokens; ++row) {
            dump.gates.insert(dump.gates.end(), decay.values.begin(), decay.values.end());
        }
    }
    if (!gated) {
        return;
    }
    require(!arrays.contains("g") || !arrays.contains("gates"),
            "{}: stands beside gates; keep one of them",
            arrays.where("g"));
    const std::string name = arrays.contains("gates") ? "gates" : "g";
    const bool by_row = dump.recurrence == Recurrence::gla;
    dump.gate_form = name == "g" ? GateEntry::logarithm : GateEntry::factor;
    dump.gate_width = by_row ? dump.key_dim : 1;
    dump.gates =
        arrays.rows(name, dump, by_row ? std::vector<Index>{dump.key_dim} : std::vector<Index>{});
}

double read_scale(const DumpArrays& arrays, const DumpFormat& format, Index key_dim) {
    if (format.scale) {
        return *format.scale;
    }
    if (arrays.contains("scale")) {
        const Weight& scale = arrays.array("scale");
        require(scale.values.size() == 1, "{}: expected one number", arrays.where("scale"));
        return scale.values.front();
    }
    return 1.0 / std::sqrt(static_cast<double>(key_dim));
}

/// What the bounds rest on; see docs/kernels.md.
void require_contraction(const KernelDump& dump, const DumpArrays& arrays) {
    if (dump.recurrence != Recurrence::gated_delta) {
        return;
    }
    const bool logarithm = dump.gate_form == GateEntry::logarithm;
    for (const double gate : dump.gates) {
        require(logarithm ? gate <= 0.0 : std::abs(gate) <= 1.0,
                "{}: holds {}, expected gates of at most 1 for a gated delta rule{}",
                arrays.where(logarithm ? "g" : "gates"),
                gate,
                logarithm ? ": logarithms of at most 0" : "");
    }
}

constexpr Choices<Recurrence, 7> kRecurrences{{{Recurrence::linear, "linear"},
                                               {Recurrence::normalised, "normalised"},
                                               {Recurrence::retention, "retention"},
                                               {Recurrence::simple_gla, "simple-gla"},
                                               {Recurrence::gla, "gla"},
                                               {Recurrence::delta, "delta"},
                                               {Recurrence::gated_delta, "gated-delta"}}};

}  // namespace

KernelDump read_kernel_dump(const std::string& path, const DumpFormat& format) {
    return kernel_dump(read_weights(path, "", NonFinite::kept), format);
}

KernelDump kernel_dump(Weights file, const DumpFormat& format) {
    const DumpArrays arrays(std::move(file), format);
    KernelDump dump;
    dump.recurrence = format.recurrence;
    dump.epsilon = format.epsilon;
    const auto [batch, tokens, heads, key_dim] = arrays.sizes();
    dump.batch = batch;
    dump.tokens = tokens;
    dump.heads = heads;
    dump.key_dim = key_dim;
    const std::vector<Index>& values = arrays.array("v").shape;
    require(!values.empty() && values.back() > 0, "{}: is empty", arrays.where("v"));
    dump.value_dim = values.back();
    dump.q = arrays.rows("q", dump, {dump.key_dim});
    dump.k = arrays.rows("k", dump, {dump.key_dim});
    dump.v = arrays.rows("v", dump, {dump.value_dim});
    dump.o = arrays.rows("o", dump, {dump.value_dim});
    read_gates(dump, arrays);
    arrays.refuse_unread("beta", is_delta(dump.recurrence));
    if (is_delta(dump.recurrence)) {
        dump.beta = arrays.rows("beta", dump, {});
    }
    arrays.refuse_unread("initial_state", dump.recurrence != Recurrence::normalised);
    arrays.refuse_unread("final_state", dump.recurrence != Recurrence::normalised);
    dump.initial_state = arrays.state("initial_state", dump);
    dump.final_state = arrays.state("final_state", dump);
    dump.scale = read_scale(arrays, format, dump.key_dim);
    require_contraction(dump, arrays);
    return dump;
}

std::string_view to_string(Recurrence recurrence) {
    return name_of(kRecurrences, recurrence);
}

std::vector<std::string> recurrence_names() {
    std::vector<std::string> names;
    for (const auto& choice : kRecurrences) {
        names.emplace_back(choice.name);
    }
    return names;
}

Recurrence recurrence_named(std::string_view name) {
    return choice_named("recurrence", name, kRecurrences);
}

bool is_delta(Recurrence recurrence) {
    return recurrence == Recurrence::delta || recurrence == Recurrence::gated_delta;
}

}  // namespace attest
