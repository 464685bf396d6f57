import { Engine } from '../../src/engine/engine.ts';
import { CurrentTrades } from '../../src/ingestion/current-trades.ts';
import { CurrentTradeLabels } from '../../src/ingestion/trade-labels.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Trade, TradePosition, TradeQuery } from '../../src/model/trade.ts';
import type { PriceE18 } from '../../src/model/units.ts';
import type { DataPlane } from '../../src/store/data-plane.ts';
import { StoredTradeLabels } from '../../src/store/reads/trade-labels.ts';
import { StoredTrades } from '../../src/store/reads/trades.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';

/** Slots of which the first are stored and the others are not written yet. */
export interface StoredSlots {
  readonly engine: Engine;
  readonly changes: readonly SlotChanges[];
  readonly trades: CurrentTrades;
}

/** Used while no SOL price follows from the slots. */
export const FALLBACK_SOL_USD = (150n * 10n ** 18n) as PriceE18;

/** Applies slots, and writes `stored` of them under a number. */
export async function storeSlots(
  plane: DataPlane,
  slots: readonly SlotFacts[],
  { epoch, stored }: { readonly epoch: number; readonly stored: number },
): Promise<StoredSlots> {
  const engine = new Engine({ fallbackSolUsd: FALLBACK_SOL_USD });
  const changes = slots.map((facts) => engine.apply(facts));
  const writer = new SlotWriter(plane.writer);
  await writer.writeBatch({ slots: [], changes: changes.slice(0, stored), epoch });
  const rest = changes.slice(stored).map((change) => ({ changes: change }));
  const unwritten = new UnwrittenRows(() => rest);
  const labels = new StoredTradeLabels(plane.fast, { epoch });
  const trades = new CurrentTrades({
    ...{ stored: new StoredTrades(plane.fast, { epoch }), unwritten, finalSlot: -1 },
    labels: new CurrentTradeLabels(labels, unwritten, () => null),
  });
  return { engine, changes, trades };
}

/** All trades of a query, page by page. */
export async function everyTrade(
  trades: CurrentTrades,
  query: Partial<TradeQuery>,
): Promise<Trade[]> {
  const listed: Trade[] = [];
  let before: TradePosition | null = null;
  do {
    const page = await trades.page({ ...ANY, ...query, before });
    listed.push(...page.trades);
    before = page.next;
  } while (before !== null);
  return listed;
}

const ANY: TradeQuery = {
  ...{ mint: null, pool: null, wallet: null, fromMs: null, toMs: null, side: null },
  ...{ valueUsdMin: null, class: 'all', view: 'all', before: null, limit: 500 },
};

/** A swap of the canonical log. */
export interface LoggedSwap {
  readonly facts: SlotFacts;
  readonly transaction: SlotFacts['transactions'][number];
  readonly swap: Swap;
}

/** Slots after the last block time for which the time is an estimate. */
const ESTIMATED_SLOTS = 150;

/** The swaps of the log whose time is known, in order. */
export function swapsOfLog(slots: readonly SlotFacts[]): LoggedSwap[] {
  let timedSlot = Number.NEGATIVE_INFINITY;
  return slots.flatMap((facts) => {
    if (facts.blockTimeMs !== null) timedSlot = facts.slot;
    if (facts.slot - timedSlot > ESTIMATED_SLOTS) return [];
    return facts.transactions
      .filter(({ error }) => error === null)
      .flatMap((transaction) =>
        transaction.events.flatMap((event) =>
          event.kind === 'swap' ? [{ facts, transaction, swap: event }] : [],
        ),
      );
  });
}
