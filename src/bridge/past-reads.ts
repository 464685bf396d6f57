import { HOLDERS_MAX, type PastReads } from '../api/deps.ts';
import { assertRetained } from '../api/present/freshness.ts';
import { answerPast, type PastKind, type QueryOf } from '../ingestion/past/past-query.ts';
import type { PastStates } from '../ingestion/past/past-states.ts';
import type { AsOf } from '../model/as-of.ts';
import { ApiError } from '../model/errors.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { Address, Slot } from '../model/units.ts';
import type { Publisher } from './publisher.ts';

/** The newest indicators of a pool that are stored at or before a slot. */
export type StoredMinutes = (pool: Address, slot: Slot) => Promise<AsOf<IndicatorRecord | null>>;

/** Answers reads as of a slot: of the newest one from the engine, of others from computed states. */
export function pastReads(
  past: Pick<PastStates, 'read' | 'answerable'>,
  publisher: Pick<Publisher, 'current' | 'asOf'>,
  minutes: StoredMinutes,
): PastReads {
  const read = async <Kind extends PastKind>(query: QueryOf<Kind>, slot: Slot) => {
    const isNewest = publisher.current(({ lastSlot }) => lastSlot === slot);
    if (isNewest) return publisher.asOf((engine) => answerPast<Kind>(engine, query));
    const outcome = await past.read<Kind>(query, slot);
    if (outcome.kind === 'answered') return outcome.answer;
    const { first, newest } = outcome.slots;
    // Before the first slot nothing is known.
    if (first === null || newest === null) return { slot: null, timeMs: null, data: null };
    assertRetained(slot, { oldest: first, newest });
    // It has become answerable, since the newest slot is another one.
    throw new ApiError(503, MOVED);
  };
  return {
    token: (mint, slot) => read<'token'>({ kind: 'token', mint, holdersMax: HOLDERS_MAX }, slot),
    holders: (page, slot) => read<'holders'>({ kind: 'holders', page }, slot),
    indicators: async (pool, slot) => {
      const { first } = past.answerable;
      if (first === null || slot >= first) {
        return read<'indicators'>({ kind: 'indicators', pool }, slot);
      }
      const known = publisher.current((engine) => engine.pool(pool) !== null);
      if (!known) return { slot: null, timeMs: null, data: null };
      const { data } = await minutes(pool, slot);
      if (data === null) return read<'indicators'>({ kind: 'indicators', pool }, slot);
      const timeMs = data.createdAtMs;
      return { slot: data.slot, timeMs, data: { indicators: data, pool: null } };
    },
  };
}

const MOVED = 'The newest slot has changed: try again.';
