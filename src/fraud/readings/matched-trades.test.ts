import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aBuy, aSell, HOUR_MS, LAUNCH_TIME_MS, sol } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { churnOf, matchTrades, volumeOf } from './matched-trades.ts';

/** A time on the hour. */
const START_MS = Math.ceil(LAUNCH_TIME_MS / HOUR_MS) * HOUR_MS;
const raw = (amount: number) => asRawAmount(BigInt(amount));
const at = (seconds: number) => ({ timeMs: START_MS + seconds * 1_000, slot: 1_000 + seconds });

/** A wallet buys 1,000 and sells an amount some time later, three times, twenty minutes apart. */
function turns({ sold = 1_000, later = 60, count = 3, wallet = 'w' } = {}): CaseTrade[] {
  return Array.from({ length: count }, (_, turn) => [
    aBuy(wallet, { ...at(turn * 1_200), baseRaw: raw(1_000), lamports: sol(1) }),
    aSell(wallet, { ...at(turn * 1_200 + later), baseRaw: raw(sold), lamports: sol(1) }),
  ]).flat();
}

/** A trade that unbalances the day and every span. */
const holdings = [0, 1_200, 2_400].map((seconds) =>
  aBuy('holder', { ...at(seconds + 1), baseRaw: raw(100_000), lamports: sol(1) }),
);
const matchedOf = (trades: readonly CaseTrade[]) =>
  matchTrades([...trades, ...holdings].sort((one, other) => one.timeMs - other.timeMs));

describe('pairs of one wallet', () => {
  it.each([
    ['within 300 seconds', { later: 300 }, 6],
    ['later than that', { later: 301 }, undefined],
    ['of 1 % less', { sold: 990 }, 6],
    ['of less than that', { sold: 989 }, undefined],
    ['of 1 % more, of the larger', { sold: 1_010 }, 6],
    ['of more than that', { sold: 1_011 }, undefined],
    ['twice', { count: 2 }, undefined],
  ])('cancel out %s', (_, draft, trades) => {
    expect(matchedOf(turns(draft))?.trades.length).toBe(trades);
  });

  it('are counted for the wallet with most pairs', () => {
    const trades = [...turns(), ...turns({ wallet: 'v', count: 2 })];
    expect(matchedOf(trades)?.pairs).toBe(3);
    // The other wallet has too few of its own.
    expect(matchedOf(trades)?.trades.length).toBe(6);
  });

  it('use each trade once', () => {
    const buys = [0, 1, 2].map((second) => aBuy('w', { ...at(second), baseRaw: raw(1_000) }));
    const sell = aSell('w', { ...at(10), baseRaw: raw(1_000) });
    expect(matchedOf([...buys, sell])).toBeNull();
  });
});

describe('spans of one owner', () => {
  const trade = (seconds: number, side: 'buy' | 'sell', amount: number) =>
    (side === 'buy' ? aBuy : aSell)(`${side}er`, {
      ...at(seconds),
      baseRaw: raw(amount),
      lamports: sol(1),
    });

  it('cancel out at nine tenths or more', () => {
    // 2 · 90 of 200, and one less.
    expect(matchTrades([trade(0, 'buy', 110), trade(60, 'sell', 90)])?.churn).toBe(0.9);
    expect(matchTrades([trade(0, 'buy', 111), trade(60, 'sell', 90)])).toBeNull();
  });

  it('of ten minutes leave out the others', () => {
    const quiet = [trade(0, 'buy', 100), trade(300, 'sell', 100)];
    const matched = matchTrades([...quiet, trade(700, 'buy', 500)]);
    expect(matched?.trades).toEqual(quiet);
  });

  it('of an hour include slower cycles', () => {
    const slow = [trade(0, 'buy', 100), trade(1_500, 'sell', 100)];
    const matched = matchTrades([...slow, trade(4_000, 'buy', 500)]);
    expect(matched?.trades).toEqual(slow);
  });

  it('of the day include the slowest cycles, and the largest volume is used', () => {
    const all = [
      trade(0, 'buy', 100),
      trade(10, 'sell', 100),
      trade(4_000, 'buy', 300),
      trade(9_000, 'sell', 300),
    ];
    expect(matchTrades(all)?.trades).toEqual(all);
  });

  it('are none without trades', () => {
    expect(matchTrades([])).toBeNull();
  });
});

/** As METHODS §7.8 defines: each trade with the oldest earlier one that is unpaired and fits. */
function pairsByWords(trades: readonly CaseTrade[]): CaseTrade[] {
  const taken = new Set<CaseTrade>();
  const paired: CaseTrade[] = [];
  for (const [index, trade] of trades.entries()) {
    const partner = trades.slice(0, index).find((other) => {
      const [one, two] = [other.baseRaw, trade.baseRaw];
      const isAlike = one * 99n <= two * 100n && two * 99n <= one * 100n;
      const isNear = trade.timeMs - other.timeMs <= 300_000;
      return !taken.has(other) && other.side !== trade.side && isAlike && isNear;
    });
    if (partner === undefined) continue;
    taken.add(partner).add(trade);
    paired.push(partner, trade);
  }
  return paired;
}

function readByWords(trades: readonly CaseTrade[]) {
  const ofWallets = [...new Set(trades.map(({ wallet }) => wallet))].map((wallet) =>
    pairsByWords(trades.filter((trade) => trade.wallet === wallet)),
  );
  const inPairs = new Set(ofWallets.filter(({ length }) => length >= 6).flat());
  const spans = [600_000, 3_600_000].map((spanMs) =>
    trades.filter((trade) => {
      const start = Math.floor(trade.timeMs / spanMs);
      return churnOf(trades.filter(({ timeMs }) => Math.floor(timeMs / spanMs) === start)) >= 0.9;
    }),
  );
  const all = churnOf(trades) >= 0.9 ? trades : [];
  const readings = [trades.filter((trade) => inPairs.has(trade)), ...spans, all];
  const largest = readings.reduce((one, other) => (volumeOf(other) > volumeOf(one) ? other : one));
  const pairs = Math.max(0, ...ofWallets.map(({ length }) => length / 2));
  return largest.length === 0 ? null : { trades: largest, churn: churnOf(largest), pairs };
}

it('matches any trades as METHODS §7.8 defines', () => {
  const trade = fc.record({
    wallet: fc.constantFrom('a', 'b'),
    isBuy: fc.boolean(),
    waits: fc.constantFrom(0, 1, 20, 150, 300, 301, 900),
    size: fc.constantFrom(990, 999, 1_000, 1_010, 1_011, 2_000, 10n ** 17n, 10n ** 17n + 1n),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 40 }), (drafts) => {
      let seconds = 0;
      const trades = drafts.map(({ wallet, isBuy, waits, size }, txIndex) => {
        seconds += waits;
        const draft = { ...at(seconds), txIndex, baseRaw: asRawAmount(BigInt(size)) };
        return (isBuy ? aBuy : aSell)(wallet, { ...draft, lamports: sol(1) });
      });
      expect(matchTrades(trades)).toEqual(readByWords(trades));
    }),
    { numRuns: 500 },
  );
});
