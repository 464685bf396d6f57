import { BacktestSession } from '../../src/ingestion/backtest/backtest-session.ts';
import { runBacktest } from '../../src/ingestion/backtest/run-backtest.ts';
import type { BacktestReport } from '../../src/model/backtest.ts';
import type { BacktestRequest } from '../../src/model/backtest-job.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { fallbackSolUsd } from './master-fixture.ts';

/** The report of a backtest of a log that holds these slots and never changes, on this thread. */
export function backtestOfSlots(
  slots: readonly SlotFacts[],
  request: BacktestRequest,
  { tries = 1, session = newSession() } = {},
): Promise<BacktestReport> {
  const { signal } = new AbortController();
  return runBacktest(
    { request, tries, onProgress: () => undefined, signal },
    {
      source: () => ({
        ...{ fold: 1, isRebuilding: false, storedAhead: null, changedFrom: null, unwritten: [] },
        ...{ firstApplied: slots[0]?.slot ?? null, newest: slots.at(-1)?.slot ?? null },
        ...{ logStart: null, checkpoints: [] },
      }),
      states: { linkPast: async () => null, removePast: () => undefined },
      log: {
        async *readEncoded({ from, to }) {
          for (const facts of slots) {
            if (facts.slot >= from && facts.slot <= to) yield encodeSlotFacts(facts);
          }
        },
        firstTimed: async (from) => {
          const isTimed = ({ slot, blockTimeMs }: SlotFacts) =>
            slot >= from && blockTimeMs !== null;
          const found = slots.find(isTimed);
          return found === undefined ? null : { slot: found.slot, timeMs: found.blockTimeMs ?? 0 };
        },
      },
      send: async (step) => session.answer(step),
    },
  );
}

/** What backtests one after another are computed in. */
export function newSession(): BacktestSession {
  return new BacktestSession({
    ...{ fallbackSolUsd, memory: { pagesMax: 64, objectBytesMax: 2 ** 20 } },
  });
}
