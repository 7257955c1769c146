#include "distributed/process_grid.hpp"

#include "core/base/error.hpp"

#include <mpi.h>

#include <algorithm>

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

}  // namespace attest
