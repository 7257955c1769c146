#include "distributed/communicator.hpp"

#include "core/base/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

// NOLINTBEGIN(readability-identifier-naming): the names of BLACS, which has no header

extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_gridexit(int context);
}

// NOLINTEND(readability-identifier-naming)

namespace attest {

namespace {

/// The largest divisor of P that is at most √P.
Index grid_rows(Index P) {
    Index rows = 1;
    for (Index r = 1; r * r <= P; ++r) {
        rows = P % r == 0 ? r : rows;
    }
    return rows;
}

}  // namespace

ProcessGrid::ProcessGrid(const Communicator& ranks)
    : rows_(grid_rows(ranks.size())), cols_(ranks.size() / rows_) {
    const int system = Csys2blacs_handle(MPI_COMM_WORLD);
    context_ = system;
    Cblacs_gridinit(&context_, "Row", static_cast<int>(rows_), static_cast<int>(cols_));
    Cfree_blacs_system_handle(system);
    int rows = 0;
    int cols = 0;
    int row = -1;
    int col = -1;
    Cblacs_gridinfo(context_, &rows, &cols, &row, &col);
    ensure(row >= 0 && col >= 0, "a rank has no place in ScaLAPACK's grid");
    row_ = row;
    col_ = col;
}

ProcessGrid::~ProcessGrid() {
    Cblacs_gridexit(context_);
}

Index CyclicIndex::count(Index n, Index process) const {
    const Index whole = n / block;
    const Index rounds = whole / processes;
    const Index beyond = whole % processes;
    Index mine = rounds * block;
    if (process < beyond) {
        mine += block;
    } else if (process == beyond) {
        mine += n % block;
    }
    return mine;
}

namespace {

/// Entries of one message, well below what int can count.
constexpr Index kPieceOfMessage = Index{1} << 27;

void check(int code, const char* function) {
    if (code != MPI_SUCCESS) {
        throw EnvironmentFailure(formatted("{} failed with code {}", function, code));
    }
}

int count_of(Index n) {
    ensure(n >= 0 && n <= std::numeric_limits<int>::max(), "a message is too long for MPI");
    return static_cast<int>(n);
}

/// call(first, count) for the pieces of n entries, which are the same on every rank.
template <class Call>
void in_pieces(Index n, const Call& call) {
    for (Index first = 0; first < n; first += kPieceOfMessage) {
        call(first, count_of(std::min(kPieceOfMessage, n - first)));
    }
}

template <class Number>
void broadcast_numbers(std::span<Number> numbers, MPI_Datatype type, Index root) {
    in_pieces(std::ssize(numbers), [&](Index first, int count) {
        check(MPI_Bcast(numbers.data() + first, count, type, count_of(root), MPI_COMM_WORLD),
              "MPI_Bcast");
    });
}

template <class Number>
void reduce_in_place(std::span<Number> numbers, MPI_Datatype type, MPI_Op operation) {
    in_pieces(std::ssize(numbers), [&](Index first, int count) {
        check(MPI_Allreduce(
                  MPI_IN_PLACE, numbers.data() + first, count, type, operation, MPI_COMM_WORLD),
              "MPI_Allreduce");
    });
}

/// Counts and displacements as MPI takes them.
struct Layout {
    std::vector<int> counts;
    std::vector<int> displacements;
    Index total = 0;

    explicit Layout(const std::vector<Index>& sizes) {
        for (const Index size : sizes) {
            counts.push_back(count_of(size));
            displacements.push_back(count_of(total));
            total += size;
        }
        (void)count_of(total);
    }
};

std::vector<Index> sizes_between(const std::vector<Index>& starts) {
    std::vector<Index> sizes;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
        sizes.push_back(starts[r + 1] - starts[r]);
    }
    return sizes;
}

template <class Number>
void gather_numbers(const Communicator& ranks,
                    std::span<Number> numbers,
                    MPI_Datatype type,
                    const std::vector<Index>& starts) {
    if (ranks.size() == 1) {
        return;
    }
    if (starts.back() > kPieceOfMessage) {
        for (Index r = 0; r < ranks.size(); ++r) {
            const auto at = static_cast<std::size_t>(r);
            broadcast_numbers(
                numbers.subspan(static_cast<std::size_t>(starts[at]),
                                static_cast<std::size_t>(starts[at + 1] - starts[at])),
                type,
                r);
        }
        return;
    }
    const Layout layout(sizes_between(starts));
    check(MPI_Allgatherv(MPI_IN_PLACE,
                         0,
                         MPI_DATATYPE_NULL,
                         numbers.data(),
                         layout.counts.data(),
                         layout.displacements.data(),
                         type,
                         MPI_COMM_WORLD),
          "MPI_Allgatherv");
}

template <class Number>
std::vector<Number> exchange_numbers(std::span<const Number> mine,
                                     MPI_Datatype type,
                                     const std::vector<Index>& send_counts,
                                     const std::vector<Index>& receive_counts) {
    const Layout send(send_counts);
    const Layout receive(receive_counts);
    ensure(send.total == std::ssize(mine), "an exchange sends another number than it counts");
    std::vector<Number> received(static_cast<std::size_t>(receive.total));
    check(MPI_Alltoallv(mine.data(),
                        send.counts.data(),
                        send.displacements.data(),
                        type,
                        received.data(),
                        receive.counts.data(),
                        receive.displacements.data(),
                        type,
                        MPI_COMM_WORLD),
          "MPI_Alltoallv");
    return received;
}

}  // namespace

MpiScope::MpiScope(int& argc, char**& argv) {
    int provided = 0;
    check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
}

MpiScope::~MpiScope() {
    MPI_Finalize();
}

Communicator::Communicator() {
    int rank = 0;
    int size = 1;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    MPI_Comm machine = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine),
          "MPI_Comm_split_type");
    int here = 1;
    check(MPI_Comm_size(machine, &here), "MPI_Comm_size");
    check(MPI_Comm_free(&machine), "MPI_Comm_free");
    rank_ = rank;
    size_ = size;
    ranks_here_ = here;
}

// Whoever calls one of these has joined all ranks, which is what the object says, though some ask
// MPI alone.
// NOLINTBEGIN(readability-convert-member-functions-to-static)

void Communicator::broadcast(std::span<std::byte> bytes, Index root) const {
    broadcast_numbers(bytes, MPI_BYTE, root);
}

void Communicator::broadcast(std::span<double> numbers, Index root) const {
    broadcast_numbers(numbers, MPI_DOUBLE, root);
}

void Communicator::broadcast(std::span<Index> numbers, Index root) const {
    broadcast(std::as_writable_bytes(numbers), root);
}

void Communicator::gather_to_all(std::span<double> numbers,
                                 const std::vector<Index>& starts) const {
    gather_numbers(*this, numbers, MPI_DOUBLE, starts);
}

void Communicator::gather_to_all(std::span<Index> numbers, const std::vector<Index>& starts) const {
    gather_numbers(*this, numbers, MPI_INT64_T, starts);
}

void Communicator::gather_to_all(std::span<std::uint64_t> numbers,
                                 const std::vector<Index>& starts) const {
    gather_numbers(*this, numbers, MPI_UINT64_T, starts);
}

std::vector<double> Communicator::exchange(std::span<const double> mine,
                                           const std::vector<Index>& send_counts,
                                           const std::vector<Index>& receive_counts) const {
    return exchange_numbers(mine, MPI_DOUBLE, send_counts, receive_counts);
}

std::vector<std::uint64_t> Communicator::exchange(std::span<const std::uint64_t> mine,
                                                  const std::vector<Index>& send_counts,
                                                  const std::vector<Index>& receive_counts) const {
    return exchange_numbers(mine, MPI_UINT64_T, send_counts, receive_counts);
}

void Communicator::largest(std::span<double> numbers) const {
    reduce_in_place(numbers, MPI_DOUBLE, MPI_MAX);
}

void Communicator::unite(std::span<double> numbers) const {
    reduce_in_place(numbers, MPI_DOUBLE, MPI_SUM);
}

void Communicator::unite(std::span<float> numbers) const {
    reduce_in_place(numbers, MPI_FLOAT, MPI_SUM);
}

// NOLINTEND(readability-convert-member-functions-to-static)

void Communicator::abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();  // MPI_Abort does not return
}

std::vector<Index> of_ranks(const Communicator& ranks, Index mine) {
    std::vector<Index> all(static_cast<std::size_t>(ranks.size()));
    std::vector<Index> starts(all.size() + 1);
    std::iota(starts.begin(), starts.end(), Index{0});
    all[static_cast<std::size_t>(ranks.rank())] = mine;
    ranks.gather_to_all(std::span<Index>(all), starts);
    return all;
}

std::vector<Index> starts_of(const std::vector<Index>& sizes, Index each) {
    std::vector<Index> starts{0};
    for (const Index size : sizes) {
        starts.push_back(starts.back() + size * each);
    }
    return starts;
}

}  // namespace attest
