import type { MarketOptions } from './market-options.ts';
import { ESTABLISHED_ROWS, SLOTS_PER_HOUR } from './market-options.ts';
import { MintColumns } from './mint-columns.ts';
import { OpenPositions } from './open-positions.ts';
import { RandomNumbers } from './random-numbers.ts';
import { Fields } from './stored-fields.ts';

/** Lists of open positions: many short ones of launches, and a long one per established mint. */
const LAUNCH_LISTS = { lists: 65_536, capacity: 12 };
const ESTABLISHED_LISTS = { lists: ESTABLISHED_ROWS, capacity: 2_048 };

/** Counts of what a market made so far. */
export interface MarketCounters {
  /** Slots made; also the number of the next one. */
  slots: number;
  swaps: number;
  launches: number;
  /** Wallets that have traded; also the number of the next new one. */
  wallets: number;
  /** Wallets, beginning with the first, that were considered for a payment before they trade. */
  funded: number;
  transactions: number;
  /** Token accounts opened by traders; also the number of the next one. */
  accounts: number;
  /** One more than the row of the mint that migrates next, 0 for none. */
  migrating: number;
  /** Swaps on mints that were not traded in the hour before. */
  coldSwaps: number;
}

/** Everything that a market's next slot depends on, except its options. */
export class MarketState {
  readonly random: RandomNumbers;
  readonly mints = new MintColumns();
  readonly launched = new OpenPositions('launched', LAUNCH_LISTS);
  readonly established = new OpenPositions('established', ESTABLISHED_LISTS);
  readonly counters: MarketCounters = {
    slots: 0,
    swaps: 0,
    launches: 0,
    wallets: 0,
    funded: 0,
    transactions: 0,
    accounts: 0,
    migrating: 0,
    coldSwaps: 0,
  };

  constructor({ seed }: Pick<MarketOptions, 'seed'>) {
    this.random = new RandomNumbers(seed);
  }

  toBytes(): Uint8Array {
    const fields = new Fields();
    fields.set('random', this.random.words);
    fields.set('counters', Float64Array.from(Object.values(this.counters)));
    this.mints.write(fields);
    this.launched.write(fields);
    this.established.write(fields);
    return fields.toBytes();
  }

  /** The opposite of `toBytes`. Throws for other bytes. */
  static fromBytes(bytes: Uint8Array): MarketState {
    const fields = Fields.fromBytes(bytes);
    const state = new MarketState({ seed: 0 });
    state.random.words.set(fields.numbers('random'));
    const counts = fields.numbers('counters');
    for (const [index, name] of Object.keys(state.counters).entries()) {
      state.counters[name as keyof MarketCounters] = counts[index] as number;
    }
    state.mints.read(fields);
    state.launched.read(fields);
    state.established.read(fields);
    return state;
  }
}

/** Whether a mint was not traded for an hour, nor launched in it. */
export function isCold({ mints, counters }: MarketState, row: number): boolean {
  const lastSlot = Math.max(mints.tradedSlot[row] as number, mints.bornSlot[row] as number);
  return counters.slots - lastSlot > SLOTS_PER_HOUR;
}
