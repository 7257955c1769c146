'use strict';

// Rank, null vectors and eigenvalue counts over the rationals, by elimination in integers.

// An echelon form that grows a row at a time.
class Echelon {
    constructor(width) {
        this.width = width;
        this.rows = [];
        this.pivots = [];
    }

    get rank() {
        return this.rows.length;
    }

    // What is left of the row once all pivots are cleared from it.
    reduce(row) {
        let left = row;
        this.rows.forEach((pivotRow, i) => {
            const pivot = this.pivots[i];
            if (left[pivot] !== 0n) {
                const [a, b] = [pivotRow[pivot], left[pivot]];
                left = withoutFactor(left.map((value, j) => a * value - b * pivotRow[j]));
            }
        });
        return left;
    }

    // True if the row raises the rank.
    add(row) {
        const left = this.reduce(row);
        const pivot = left.findIndex((value) => value !== 0n);
        if (pivot < 0) {
            return false;
        }
        this.rows = this.rows.map((other) => {
            const [a, b] = [left[pivot], other[pivot]];
            return b === 0n ? other : withoutFactor(other.map((value, j) => a * value - b * left[j]));
        });
        this.rows.push(left);
        this.pivots.push(pivot);
        return true;
    }

    // Integer vectors without a common factor that every row annihilates: a basis.
    nullVectors() {
        const free = [];
        for (let j = 0; j < this.width; ++j) {
            if (!this.pivots.includes(j)) {
                free.push(j);
            }
        }
        return free.map((j) => {
            const vector = Array(this.width).fill(kZero);
            vector[j] = whole(1);
            this.rows.forEach((row, i) => {
                vector[this.pivots[i]] = fraction(-row[j], row[this.pivots[i]]);
            });
            return primitive(vector);
        });
    }
}

function echelonOf(rows, width) {
    const echelon = new Echelon(width);
    rows.forEach((row) => echelon.add(row));
    return echelon;
}

function integerInner(a, b) {
    return a.reduce((total, value, i) => total + value * b[i], 0n);
}

// Λ = A / scale for the integer matrix A = Σ h hᵀ of rows scaled to integers by one factor.
function secondMoment(features) {
    const common = leastCommonMultiple(features.flat().map((value) => value.d));
    const rows = features.map((row) => row.map((value) => value.n * (common / value.d)));
    const width = rows[0].length;
    const A = Array.from({length: width}, (_, i) =>
        Array.from({length: width}, (_, j) => rows.reduce((total, row) => total + row[i] * row[j], 0n)));
    return {A: A, scale: BigInt(rows.length) * common * common};
}

// How many eigenvalues of Λ lie below t: sign changes of the leading minors of Λ − t·1 (Jacobi), by Bareiss's
// elimination. Null where a minor is 0, and the signs say nothing.
function eigenvaluesBelow(moment, t) {
    const M = moment.A.map((row, i) => row.map((value, j) =>
        value * t.d - (i === j ? t.n * moment.scale : 0n)));
    let before = 1n;
    let below = 0;
    for (let k = 0; k < M.length; ++k) {
        const pivot = M[k][k];
        if (pivot === 0n) {
            return null;
        }
        below += (pivot < 0n) !== (before < 0n) ? 1 : 0;
        for (let i = k + 1; i < M.length; ++i) {
            for (let j = i; j < M.length; ++j) {
                M[i][j] = (M[i][j] * pivot - M[k][i] * M[k][j]) / before;
            }
        }
        before = pivot;
    }
    return below;
}

// The fraction with a 44-bit numerator nearest below a double.
function dyadic(x) {
    const exponent = 44 - Math.ceil(Math.log2(x));
    const n = BigInt(Math.floor(x * 2 ** exponent));
    return exponent >= 0 ? fraction(n, 1n << BigInt(exponent)) : whole(n << BigInt(-exponent));
}

// lo < λ_min ≤ hi with hi/lo below 1 + 10⁻⁶, each side proved by an exact count. Λ has full rank.
function smallestEigenvalue(moment) {
    const smallestDiagonal = moment.A.reduce((least, row, i) => row[i] < least ? row[i] : least, moment.A[0][0]);
    // No eigenvalue is below all of them, and the least one is at most any entry of the diagonal.
    let high = toNumber(fraction(smallestDiagonal, moment.scale)) * 1.0001;
    // A minor that is 0 says that t is an eigenvalue of a leading block, and λ_min is at most that (Cauchy).
    const isAbove = (x) => eigenvaluesBelow(moment, dyadic(x)) !== 0;
    let low = high;
    do {
        high = low;
        low /= 16;
    } while (isAbove(low));
    while (high / low > 1 + 1e-6) {
        const middle = Math.sqrt(high * low);
        [low, high] = isAbove(middle) ? [low, middle] : [middle, high];
    }
    return {lo: dyadic(low), hi: dyadic(high * (1 + 1e-9))};
}
