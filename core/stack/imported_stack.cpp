#include "core/stack/imported_stack.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace attest {

namespace {

/// What a weight is to a layer. A bias has the role of its matrix.
// NOLINTNEXTLINE(readability-identifier-naming): the paper's letters
enum class Role : std::uint8_t { Q, K, V, O, packed, W1, W2, norm, mlp_norm, frequencies };

struct RoleName {
    std::string_view name;
    Role role = Role::Q;
};

/// Names in front of `.weight` and `.bias`.
constexpr std::array<RoleName, 41> kRoles{{{"q_proj", Role::Q},
                                           {"q", Role::Q},
                                           {"wq", Role::Q},
                                           {"query", Role::Q},
                                           {"to_q", Role::Q},
                                           {"k_proj", Role::K},
                                           {"k", Role::K},
                                           {"wk", Role::K},
                                           {"key", Role::K},
                                           {"to_k", Role::K},
                                           {"v_proj", Role::V},
                                           {"v", Role::V},
                                           {"wv", Role::V},
                                           {"value", Role::V},
                                           {"to_v", Role::V},
                                           {"o_proj", Role::O},
                                           {"out_proj", Role::O},
                                           {"o", Role::O},
                                           {"wo", Role::O},
                                           {"to_out", Role::O},
                                           {"in_proj", Role::packed},
                                           {"qkv", Role::packed},
                                           {"qkv_proj", Role::packed},
                                           {"c_attn", Role::packed},
                                           {"fc1", Role::W1},
                                           {"linear1", Role::W1},
                                           {"up_proj", Role::W1},
                                           {"c_fc", Role::W1},
                                           {"fc2", Role::W2},
                                           {"linear2", Role::W2},
                                           {"down_proj", Role::W2},
                                           {"input_layernorm", Role::norm},
                                           {"attention_norm", Role::norm},
                                           {"attn_norm", Role::norm},
                                           {"norm1", Role::norm},
                                           {"ln_1", Role::norm},
                                           {"post_attention_layernorm", Role::mlp_norm},
                                           {"ffn_norm", Role::mlp_norm},
                                           {"mlp_norm", Role::mlp_norm},
                                           {"norm2", Role::mlp_norm},
                                           {"ln_2", Role::mlp_norm}}};

/// What a checkpoint holds besides, by a part of its name, and what to do. The first that fits.
struct Refusal {
    std::string_view part;
    std::string_view reason;
};

constexpr std::string_view kHead =
    "reads what the stack puts out: leave it out by --leave-out, and hook what enters it to "
    "compare";
constexpr std::string_view kEmbedding =
    "stands before the layers: hook what enters the first layer as the tokens, and leave it out by "
    "--leave-out";
constexpr std::string_view kKeyNorm =
    "normalises queries or keys, which no stack does; hook what enters the layer behind it, and "
    "import the layers from there on";
constexpr std::string_view kGated =
    "is of a gated MLP, which no stack has; hook what enters the next layer, and import the layers "
    "from there on";
constexpr std::string_view kRecurrent =
    "is a recurrence's own (a convolution, gates, a delta rule), which no stack has; attest import "
    "asks about such layers one by one (docs/your-layer.md, section 5)";

constexpr std::array<Refusal, 23> kRefusals{{{"gate_proj", kGated},
                                             {"w3", kGated},
                                             {"gate", kGated},
                                             {"q_norm", kKeyNorm},
                                             {"k_norm", kKeyNorm},
                                             {"qk_norm", kKeyNorm},
                                             {"query_norm", kKeyNorm},
                                             {"key_norm", kKeyNorm},
                                             {"conv1d", kRecurrent},
                                             {"A_log", kRecurrent},
                                             {"dt_bias", kRecurrent},
                                             {"b_proj", kRecurrent},
                                             {"g_proj", kRecurrent},
                                             {"gk_proj", kRecurrent},
                                             {"g_norm", kRecurrent},
                                             {"lm_head", kHead},
                                             {"classifier", kHead},
                                             {"embed", kEmbedding},
                                             {"wte", kEmbedding},
                                             {"wpe", kEmbedding},
                                             {"position", kEmbedding},
                                             {"pos_", kEmbedding},
                                             {"norm",
                                              "is a norm, and its name does not say whether it "
                                              "stands before attention (norm1, input_layernorm) or "
                                              "before the MLP (norm2, post_attention_layernorm); "
                                              "a stack has no others"}}};

std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (c == '.') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

bool is_number(std::string_view word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A weight of a layer: its number, what follows it, and the whole name.
struct Numbered {
    Index layer = 0;
    std::string rest;
    std::string name;
};

/// The name up to a layer's number; nothing where no word of it is a number.
std::optional<std::string> front_of(const std::string& name) {
    std::string front;
    for (const std::string& word : words_of(name)) {
        if (is_number(word)) {
            return front;
        }
        front += word + ".";
    }
    return std::nullopt;
}

/// What stands before the number of a layer.
std::string common_front(const Weights& weights, const std::string& pattern) {
    if (!pattern.empty()) {
        const std::size_t place = pattern.find("{}");
        require(place != std::string::npos &&
                    (place + 2 == pattern.size() || pattern.substr(place + 2) == "."),
                "import: --pattern: got {}, expected {{}} where the number of a layer stands, and "
                "nothing behind it, as model.layers.{{}}",
                in_quotes(pattern));
        return pattern.substr(0, place);
    }
    std::vector<std::string> fronts;
    for (const auto& [name, weight] : weights.tensors) {
        const std::optional<std::string> front = front_of(name);
        if (front && std::find(fronts.begin(), fronts.end(), *front) == fronts.end()) {
            fronts.push_back(*front);
        }
    }
    require(!fronts.empty(),
            "{}: no name has the number of a layer, as layers.0.q_proj.weight; there are {}",
            weights.file,
            in_quotes(weights.prefix + weights.tensors.begin()->first));
    require(fronts.size() == 1,
            "{}: numbers stand behind {}; say which are the layers' by --pattern {}{{}}, and leave "
            "the others out by --leave-out",
            weights.file,
            some_of(fronts),
            fronts.front());
    return fronts.front();
}

std::optional<Numbered> numbered(const std::string& name, const std::string& front) {
    if (!name.starts_with(front)) {
        return std::nullopt;
    }
    Numbered found{0, "", name};
    const char* const begin = name.data() + front.size();
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, found.layer);
    if (error != std::errc() || found.layer < 0 || stop == end || *stop != '.') {
        return std::nullopt;
    }
    found.rest.assign(stop + 1, end);
    return found;
}

bool has_word(const std::vector<std::string>& words, std::string_view part) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::string_view(word).starts_with(part);
    });
}

[[noreturn]] void refuse(const Weights& weights, const std::string& name) {
    const std::vector<std::string> words = words_of(name);
    for (const Refusal& each : kRefusals) {
        if (has_word(words, each.part)) {
            throw InvalidInput(formatted("{}: {}", weights.where(name), each.reason));
        }
    }
    throw InvalidInput(
        formatted("{}: is no weight of a stack by its name; rename it as docs/your-layer.md says, "
                  "or leave it out by --leave-out where the layers do not read it",
                  weights.where(name)));
}

/// Which part of a layer a weight is.
struct Place {
    Role role = Role::Q;
    bool is_bias = false;
};

bool within_mlp(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 5> kNames{
        "mlp", "ffn", "ff", "feed_forward", "feedforward"};
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(kNames.begin(), kNames.end(), word) != kNames.end();
    });
}

/// Of a weight whose last word is no plain `weight` or `bias`.
std::optional<Place> place_of_last(const std::string& last) {
    if (last == "in_proj_weight" || last == "in_proj_bias") {
        return Place{Role::packed, last == "in_proj_bias"};
    }
    if (last == "q_proj_weight" || last == "k_proj_weight" || last == "v_proj_weight") {
        return Place{last[0] == 'q' ? Role::Q : last[0] == 'k' ? Role::K : Role::V, false};
    }
    if (last == "inv_freq") {
        return Place{Role::frequencies, false};
    }
    return std::nullopt;
}

std::optional<Place> place_of(const std::string& rest) {
    std::vector<std::string> words = words_of(rest);
    const std::string last = words.back();
    words.pop_back();
    if (const std::optional<Place> found = place_of_last(last)) {
        return found;
    }
    if (words.empty() || (last != "weight" && last != "bias")) {
        return std::nullopt;
    }
    const bool is_bias = last == "bias";
    const std::string stem = words.back();
    words.pop_back();
    const bool mlp = within_mlp(words);
    if (stem == "c_proj") {
        return Place{mlp ? Role::W2 : Role::O, is_bias};
    }
    if (mlp && (is_number(stem) || stem == "w1" || stem == "w2")) {
        // mlp.0 and mlp.2 of an nn.Sequential, and mlp.3 behind a dropout.
        return Place{stem == "0" || stem == "w1" ? Role::W1 : Role::W2, is_bias};
    }
    const auto* const found = std::find_if(
        kRoles.begin(), kRoles.end(), [&](const RoleName& each) { return each.name == stem; });
    return found == kRoles.end() ? std::nullopt : std::optional(Place{found->role, is_bias});
}

/// The weights of one layer by what they are: names, matrices and biases.
using LayerWeights = std::map<std::pair<Role, bool>, std::string>;

struct Sorted {
    std::vector<LayerWeights> layers;
    std::string final_gain;  ///< its name; empty: there is none
};

/// model.norm.weight beside model.layers.0: a norm of the module that holds the layers, so not of
/// model.embed.norm.weight.
bool is_final_gain(const std::string& name, const std::string& front) {
    constexpr std::array<std::string_view, 5> kNames{
        "norm", "final_norm", "ln_f", "final_layernorm", "final_layer_norm"};
    return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view norm) {
        const std::string ending = formatted("{}.weight", norm);
        return name.ends_with(ending) &&
               front.starts_with(name.substr(0, name.size() - ending.size())) &&
               (name.size() == ending.size() || name[name.size() - ending.size() - 1] == '.');
    });
}

Sorted sorted(const Weights& weights, const std::string& pattern) {
    const std::string front = common_front(weights, pattern);
    Sorted found;
    std::map<Index, LayerWeights> layers;
    for (const auto& [name, weight] : weights.tensors) {
        const std::optional<Numbered> of_layer = numbered(name, front);
        if (!of_layer && is_final_gain(name, front) && found.final_gain.empty()) {
            found.final_gain = name;
            continue;
        }
        const std::optional<Place> place = of_layer ? place_of(of_layer->rest) : std::nullopt;
        if (!place) {
            refuse(weights, name);
        }
        const auto [at, is_new] =
            layers[of_layer->layer].try_emplace({place->role, place->is_bias}, name);
        require(is_new,
                "{}: stands for the same as {}",
                weights.where(name),
                in_quotes(weights.prefix + at->second));
    }
    for (auto& [number, layer] : layers) {
        require(number == std::ssize(found.layers),
                "{}: layer {}{} is missing, and layer {} is there",
                weights.file,
                weights.prefix + front,
                found.layers.size(),
                number);
        found.layers.push_back(std::move(layer));
    }
    require(!found.layers.empty(),
            "{}: no name begins with {}, a number and a point",
            weights.file,
            in_quotes(weights.prefix + front));
    return found;
}

/// Reads one layer's weights into a stack, under its names.
class LayerImport {
public:
    LayerImport(const Weights& weights,
                const LayerWeights& names,
                const StackImportRequest& request,
                std::map<std::string, std::vector<double>>& arrays,
                std::string front)
        : weights_(weights),
          names_(names),
          request_(request),
          arrays_(arrays),
          front_(std::move(front)) {}

    /// `d` is 0 of the first layer.
    [[nodiscard]] StackLayer read(Index d) {
        read_attention(d);
        read_mlp();
        read_norms();
        read_angles();
        require_all_read();
        return layer_;
    }

    [[nodiscard]] Index d() const { return d_; }

private:
    struct Part {
        Matrix weight;
        std::optional<Vector> bias;
        std::string name;
    };

    [[nodiscard]] bool has(Role role, bool is_bias = false) const {
        return names_.contains({role, is_bias});
    }

    [[nodiscard]] const std::string& name(Role role, bool is_bias = false) const {
        return names_.at({role, is_bias});
    }

    /// The name of a weight that is read now.
    [[nodiscard]] const std::string& taken(Role role, bool is_bias = false) {
        read_.insert({role, is_bias});
        return name(role, is_bias);
    }

    /// A bias beside no weight of its own would be lost.
    void require_all_read() const {
        for (const auto& [role, name] : names_) {
            require(read_.contains(role),
                    "{}: nothing reads it: the layer has no weight of its own for it; leave it out "
                    "by --leave-out where the layer does not add it",
                    weights_.where(name));
        }
    }

    [[nodiscard]] Part part(Role role, std::string_view what) {
        require(has(role),
                "{}: {}{} has no {}; the weights of a layer are named as docs/your-layer.md says",
                weights_.file,
                weights_.prefix,
                front_,
                what);
        Part found{weights_.matrix(taken(role)), std::nullopt, name(role)};
        if (has(role, true)) {
            found.bias = weights_.vector_or_zero(taken(role, true), found.weight.rows());
        }
        return found;
    }

    /// Queries, keys and values that stand one below the other.
    [[nodiscard]] std::array<Part, 3> unpacked() {
        const Part all = part(Role::packed, "in_proj");
        const Index d = all.weight.cols();
        const Index rest = all.weight.rows() - d;
        require(rest == 2 * d,
                "{}: is {}x{}, expected {} rows: queries, keys and values of {} each; transpose "
                "it where inputs are its rows, or write the three separately",
                weights_.where(all.name),
                all.weight.rows(),
                d,
                3 * d,
                d);
        std::array<Part, 3> parts;
        for (Index k = 0; k < 3; ++k) {
            Part& each = parts[static_cast<std::size_t>(k)];
            each = {all.weight.middleRows(k * d, d), std::nullopt, all.name};
            if (all.bias) {
                each.bias = all.bias->segment(k * d, d);
            }
        }
        return parts;
    }

    /// Those that are there, packed or apart; PyTorch's three of different sizes have their biases
    /// together.
    [[nodiscard]] std::array<Part, 3> inputs() {
        if (has(Role::packed)) {
            require(!has(Role::Q) && !has(Role::K) && !has(Role::V),
                    "{}: stands beside queries, keys or values of the same layer",
                    weights_.where(name(Role::packed)));
            return unpacked();
        }
        std::array<Part, 3> parts{
            part(Role::Q, "q_proj"), part(Role::K, "k_proj"), part(Role::V, "v_proj")};
        if (has(Role::packed, true)) {
            Index rows = 0;
            for (const Part& each : parts) {
                rows += each.weight.rows();
            }
            const Vector bias = weights_.vector_or_zero(taken(Role::packed, true), rows);
            rows = 0;
            for (Part& each : parts) {
                require(!each.bias.has_value(),
                        "{}: has a bias beside {}",
                        weights_.where(each.name),
                        name(Role::packed, true));
                each.bias = bias.segment(rows, each.weight.rows());
                rows += each.weight.rows();
            }
        }
        return parts;
    }

    void add(const std::string& key, const Matrix& A) {
        const Vector entries = flatten<double>(A);
        arrays_[front_ + key].assign(entries.begin(), entries.end());
    }

    /// Rows of a key in the order in which the pairs that turn are neighbours.
    [[nodiscard]] Matrix in_pairs(const Matrix& rows) const {
        if (request_.rotary != RotaryPairs::halves) {
            return rows;
        }
        Matrix result(rows.rows(), rows.cols());
        const Index half = rows.rows() / 2;
        for (Index i = 0; i < half; ++i) {
            result.row(2 * i) = rows.row(i);
            result.row(2 * i + 1) = rows.row(i + half);
        }
        return result;
    }

    void require_rows(const Part& part, Index count) const {
        require(part.weight.rows() > 0 && part.weight.rows() % count == 0,
                "{}: has {} rows, which are not those of {}; see --num-heads",
                weights_.where(part.name),
                part.weight.rows(),
                plural(count, "head"));
    }

    void read_attention(Index d) {
        const auto [Q, K, V] = inputs();
        const Part O = part(Role::O, "o_proj");
        d_ = d == 0 ? Q.weight.cols() : d;
        set_sizes(Q, K, V, O);
        layer_.score = request_.score;
        layer_.residual = request_.residual;
        layer_.causal = request_.causal;
        layer_.rotary = request_.rotary != RotaryPairs::none;
        layer_.query_bias = Q.bias.has_value();
        layer_.key_bias = K.bias.has_value();
        layer_.value_bias = V.bias.has_value();
        layer_.output_bias = O.bias.has_value();
        add_groups(K, V);
        add_heads(Q, O);
        if (O.bias) {
            add("output_bias", *O.bias);
        }
    }

    /// Heads, groups and their sizes, as the shapes of the matrices tell them.
    void set_sizes(const Part& Q, const Part& K, const Part& V, const Part& O) {
        for (const Part* each : {&Q, &K, &V}) {
            require(each->weight.cols() == d_,
                    "{}: has {} columns, expected {}, the entries of a token",
                    weights_.where(each->name),
                    each->weight.cols(),
                    d_);
        }
        require_rows(Q, request_.heads);
        const Index a = Q.weight.rows() / request_.heads;
        const Index groups = K.weight.rows() / a;
        require(groups >= 1 && K.weight.rows() == groups * a && request_.heads % groups == 0,
                "{}: has {} rows, expected keys of {} entries for {} or fewer; see --num-heads",
                weights_.where(K.name),
                K.weight.rows(),
                a,
                plural(request_.heads, "head"));
        require_rows(V, groups);
        const Index v = V.weight.rows() / groups;
        require(O.weight.rows() == d_ && O.weight.cols() == request_.heads * v,
                "{}: is {}x{}, expected {}x{}: a stack's layer puts out tokens as it reads, of "
                "values of {} heads of {}",
                weights_.where(O.name),
                O.weight.rows(),
                O.weight.cols(),
                d_,
                request_.heads * v,
                request_.heads,
                v);
        require(request_.rotary == RotaryPairs::none || a % 2 == 0,
                "{}: keys have {} entries, and rotation turns pairs",
                weights_.where(K.name),
                a);
        layer_.heads = request_.heads;
        layer_.groups = groups;
        layer_.key_size = a;
        layer_.value_size = v;
    }

    void add_groups(const Part& K, const Part& V) {
        const Index a = layer_.key_size;
        const Index v = layer_.value_size;
        for (Index g = 0; g < layer_.groups; ++g) {
            const std::string key = formatted("groups.{}.", g);
            add(key + "K", in_pairs(K.weight.middleRows(g * a, a)));
            add(key + "V", V.weight.middleRows(g * v, v));
            if (K.bias) {
                add(key + "key_bias", in_pairs(K.bias->segment(g * a, a)));
            }
            if (V.bias) {
                add(key + "value_bias", V.bias->segment(g * v, v));
            }
        }
    }

    void add_heads(const Part& Q, const Part& O) {
        const Index a = layer_.key_size;
        const Index v = layer_.value_size;
        const double scale = request_.scale.value_or(1.0 / std::sqrt(static_cast<double>(a)));
        for (Index h = 0; h < layer_.heads; ++h) {
            const std::string key = formatted("heads.{}.", h);
            add(key + "Q", scale * in_pairs(Q.weight.middleRows(h * a, a)));
            add(key + "O", O.weight.middleCols(h * v, v));
            if (Q.bias) {
                add(key + "query_bias", scale * in_pairs(Q.bias->segment(h * a, a)));
            }
        }
    }

    void read_mlp() {
        const bool there = has(Role::W1) || has(Role::W2);
        require(!there || request_.activation != Activation::none,
                "{}: an MLP, whose weights do not tell its activation; pass --mlp",
                weights_.where(there ? name(has(Role::W1) ? Role::W1 : Role::W2) : ""));
        if (!there) {
            return;
        }
        const Part W1 = part(Role::W1, "fc1");
        const Part W2 = part(Role::W2, "fc2");
        const Index width = W1.weight.rows();
        require(W1.weight.cols() == d_ && W2.weight.rows() == d_ && W2.weight.cols() == width,
                "{}: is {}x{}, and {} {}x{}; expected mx{} and {}xm; transpose them where inputs "
                "are their rows",
                weights_.where(W1.name),
                width,
                W1.weight.cols(),
                in_quotes(W2.name),
                W2.weight.rows(),
                W2.weight.cols(),
                d_,
                d_);
        require(W1.bias.has_value() == W2.bias.has_value(),
                "{}: one of the two has a bias; a stack's MLP has both or none",
                weights_.where(W1.name));
        layer_.activation = request_.activation;
        layer_.width = width;
        layer_.mlp_biases = W1.bias.has_value();
        add("mlp.W1", W1.weight);
        add("mlp.W2", W2.weight);
        if (W1.bias) {
            add("mlp.b1", *W1.bias);
            add("mlp.b2", *W2.bias);
        }
    }

    void read_norms() {
        for (const Role role : {Role::norm, Role::mlp_norm}) {
            if (has(role, true)) {
                throw InvalidInput(formatted(
                    "{}: a norm with a bias is a LayerNorm, which no stack has: its norm is "
                    "x/sqrt(mean x^2 + eps); hook what it puts out, and import the layers behind",
                    weights_.where(name(role, true))));
            }
            require(!has(role) || request_.norm == StackNorm::rms_gain,
                    "{}: a norm; pass --norm rms with its --epsilon if it is an RMS norm before "
                    "attention or MLP; a stack has no other",
                    weights_.where(has(role) ? name(role) : ""));
        }
        layer_.norm = request_.norm;
        layer_.epsilon = request_.norm == StackNorm::none ? 0.0 : request_.epsilon;
        if (request_.norm != StackNorm::rms_gain) {
            return;
        }
        read_gain(Role::norm, "gain", "before attention (norm1, input_layernorm)");
        if (layer_.activation != Activation::none) {
            read_gain(
                Role::mlp_norm, "mlp.gain", "before the MLP (norm2, post_attention_layernorm)");
        } else {
            require(!has(Role::mlp_norm),
                    "{}: a norm before an MLP, and the layer has no MLP",
                    weights_.where(has(Role::mlp_norm) ? name(Role::mlp_norm) : ""));
        }
    }

    void read_gain(Role role, const std::string& key, std::string_view what) {
        require(has(role),
                "{}: {}{} has no gain of the norm {}; leave --norm rms out, or name it so",
                weights_.file,
                weights_.prefix,
                front_,
                what);
        add(key, weights_.vector_or_zero(taken(role), d_));
    }

    void read_angles() {
        const bool there = has(Role::frequencies);
        require(!there || layer_.rotary,
                "{}: keys turn; say which entries together: --rotary-pairs halves or neighbours",
                weights_.where(there ? name(Role::frequencies) : ""));
        if (!layer_.rotary) {
            return;
        }
        const Index pairs = layer_.key_size / 2;
        if (there) {
            add("angles", weights_.vector_or_zero(taken(Role::frequencies), pairs));
            return;
        }
        Vector angles(pairs);
        for (Index i = 0; i < pairs; ++i) {
            angles(i) = std::pow(request_.rotary_base,
                                 -static_cast<double>(i) / static_cast<double>(pairs));
        }
        add("angles", angles);
    }

    const Weights& weights_;
    const LayerWeights& names_;
    const StackImportRequest& request_;
    std::map<std::string, std::vector<double>>& arrays_;
    std::string front_;
    std::set<std::pair<Role, bool>> read_;
    StackLayer layer_;
    Index d_ = 0;
};

/// Takes out what the request leaves out, and says what that was.
std::vector<std::string> leave_out(Weights& weights, const std::vector<std::string>& beginnings) {
    std::vector<std::string> gone;
    for (const std::string& beginning : beginnings) {
        const std::size_t before = gone.size();
        for (auto at = weights.tensors.begin(); at != weights.tensors.end();) {
            const bool out = at->first.starts_with(beginning);
            if (out) {
                gone.push_back(weights.prefix + at->first);
            }
            at = out ? weights.tensors.erase(at) : std::next(at);
        }
        require(gone.size() > before,
                "import: --leave-out: no weight begins with {}",
                in_quotes(weights.prefix + beginning));
    }
    require(!weights.tensors.empty(), "import: --leave-out: no weight is left");
    return gone;
}

}  // namespace

ImportedStack imported_stack(const Weights& weights, const StackImportRequest& request) {
    require(request.heads >= 1, "import: --num-heads: got {}, expected at least 1", request.heads);
    ImportedStack found;
    Weights read = weights;
    found.left_out = leave_out(read, request.left_out);
    const Sorted parts = sorted(read, request.pattern);
    std::map<std::string, std::vector<double>> arrays;
    StackShape& shape = found.stack.shape;
    shape.d = 0;
    for (std::size_t l = 0; l < parts.layers.size(); ++l) {
        LayerImport layer(read, parts.layers[l], request, arrays, formatted("layers.{}.", l));
        shape.layers.push_back(layer.read(shape.d));
        shape.d = layer.d();
    }
    const bool any_mlp =
        std::any_of(shape.layers.begin(), shape.layers.end(), [](const StackLayer& layer) {
            return layer.activation != Activation::none;
        });
    require(any_mlp || request.activation == Activation::none,
            "{}: --mlp was given, and no layer has an MLP (fc1 and fc2, or mlp.0 and mlp.2)",
            read.file);
    if (!parts.final_gain.empty()) {
        require(request.norm != StackNorm::none,
                "{}: a norm behind the last layer; pass --norm rms with its --epsilon if it is an "
                "RMS norm, or leave it out by --leave-out",
                read.where(parts.final_gain));
        shape.final_norm = StackNorm::rms_gain;
        shape.final_epsilon = request.epsilon;
        const Vector gain = read.vector_or_zero(parts.final_gain, shape.d);
        arrays["final.gain"] = {gain.data(), gain.data() + gain.size()};
    }
    shape.readout = request.readout;
    for (const NamedSlot& each : named_slots(shape)) {
        const std::vector<double>& values = arrays.at(each.name);
        found.stack.parameters.insert(found.stack.parameters.end(), values.begin(), values.end());
    }
    for (std::size_t l = 0; l < shape.layers.size(); ++l) {
        const auto angles = arrays.find(formatted("layers.{}.angles", l));
        found.stack.constants.push_back(
            {{}, angles == arrays.end() ? std::vector<double>() : angles->second});
    }
    require_sound(found.stack);
    return found;
}

}  // namespace attest
