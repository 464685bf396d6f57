import type { Fields } from './stored-fields.ts';

const FIRST_CAPACITY = 4_096;

/** Phases of a mint's market. */
export const PHASE = {
  /** On its launchpad's bonding curve. */
  curve: 0,
  /** The curve is sold out; the next transaction moves its holdings to a pool. */
  complete: 1,
  /** In a pool: after a migration, or from the beginning. */
  pool: 2,
} as const;

/**
 * Columns of all mints ever made, by row: the market's figures that do not follow from the row.
 * Amounts are raw units as whole numbers below 2^53, so that sums and differences are exact.
 */
export class MintColumns {
  count = 0;
  phase = new Uint8Array(FIRST_CAPACITY);
  /** Index in the list of venues of its phase. */
  venue = new Uint8Array(FIRST_CAPACITY);
  /** 1 if it is quoted in dollars instead of SOL. */
  isStableQuoted = new Uint8Array(FIRST_CAPACITY);
  /** Tries until the addresses of the curve and of the pool were no points of the curve ed25519. */
  curveTries = new Uint8Array(FIRST_CAPACITY);
  poolTries = new Uint8Array(FIRST_CAPACITY);
  /** Slots since the first one. */
  bornSlot = new Uint32Array(FIRST_CAPACITY);
  tradedSlot = new Uint32Array(FIRST_CAPACITY);
  /** One more than the list of its open positions, 0 for none. */
  positions = new Uint32Array(FIRST_CAPACITY);
  /** Holdings of the curve or pool. */
  base = new Float64Array(FIRST_CAPACITY);
  quote = new Float64Array(FIRST_CAPACITY);
  /** Tokens that the pool's provider has withdrawn and holds; it returns them later. */
  withdrawnBase = new Float64Array(FIRST_CAPACITY);

  /** Adds a row of zeros and returns it. */
  add(): number {
    if (this.count === this.base.length) this.grow(this.count * 2);
    return this.count++;
  }

  /** All columns up to the last row, and their number, by name. */
  write(fields: Fields): void {
    fields.set('mints', Float64Array.of(this.count));
    for (const name of COLUMN_NAMES) fields.set(name, this[name].subarray(0, this.count));
  }

  /** The opposite of `write`. */
  read(fields: Fields): void {
    const [count = 0] = fields.numbers('mints');
    this.count = count;
    this.grow(Math.max(FIRST_CAPACITY, 2 ** Math.ceil(Math.log2(count + 1))));
    for (const name of COLUMN_NAMES) this[name].set(fields.numbers(name));
  }

  private grow(capacity: number): void {
    this.phase = copied(this.phase, new Uint8Array(capacity));
    this.venue = copied(this.venue, new Uint8Array(capacity));
    this.isStableQuoted = copied(this.isStableQuoted, new Uint8Array(capacity));
    this.curveTries = copied(this.curveTries, new Uint8Array(capacity));
    this.poolTries = copied(this.poolTries, new Uint8Array(capacity));
    this.bornSlot = copied(this.bornSlot, new Uint32Array(capacity));
    this.tradedSlot = copied(this.tradedSlot, new Uint32Array(capacity));
    this.positions = copied(this.positions, new Uint32Array(capacity));
    this.base = copied(this.base, new Float64Array(capacity));
    this.quote = copied(this.quote, new Float64Array(capacity));
    this.withdrawnBase = copied(this.withdrawnBase, new Float64Array(capacity));
  }
}

const COLUMN_NAMES = [
  'phase',
  'venue',
  'isStableQuoted',
  'curveTries',
  'poolTries',
  'bornSlot',
  'tradedSlot',
  'positions',
  'base',
  'quote',
  'withdrawnBase',
] as const;

function copied<Column extends Uint8Array | Uint32Array | Float64Array>(
  from: Column,
  to: Column,
): Column {
  to.set(from);
  return to;
}
