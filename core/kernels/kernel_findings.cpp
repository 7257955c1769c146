#include "core/kernels/kernel_findings.hpp"

#include <algorithm>
#include <array>

namespace attest {

std::string_view to_string(KernelVerdict verdict) {
    constexpr std::array<std::string_view, 4> kNames{"right", "undecided", "suspicious", "wrong"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

namespace {

constexpr double kTimesTheSpread = 8.0;  // of errors in root mean square, or one in so many

/// The checks of dumps of one sequence each as one of all sequences.
KernelCheck joined(const std::vector<KernelCheck>& parts) {
    if (parts.size() == 1) {
        return parts.front();
    }
    KernelCheck all;
    Index sequence = 0;
    for (const KernelCheck& part : parts) {
        for (HeadVerdict head : part.heads) {
            for (std::optional<KernelPlace>* place : {&head.first, &head.final_state}) {
                if (*place) {
                    (*place)->batch = sequence;
                }
            }
            all.heads.push_back(head);
        }
        all.ratios.insert(all.ratios.end(), part.ratios.begin(), part.ratios.end());
        all.rows_outside += part.rows_outside;
        all.rows_undecided += part.rows_undecided;
        all.states_outside += part.states_outside;
        all.largest_ratio = std::max(all.largest_ratio, part.largest_ratio);
        if (part.first && (!all.first || part.first->token < all.first->token)) {
            all.first = part.first;
            all.first->batch = sequence;
        }
        ++sequence;
    }
    return all;
}

/// Whether the bound is narrower than most rows of the head.
bool bound_speaks(const KernelCall& call, const KernelFindings& findings, const ResultName& name) {
    const bool forward = name.array == "o" || name.array == "final_state";
    if (!forward || !findings.has_bound()) {
        return false;
    }
    const auto at = static_cast<std::size_t>(name.sequence * call.heads + name.head);
    return 2 * findings.bound.heads[at].rows_undecided <= call.length(name.sequence);
}

KernelVerdict verdict_of(const KernelCall& call, const KernelFindings& findings) {
    if (findings.has_bound() && !findings.bound.holds()) {
        return KernelVerdict::wrong;
    }
    if (!findings.sharp || !findings.sharp->silent.empty()) {
        const bool decided = findings.has_bound() && findings.bound.rows_undecided == 0;
        return decided ? KernelVerdict::right : KernelVerdict::undecided;
    }
    KernelVerdict worst = KernelVerdict::right;
    for (const SharpResult& result : findings.sharp->results) {
        const bool speaks = bound_speaks(call, findings, result.name);
        const bool named = !findings.sharp->alike.empty();
        KernelVerdict here = KernelVerdict::right;
        if (result.verdict == SharpVerdict::wrong) {
            here = speaks && !named ? KernelVerdict::suspicious : KernelVerdict::wrong;
        } else if (result.verdict == SharpVerdict::suspicious) {
            here = KernelVerdict::suspicious;
        } else if (result.verdict == SharpVerdict::undecided && !speaks) {
            here = KernelVerdict::undecided;
        }
        worst = std::max(worst, here);
    }
    return worst;
}

/// Coarse rounding shows in most rows, and no factor of all numbers undoes it.
bool may_be_coarse(const SharpCheck& sharp) {
    Index rows = 0;
    Index outside = 0;
    bool gain_alone = true;
    for (const SharpResult& result : sharp.results) {
        if (result.verdict >= SharpVerdict::suspicious) {
            rows += result.rows;
            outside += result.rows_outside;
            gain_alone = gain_alone && is_gain(sharp, result);
        }
    }
    return 2 * outside > rows && !gain_alone;
}

/// Whether a coarser arithmetic finds all right, and the errors as large as it makes them: a fault
/// far below its roundings is right as well.
bool makes_such_errors(const SharpCheck& coarse, const SharpCheck& asked) {
    const auto is_made = [](const SharpResult& odd, const SharpResult& result) {
        return odd.verdict < SharpVerdict::suspicious ||
               (result.rms >= 1.0 / kTimesTheSpread && result.rms <= kTimesTheSpread);
    };
    return coarse.verdict() == SharpVerdict::right && std::equal(asked.results.begin(),
                                                                 asked.results.end(),
                                                                 coarse.results.begin(),
                                                                 coarse.results.end(),
                                                                 is_made);
}

/// Matrix units take float32 factors to tf32 unless they are told not to, in Triton, cuBLAS and
/// PyTorch: the likeliest reason why a float32 kernel is less exact than it should be. The verdict
/// is about what was asked.
void name_tf32(const KernelCall& call,
               const KernelArithmetic& arithmetic,
               int threads,
               SharpCheck& sharp) {
    if (!may_be_coarse(sharp) || !sharp.alike.empty() || arithmetic.operands != Precision::fp32) {
        return;
    }
    KernelArithmetic coarse = arithmetic;
    coarse.operands = Precision::tf32;
    if (makes_such_errors(sharp_check(call, coarse, threads), sharp)) {
        sharp.alike.push_back({"operands_in_low_precision",
                               "factors of matrix products are taken to tf32, as Triton and cuBLAS "
                               "do unless told otherwise: if they may be, say --operands tf32"});
    }
}

}  // namespace

KernelFindings check_call(const KernelCall& call,
                          const KernelArithmetic& arithmetic,
                          SharpLevel level,
                          int threads,
                          const std::vector<ResultSpread>& known) {
    KernelFindings findings;
    findings.dumps = bounded_dumps(call);
    for (const KernelDump& dump : findings.dumps) {
        findings.parts.push_back(check_kernel(dump, arithmetic, threads));
    }
    if (findings.has_bound()) {
        findings.bound = joined(findings.parts);
    }
    if (level == SharpLevel::on) {
        findings.sharp = sharp_check(call, arithmetic, threads, {}, known);
    }
    findings.verdict = verdict_of(call, findings);
    if (level == SharpLevel::on) {
        name_tf32(call, arithmetic, threads, *findings.sharp);
    }
    return findings;
}

std::vector<Likeness> diagnose_call(const KernelArithmetic& arithmetic,
                                    const KernelFindings& findings) {
    for (std::size_t at = 0; at < findings.parts.size(); ++at) {
        const KernelCheck& part = findings.parts[at];
        if (part.first && part.first->token == findings.bound.first->token &&
            findings.dumps[at].tokens > 0) {
            return diagnose_kernel(findings.dumps[at], arithmetic, part);
        }
    }
    return {};
}

}  // namespace attest
