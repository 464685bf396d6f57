import { UndoLog } from '../../lib/undo-log.ts';

/** Up to this many members are stored and counted exactly; above it the count is an estimate. */
const EXACT_MAX = 256;
/** Precision of the estimate: 2^12 registers, a standard error of 1.04 / 64 = 1.6 %. */
const PRECISION = 12;
const REGISTERS = 1 << PRECISION;
/** Bits of the hash that remain after the register index. */
const RANK_BITS = 32 - PRECISION;
/** Bias correction for this many registers (Flajolet et al., HyperLogLog, 2007, figure 3). */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/**
 * Counts distinct members: exact up to 256, then HyperLogLog with linear counting for small
 * cardinalities. Members are small integers that identify the same thing for the counter's
 * lifetime.
 */
export class DistinctCount {
  private members: Set<number> | null = new Set();
  private registers: Uint8Array | null = null;
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  add(member: number): void {
    if (this.registers !== null) {
      this.raise(this.registers, member);
      return;
    }
    if (this.members === null || this.members.has(member)) return;
    if (this.members.size < EXACT_MAX) {
      this.undo.set(this.members, member);
      this.members.add(member);
      return;
    }
    this.undo.keep(this);
    const registers = new Uint8Array(REGISTERS);
    for (const known of this.members) this.raise(registers, known);
    this.raise(registers, member);
    this.registers = registers;
    this.members = null;
  }

  get isExact(): boolean {
    return this.registers === null;
  }

  /** An integer; estimates are rounded. */
  get count(): number {
    if (this.registers === null) return this.members?.size ?? 0;
    let zeros = 0;
    let sum = 0;
    for (const rank of this.registers) {
      if (rank === 0) zeros++;
      sum += 2 ** -rank;
    }
    const estimate = (ALPHA * REGISTERS * REGISTERS) / sum;
    if (estimate > 2.5 * REGISTERS || zeros === 0) return Math.round(estimate);
    return Math.round(REGISTERS * Math.log(REGISTERS / zeros));
  }

  private raise(registers: Uint8Array, member: number): void {
    const hash = mix(member);
    const index = hash >>> RANK_BITS;
    const rank = Math.min(RANK_BITS, Math.clz32((hash << PRECISION) >>> 0)) + 1;
    const before = registers[index] ?? 0;
    if (rank <= before) return;
    this.undo.step(() => {
      registers[index] = before;
    });
    registers[index] = rank;
  }
}

/** The finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(member: number): number {
  let hash = member | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
