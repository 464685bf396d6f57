import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { SolPrice } from '../../model/derived.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { isStable } from '../../model/quote-mints.ts';
import type { Swap } from '../../model/swap.ts';
import {
  type Address,
  asPriceE18,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type Slot,
} from '../../model/units.ts';
import type { Moment } from './logical-time.ts';
import { MinuteTrades } from './sol-price-minute.ts';
import { type MinuteReferences, SOL_PRICE_STATE, type SolPriceState } from './sol-price-state.ts';

export interface SolPriceOptions {
  /** Used while no price can be derived from the chain; null for none. */
  readonly fallbackUsd: PriceE18 | null;
}

const MINUTE_MS = 60_000;
/** A reference is used for this many minutes after its own minute. */
const FRESH_MINUTES = 5;
const ONE_USD = asPriceE18(powerOfTen(PRICE_SCALE));

/**
 * SOL/USD from the chain's own SOL/stablecoin pools (decision 0003).
 *
 * The reference of a minute is the median, over the three deepest pools, of the vwap of their
 * trades above $100. It is used from the next minute on, for at most five minutes. Without one, the
 * reference of the current minute so far is used, then the same two from trades of at least $1,
 * then the fallback. Later slots never affect an earlier result.
 */
export class SolPriceBook {
  private readonly fallbackUsd: PriceE18 | null;
  private readonly undo: UndoLog;
  private readonly state: StateValue<SolPriceState>;
  private readonly trades: MinuteTrades;

  constructor(options: SolPriceOptions, undo = new UndoLog()) {
    this.undo = undo;
    const initial = { minutes: [], inUse: null, pools: new Map() };
    this.state = new StateValue<SolPriceState>(initial, undo, 'SOL price', SOL_PRICE_STATE);
    this.trades = new MinuteTrades(this.state.now, undo);
    this.fallbackUsd = options.fallbackUsd;
  }

  /**
   * Call once per slot, with all its swaps, before anything in the slot is priced. Returns the
   * reference of the current minute if the slot changed it. A slot of unknown time belongs to no
   * minute, and no reference is known to be recent enough: only the fallback is used.
   */
  applySlot({ slot, timeMs, isTimeKnown }: Moment, swaps: readonly Swap[]): SolPrice[] {
    const { now } = this.state;
    this.undo.keep(now);
    if (!isTimeKnown) {
      now.inUse = null;
      return [];
    }
    const minute = this.enterMinute(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS);
    const before = minute.strong ?? minute.weak;
    let hasTrades = false;
    for (const swap of swaps) {
      if (isSolTrade(swap) && this.trades.apply(swap)) hasTrades = true;
    }
    if (hasTrades) {
      this.undo.keep(minute);
      minute.strong = withUsd(minute, minute.strong, this.trades.strongUsd(), slot);
      minute.weak = withUsd(minute, minute.weak, this.trades.weakUsd(), slot);
    }
    // A copy, because a restored state shares no objects either.
    const inUse = this.choose();
    now.inUse = inUse === null ? null : { ...inUse };
    const after = minute.strong ?? minute.weak;
    return after === null || after.usd === before?.usd ? [] : [after];
  }

  /**
   * USD per whole unit of `quoteMint` at the current slot: 1 for stablecoins, the reference in use
   * for SOL. Null for every other mint, whose price depends on its pools.
   */
  usdPerQuote(quoteMint: Address): PriceE18 | null {
    if (quoteMint === WRAPPED_SOL) return this.state.now.inUse?.usd ?? this.fallbackUsd;
    return isStable(quoteMint) ? ONE_USD : null;
  }

  /** The reference in use; null if there is none and only the fallback applies. */
  current(): SolPrice | null {
    return this.state.now.inUse;
  }

  /** The reference of one of the last minutes. */
  ofMinute(minuteMs: number): SolPrice | null {
    const minute = this.state.now.minutes.find((one) => one.minuteMs === minuteMs);
    return minute?.strong ?? minute?.weak ?? null;
  }

  private enterMinute(minuteMs: number): MinuteReferences {
    const { now } = this.state;
    const last = now.minutes.at(-1);
    if (last?.minuteMs === minuteMs) return last;
    const entered = { minuteMs, strong: null, weak: null };
    const oldestMs = minuteMs - FRESH_MINUTES * MINUTE_MS;
    now.minutes = [...now.minutes.filter((minute) => minute.minuteMs >= oldestMs), entered];
    now.pools = new Map();
    return entered;
  }

  /** Strong evidence before weak; within each the latest finished minute before the current one. */
  private choose(): SolPrice | null {
    const { minutes } = this.state.now;
    const current = minutes.at(-1);
    const finished = minutes.slice(0, -1).reverse();
    return (
      finished.find(({ strong }) => strong !== null)?.strong ??
      current?.strong ??
      finished.find(({ weak }) => weak !== null)?.weak ??
      current?.weak ??
      null
    );
  }
}

/** Only known venues count, because anyone can make transfers look like a swap at any price. */
function isSolTrade({ venue, baseMint, quoteMint, quarantine }: Swap): boolean {
  if (venue === 'inferred' || quarantine !== null) return false;
  return baseMint === WRAPPED_SOL && isStable(quoteMint);
}

/** Returns the same object if the price is unchanged, so `slot` is the slot of the last change. */
function withUsd(
  { minuteMs }: MinuteReferences,
  previous: SolPrice | null,
  usd: PriceE18 | null,
  slot: Slot,
): SolPrice | null {
  if (usd === null || usd === previous?.usd) return previous;
  return { minuteMs, usd, slot };
}
