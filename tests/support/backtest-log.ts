import { BacktestSession } from '../../src/ingestion/backtest/backtest-session.ts';
import type { BacktestParts } from '../../src/ingestion/backtest/run-backtest.ts';
import type { PastSource } from '../../src/ingestion/past-source.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { fallbackSolUsd } from './master-fixture.ts';

/** A log in memory, and what reads it. */
export interface BacktestLog {
  /** The slots as of now. */
  readonly facts: () => readonly SlotFacts[];
  readonly send: BacktestParts['send'];
  /** What the fold says that differs from a log that never changes. */
  readonly state?: () => Partial<PastSource>;
  /** Called for each slot before it is read. */
  readonly onRead?: (facts: SlotFacts) => SlotFacts;
}

/** The parts of a backtest of a log without stored states. Each slot is read as it is at that time. */
export function partsOfLog({
  facts,
  send,
  state,
  onRead = (one) => one,
}: BacktestLog): BacktestParts {
  return {
    source: () => ({
      ...{ fold: 1, isRebuilding: false, storedAhead: null, changedFrom: null, unwritten: [] },
      ...{ firstApplied: facts()[0]?.slot ?? null, newest: facts().at(-1)?.slot ?? null },
      ...{ logStart: null, checkpoints: [] },
      ...state?.(),
    }),
    states: { linkPast: async () => null, removePast: () => undefined },
    log: {
      async *readEncoded({ from, to }) {
        let [list, at] = [facts(), 0];
        for (let next = from; ; at++) {
          const now = facts();
          if (now !== list) [list, at] = [now, 0];
          while ((list[at]?.slot ?? next) < next) at++;
          const found = list[at];
          if (found === undefined || found.slot > to) return;
          yield encodeSlotFacts(onRead(found));
          next = found.slot + 1;
        }
      },
      firstTimed: async (from) => {
        const found = facts().find(({ slot, blockTimeMs }) => slot >= from && blockTimeMs !== null);
        return found === undefined ? null : { slot: found.slot, timeMs: found.blockTimeMs ?? 0 };
      },
    },
    send,
  };
}

/** What backtests one after another are computed in. */
export function newSession(): BacktestSession {
  return new BacktestSession({
    ...{ fallbackSolUsd, memory: { pagesMax: 64, objectBytesMax: 2 ** 20 } },
  });
}
