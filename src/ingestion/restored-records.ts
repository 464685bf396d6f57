import type { Engine } from '../engine/engine.ts';
import type { Slot } from '../model/units.ts';
import type { LostRows } from '../store/lost-rows.ts';

/** The part of an engine that has the rows of its state. */
export type RestoredState = Pick<Engine, 'token' | 'pool' | 'stateRows'>;

/**
 * The lost rows as they were at the end of `slot`, the last slot of the state. A row that last
 * changed up to that slot is right as it is; any other is taken from the state, or left out if the
 * state does not have it.
 *
 * Two values are not stored anywhere and may differ from a fold of the whole log. The liquidity of a
 * pool that only dropped slots traded is valued as of `slot` and not as of its last trade. An owner
 * who had sold everything before and bought again in dropped slots only has no row instead of a
 * balance of 0.
 */
export function restoredRecords(lost: LostRows, state: RestoredState, slot: Slot): LostRows {
  const rows = state.stateRows();
  const asOf = <Row>(
    given: readonly Row[],
    slotOf: (row: Row) => number,
    find: (row: Row) => Row | null,
  ): Row[] => given.flatMap((row) => (slotOf(row) <= slot ? row : (find(row) ?? [])));
  const bySlot = (row: { readonly slot: Slot }) => row.slot;
  const absent = () => null;
  return {
    // Swaps of replaced slots never existed. The label of others may have been changed by them.
    swaps: lost.swaps
      .filter((priced) => priced.slot <= slot)
      .map((priced) => {
        const unsettled = rows.swap(priced);
        return unsettled === null ? priced : { ...priced, exclusion: unsettled.exclusion };
      }),
    candles: asOf(lost.candles, bySlot, (row) => rows.candle(row.scope, row.openTimeMs)),
    tokens: asOf(lost.tokens, bySlot, ({ mint }) => state.token(mint)),
    pools: asOf(lost.pools, bySlot, ({ pool }) => state.pool(pool)),
    balances: asOf(lost.balances, bySlot, ({ mint, owner }) => rows.balance(mint, owner)),
    bundles: asOf(lost.bundles, ({ foundSlot }) => foundSlot, absent),
    solPrices: asOf(lost.solPrices, bySlot, ({ minuteMs }) => rows.solPrice(minuteMs)),
    classifications: asOf(lost.classifications, bySlot, absent),
    outcomes: asOf(lost.outcomes, bySlot, ({ rowId }) => rows.outcome(rowId)),
    newestIndicators: lost.newestIndicators,
    newestClassifications: lost.newestClassifications,
  };
}
