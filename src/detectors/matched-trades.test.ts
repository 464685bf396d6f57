import { describe, expect, it } from 'vitest';
import { aBuy, aSell, HOUR_MS, LAUNCH_TIME_MS, sol } from '../../tests/support/mint-case.ts';
import type { CaseTrade } from '../model/mint-case.ts';
import type { RawAmount } from '../model/units.ts';
import { matchTrades } from './matched-trades.ts';

/** A time on the hour. */
const START_MS = Math.ceil(LAUNCH_TIME_MS / HOUR_MS) * HOUR_MS;
const raw = (amount: number) => BigInt(amount) as RawAmount;
const at = (seconds: number) => ({ timeMs: START_MS + seconds * 1_000, slot: 1_000 + seconds });

/** A wallet buys 1,000 and sells so many so much later, three times, twenty minutes apart. */
function turns({ sold = 1_000, later = 60, count = 3, wallet = 'w' } = {}): CaseTrade[] {
  return Array.from({ length: count }, (_, turn) => [
    aBuy(wallet, { ...at(turn * 1_200), baseRaw: raw(1_000), lamports: sol(1) }),
    aSell(wallet, { ...at(turn * 1_200 + later), baseRaw: raw(sold), lamports: sol(1) }),
  ]).flat();
}

/** What keeps the day and every span from being balanced. */
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

  it('are counted for the wallet that has most of them', () => {
    const trades = [...turns(), ...turns({ wallet: 'v', count: 2 })];
    expect(matchedOf(trades)?.pairs).toBe(3);
    // The other wallet has too few of its own.
    expect(matchedOf(trades)?.trades.length).toBe(6);
  });

  it('take each trade once', () => {
    const buys = [0, 1, 2].map((second) => aBuy('w', { ...at(second), baseRaw: raw(1_000) }));
    const sell = aSell('w', { ...at(10), baseRaw: raw(1_000) });
    expect(matchedOf([...buys, sell])).toBeNull();
  });
});

describe('spans of one hand', () => {
  const trade = (seconds: number, side: 'buy' | 'sell', amount: number) =>
    (side === 'buy' ? aBuy : aSell)(`${side}er`, {
      ...at(seconds),
      baseRaw: raw(amount),
      lamports: sol(1),
    });

  it('cancel out from nine tenths on', () => {
    // 2 · 90 of 200, and one less.
    expect(matchTrades([trade(0, 'buy', 110), trade(60, 'sell', 90)])?.churn).toBe(0.9);
    expect(matchTrades([trade(0, 'buy', 111), trade(60, 'sell', 90)])).toBeNull();
  });

  it('of ten minutes leave out the others', () => {
    const quiet = [trade(0, 'buy', 100), trade(300, 'sell', 100)];
    const matched = matchTrades([...quiet, trade(700, 'buy', 500)]);
    expect(matched?.trades).toEqual(quiet);
  });

  it('of an hour see what takes longer', () => {
    const slow = [trade(0, 'buy', 100), trade(1_500, 'sell', 100)];
    const matched = matchTrades([...slow, trade(4_000, 'buy', 500)]);
    expect(matched?.trades).toEqual(slow);
  });

  it('of the day see what takes longest, and the one with most volume counts', () => {
    const all = [
      trade(0, 'buy', 100),
      trade(10, 'sell', 100),
      trade(4_000, 'buy', 300),
      trade(9_000, 'sell', 300),
    ];
    expect(matchTrades(all)?.trades).toEqual(all);
  });

  it('are nothing for nothing', () => {
    expect(matchTrades([])).toBeNull();
  });
});
