#include "core/train/schedule.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>
#include <numbers>

namespace attest {

namespace {

constexpr Choices<Schedule, 2> kScheduleNames{
    {{Schedule::constant, "constant"}, {Schedule::cosine, "cosine"}}};

}  // namespace

std::string_view to_string(Schedule schedule) {
    return name_of(kScheduleNames, schedule);
}

double rate_factor(Schedule schedule, Index done, Index total) {
    require(
        done >= 0 && done < total, "rate_factor: got update {}, expected 0 to {}", done, total - 1);
    if (schedule == Schedule::constant) {
        return 1.0;
    }
    const double part = static_cast<double>(done) / static_cast<double>(total);
    return 0.5 * (1.0 + std::cos(std::numbers::pi * part));
}

}  // namespace attest
