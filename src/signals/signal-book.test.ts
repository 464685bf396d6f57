import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../tests/support/book-trial.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { named } from '../../tests/support/made-up-units.ts';
import {
  nano,
  SCENE_MINT,
  SCENE_POOL,
  SCENE_START_MS,
  sceneFacts,
  sceneTrade,
  tokensRaw,
} from '../../tests/support/signal-scene.ts';
import { UndoLog } from '../lib/undo-log.ts';
import { type Address, asSlot } from '../model/units.ts';
import type { MinuteFacts, SignalModel } from './features/signal-model.ts';
import { MODELS } from './registry.ts';
import { SignalBook } from './signal-book.ts';
import { vetoOf } from './vetoes.ts';

const MINUTE_MS = 60_000;

/** Signals every pool that was traded. */
const always: SignalModel = {
  name: 'organic_momentum',
  card: { pattern: 'Any.', rationale: 'None.', lookAlikes: ['All.'] },
  parameters: {
    version: 7,
    coolDownMinutes: 360,
    conditions: { buyers: { least: 1, most: null, reason: 'Somebody.' } },
    hash: 'h',
  },
  measure: ({ window }) => ({ buyers: window.organicBuyers(1) }),
};

function endMinute(book: SignalBook, minute: number, facts: MinuteFacts = sceneFacts(minute)) {
  book.note(sceneTrade(minute));
  const timeMs = SCENE_START_MS + (minute + 1) * MINUTE_MS;
  const end = { slot: asSlot(200 + minute), timeMs };
  return book.endMinute(SCENE_START_MS + minute * MINUTE_MS, end, [SCENE_POOL], () => facts);
}

describe('a signal', () => {
  test('contains the facts, the earliest time they were known, and the reasons', () => {
    const [signal] = endMinute(new SignalBook(new UndoLog(), [always]), 3);
    expect(signal).toEqual({
      rowId: 1,
      model: 'organic_momentum',
      version: 7,
      parametersHash: 'h',
      mint: SCENE_MINT,
      pool: SCENE_POOL,
      name: null,
      symbol: null,
      slot: 203,
      createdAtMs: SCENE_START_MS + 4 * MINUTE_MS,
      asOfSlot: 103,
      priceUsd: 10n ** 18n,
      supplyRaw: tokensRaw(1_000_000),
      decimals: 6,
      // A million tokens at a dollar.
      marketCapUsd: nano(1_000_000),
      liquidityUsd: nano(50_000),
      ageMs: 4 * MINUTE_MS - 1,
      features: { buyers: 1 },
      passed: [{ feature: 'buyers', value: 1, least: 1, most: null }],
    });
  });

  test('is not repeated within six hours, and is afterwards', () => {
    const book = new SignalBook(new UndoLog(), [always]);
    const given = [0, 1, 359, 360, 361].map((minute) => endMinute(book, minute).length);
    expect(given).toEqual([1, 0, 0, 1, 0]);
    expect(book.count).toBe(2);
  });

  test('is given for the primary pool only', () => {
    const other = sceneFacts(1, { token: { primaryPool: named('other') } });
    expect(endMinute(new SignalBook(new UndoLog(), [always]), 1, other)).toEqual([]);
  });

  test('is not given if price, supply or liquidity is unknown', () => {
    for (const facts of [
      sceneFacts(1, { pool: { priceUsd: null } }),
      sceneFacts(1, { token: { supplyRaw: null } }),
      sceneFacts(1, { pool: { liquidityUsd: null } }),
    ]) {
      expect(endMinute(new SignalBook(new UndoLog(), [always]), 1, facts)).toEqual([]);
    }
  });

  test('evaluates clusters only when a model would signal', () => {
    let looks = 0;
    const topClusterShare = () => {
      looks++;
      return 0;
    };
    const book = new SignalBook(new UndoLog(), [always, ...MODELS.slice(0, 3)]);
    endMinute(book, 0, sceneFacts(0, { topClusterShare }));
    endMinute(book, 1, sceneFacts(1, { topClusterShare }));
    expect(looks).toBe(1);
  });
});

describe('a veto', () => {
  test.each<[string, Parameters<typeof sceneFacts>[1], string | null]>([
    ['nothing is wrong', {}, null],
    ['fraud is likely', { fraudConfidence: 0.7 }, 'fraud'],
    ['fraud is possible', { fraudConfidence: 0.69 }, null],
    ['accounts can be frozen', { isFreezable: true }, 'freeze_authority'],
    ['it is unknown whether they can', { isFreezable: null }, 'freeze_authority'],
    ['transfers cost 1 %', { transferFeeBps: 100 }, null],
    ['transfers cost more', { transferFeeBps: 101 }, 'transfer_fee'],
    ['the transfer fee is unknown', { transferFeeBps: null }, 'transfer_fee'],
    ['half of the liquidity is locked', { pool: locked(50) }, null],
    ['less is locked', { pool: locked(49) }, 'unlocked_liquidity'],
    ['the locked share is unknown', { pool: { lockedLiquidity: null } }, 'unlocked_liquidity'],
    ['it is a curve', { pool: { lockedLiquidity: null }, isCurve: true }, null],
    ['the launchpad locked it', { pool: locked(0), isLaunchpadLocked: true }, null],
    ['there are $10,000', { pool: { liquidityUsd: nano(10_000) } }, null],
    ['there is less', { pool: { liquidityUsd: nano(9_999.99) } }, 'thin_liquidity'],
    ['liquidity is unknown', { pool: { liquidityUsd: null } }, 'thin_liquidity'],
    ['the price is not confirmed', { isPriceFinal: false }, 'unsettled_price'],
    ['a group holds a quarter', { topClusterShare: () => 0.25 }, null],
    ['a group holds more', { topClusterShare: () => 0.26 }, 'concentrated_supply'],
    ['groups are unknown', { topClusterShare: () => null }, 'concentrated_supply'],
  ])('when %s: %o gives %s', (_, given, veto) => {
    expect(vetoOf(sceneFacts(1, given))).toBe(veto);
    const signals = endMinute(new SignalBook(new UndoLog(), [always]), 1, sceneFacts(1, given));
    expect(signals.length).toBe(veto === null ? 1 : 0);
  });
});

function locked(part: number) {
  return { lockedLiquidity: { issuedRaw: tokensRaw(100), lockedRaw: tokensRaw(part) } };
}

const POOLS = ['one', 'two'].map((name) => address(name));
const anyTrade = fc.record({
  minutes: fc.constantFrom(0, 0, 0, 1, 2, 40, 400),
  pool: fc.constantFrom(...POOLS),
  wallet: fc.constantFrom(...Array.from({ length: 10 }, (_, at) => address(`wallet ${at}`))),
  usd: fc.constantFrom(null, 1, 20_000),
  price: fc.constantFrom(null, 1, 2, 0.5),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  smartWeight: fc.constantFrom(0, 0.7),
});

/** Trades with the minute of each and of the one before. */
function withMinutes<Trade extends { readonly minutes: number }>(trades: readonly Trade[]) {
  let minute = 0;
  return trades.map((trade) => {
    const ended = minute;
    minute += trade.minutes;
    return { ...trade, minute, ended };
  });
}

test('slots can be undone, stored and restored', () => {
  fc.assert(
    fc.property(fc.array(anyTrade, { maxLength: 40 }), fc.nat(39), (trades, stored) => {
      const slots = withMinutes(trades);
      const factsOf = (minute: number) => (pool: Address) =>
        sceneFacts(minute, { pool: { pool }, token: { mint: pool, primaryPool: pool } });
      expectStored<SignalBook, (typeof slots)[number]>(
        {
          create: (undo) => new SignalBook(undo, [always, ...MODELS]),
          apply(book, { minutes, minute, ended, pool, ...trade }) {
            const timeMs = SCENE_START_MS + minute * MINUTE_MS;
            const end = { slot: asSlot(200 + minute), timeMs };
            const endedMs = SCENE_START_MS + ended * MINUTE_MS;
            const signals =
              minutes === 0 ? [] : book.endMinute(endedMs, end, POOLS, factsOf(ended));
            book.note({ ...sceneTrade(minute, trade), pool });
            return signals;
          },
          answers: (book) => [book.count, book.poolCount],
        },
        slots,
        stored,
      );
    }),
    { numRuns: 50 },
  );
});
