import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { fallbackSolUsd, SOL, START_MS, SUPPLY } from '../../../tests/support/master-fixture.ts';
import { person } from '../../../tests/support/wallet-story.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { Address } from '../../model/units.ts';
import type { SmartMove } from '../../signals/features/minute-bar.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import { randomMinute } from '../../signals/models/random-minute.ts';
import { Engine } from '../engine.ts';

/** After twelve doublings a wallet is smart; its thirteenth purchase counts as smart. */
const DOUBLINGS = 12;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const BASE_RAW = 1_000_000_000n;
const leader = person('leader');
const stranger = person('stranger');

interface Seen {
  readonly mint: Address;
  readonly moves: readonly SmartMove[];
  /** Dollars, of the indicators. */
  readonly influxUsd: number;
}

/** A model that gives no signals and records its input. */
function listener(seen: Seen[]): SignalModel {
  return {
    ...randomMinute,
    measure: ({ window, facts: { token, indicators } }) => {
      const influxUsd = Number(indicators.smartMoneyInflux10min) / 1e9;
      seen.push({ mint: token.mint, moves: window.smartMoves(10), influxUsd });
      return {};
    },
  };
}

function mintAt(index: number) {
  return { baseMint: address(`doubled ${index}`), pool: address(`doubling curve ${index}`) };
}

function launch(index: number, creator: Address): TransactionFacts {
  const { baseMint, pool } = mintAt(index);
  return transactionFacts({
    txIndex: 0,
    signers: [creator],
    events: [
      mintCreated(baseMint),
      supplyChange('mintTo', baseMint, SUPPLY, 1),
      poolCreated(SUPPLY, 500n * SOL, { baseMint, pool, creator, venue: 'pump' }),
    ],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY, { mint: baseMint })],
  });
}

/** Five SOL become ten: $1,000 and $2,000. */
function trade(index: number, side: 'buy' | 'sell'): TransactionFacts {
  const { baseMint, pool } = mintAt(index);
  const [before, after] = side === 'buy' ? [0n, BASE_RAW] : [BASE_RAW, 0n];
  const draft = { trader: leader, side, baseRaw: BASE_RAW };
  const quoteRaw = (side === 'buy' ? 5n : 10n) * SOL;
  return transactionFacts({
    txIndex: 0,
    signers: [leader],
    events: [swapEvent({ ...draft, quoteRaw }, { baseMint, pool, venue: 'pump' })],
    tokenBalances: [balanceChange(leader, before, after, { mint: baseMint })],
  });
}

function at(timeMs: number, ...transactions: TransactionFacts[]): SlotFacts {
  return slotFacts(1_000 + timeMs / 400, START_MS + timeMs, transactions);
}

/** Doublings in mints of another creator, hours apart, then a purchase of a mint of `creator`. */
function foldPurchase(creator: Address) {
  const seen: Seen[] = [];
  const engine = new Engine({ fallbackSolUsd, models: [listener(seen)] });
  for (let index = 0; index < DOUBLINGS; index++) {
    const startMs = index * HOUR_MS + index * index * 17 * MINUTE_MS;
    engine.apply(at(startMs, launch(index, stranger)));
    engine.apply(at(startMs + MINUTE_MS, trade(index, 'buy')));
    engine.apply(at(startMs + 20 * MINUTE_MS, trade(index, 'sell')));
  }
  const skill = engine.wallet(leader)?.skill ?? null;
  const lastMs = 100 * HOUR_MS;
  engine.apply(at(lastMs, launch(DOUBLINGS, creator)));
  engine.apply(at(lastMs + MINUTE_MS, trade(DOUBLINGS, 'buy')));
  engine.apply(at(lastMs + 2 * MINUTE_MS));
  return { skill, seen, last: seen.at(-1) };
}

describe('models see of a smart wallet', () => {
  test('its purchase at the score of that time, like the indicators', () => {
    const { skill, seen, last } = foldPurchase(stranger);
    expect(skill?.isSmart).toBe(true);
    expect(last?.mint).toBe(mintAt(DOUBLINGS).baseMint);
    expect(last?.moves).toEqual([
      {
        wallet: leader,
        boughtUsd: expect.closeTo((1_000 * (skill?.score ?? 0)) / 100, 6),
        boughtBase: Number(BASE_RAW),
        soldUsd: 0,
        soldBase: 0,
      },
    ]);
    // Weights of the indicators have six decimals.
    expect(last?.moves[0]?.boughtUsd).toBeCloseTo(last?.influxUsd ?? 0, 2);
    // One success does not make a wallet smart.
    expect(seen[0]).toMatchObject({ moves: [], influxUsd: 0 });
  });

  test('nothing if it created the token itself', () => {
    const { skill, last } = foldPurchase(leader);
    expect(skill?.isSmart).toBe(true);
    expect(last).toEqual({ mint: mintAt(DOUBLINGS).baseMint, moves: [], influxUsd: 0 });
  });
});
