import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** 2^12 registers, a standard error of 1.04 / 64 = 1.6 %. */
const PRECISION = 12;
const REGISTERS = 1 << PRECISION;
/** Bits of the hash that remain after the register index. */
const RANK_BITS = 32 - PRECISION;
/** Bias correction for this many registers (Flajolet et al., HyperLogLog, 2007, figure 3). */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** An undo copies a whole row, so the registers of an estimate are spread over short ones. */
const SECTIONS = 16;
const SECTION_REGISTERS = REGISTERS / SECTIONS;

/** The rows of the sections of an estimate. */
export const ESTIMATE_LAYOUT = rowLayout({ sections: ['u32', SECTIONS] });
export const REGISTERS_LAYOUT = rowLayout({ ranks: ['u8', SECTION_REGISTERS] });

/**
 * Estimates numbers of distinct members with HyperLogLog, and linear counting for small
 * cardinalities: 4,160 bytes per estimate. Members are small integers that identify the same thing
 * for the lifetime of an estimate.
 */
export class DistinctRegisters {
  private readonly estimates: RowTable;
  private readonly sections: RowTable;

  constructor(undo: UndoLog, name: string) {
    this.estimates = new RowTable(ESTIMATE_LAYOUT, undo, name);
    this.sections = new RowTable(REGISTERS_LAYOUT, undo, `${name} registers`);
  }

  /** Creates an estimate without members and returns its row. */
  open(): number {
    const estimate = this.estimates.add();
    for (let index = 0; index < SECTIONS; index++) {
      this.estimates.setNumber(estimate, SECTION, this.sections.add(), index);
    }
    return estimate;
  }

  /** Adds a member. Returns whether the estimate changed. */
  add(estimate: number, member: number): boolean {
    const hash = mix(member);
    const index = hash >>> RANK_BITS;
    const rank = Math.min(RANK_BITS, Math.clz32((hash << PRECISION) >>> 0)) + 1;
    const section = this.sectionOf(estimate, Math.floor(index / SECTION_REGISTERS));
    const at = index % SECTION_REGISTERS;
    if (rank <= this.sections.number(section, RANK, at)) return false;
    this.sections.setNumber(section, RANK, rank, at);
    return true;
  }

  /** The number of distinct members, rounded to an integer. */
  countOf(estimate: number): number {
    let zeros = 0;
    let sum = 0;
    for (let index = 0; index < SECTIONS; index++) {
      const section = this.sectionOf(estimate, index);
      const page = this.sections.pageOf(section);
      const start = this.sections.startOf(section) + RANK.offset;
      for (let at = start; at < start + SECTION_REGISTERS; at++) {
        const rank = page[at] ?? 0;
        if (rank === 0) zeros++;
        sum += 2 ** -rank;
      }
    }
    const count = (ALPHA * REGISTERS * REGISTERS) / sum;
    if (count > 2.5 * REGISTERS || zeros === 0) return Math.round(count);
    return Math.round(REGISTERS * Math.log(REGISTERS / zeros));
  }

  /** Removes an estimate. */
  close(estimate: number): void {
    for (let index = 0; index < SECTIONS; index++) {
      this.sections.remove(this.sectionOf(estimate, index));
    }
    this.estimates.remove(estimate);
  }

  get allocatedBytes(): number {
    return this.estimates.allocatedBytes + this.sections.allocatedBytes;
  }

  private sectionOf(estimate: number, index: number): number {
    return this.estimates.number(estimate, SECTION, index);
  }
}

const SECTION = ESTIMATE_LAYOUT.fields.sections;
const RANK = REGISTERS_LAYOUT.fields.ranks;

/** The finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(member: number): number {
  let hash = member | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
