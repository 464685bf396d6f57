import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import {
  aBuy,
  aCase,
  aSell,
  LAUNCH_SLOT,
  sol,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import { coordinatedExit } from './coordinated-exit.ts';

/**
 * Crews that know the rules and stay one step below a threshold. Expectations follow from METHODS
 * §7.7 and decision 0079: what is conceded is said to be.
 */
interface Draft {
  readonly wallets?: number;
  readonly held?: number;
  readonly sold?: number;
  readonly overSlots?: number;
  /** SOL taken from a pool of 100. */
  readonly taken?: number;
  /** The lowest price, as a part of that before. */
  readonly low?: number;
  /** Part of the supply bought back, and how many slots after the last sale. */
  readonly back?: readonly [share: number, slots: number];
  /** Number of equal parts each wallet sells in, spread over `overSlots`. */
  readonly parts?: number;
}

const EXIT_SLOT = LAUNCH_SLOT + 5_000;

function confidenceOf(draft: Draft): number {
  const { wallets: count = 5, held = 0.4, sold = 1, overSlots = 40, taken = 70 } = draft;
  const { low = 0.2, back, parts = 1 } = draft;
  const crew = Array.from({ length: count }, (_, at) => `w${at + 1}`);
  const sales = crew.flatMap((wallet, at) =>
    Array.from({ length: parts }, (_, part) => {
      const place = part * count + at;
      return aSell(wallet, {
        slot: EXIT_SLOT + Math.round((overSlots * place) / (count * parts - 1)),
        baseRaw: supplyShare((held * sold) / count / parts),
        lamports: sol(taken / count / parts),
        priceSol: place === count * parts - 1 ? low / 1e6 : null,
      });
    }),
  );
  const trades = [
    ...crew.map((wallet, at) =>
      aBuy(wallet, { txIndex: at + 1, baseRaw: supplyShare(held / count) }),
    ),
    aBuy('passer', { slot: EXIT_SLOT - 10, priceSol: 1e-6, poolLamports: sol(100) }),
    ...sales,
    ...(back === undefined
      ? []
      : [
          aBuy('w1', {
            slot: EXIT_SLOT + overSlots + back[1],
            baseRaw: supplyShare(back[0]),
            lamports: sol(1),
          }),
        ]),
  ];
  const links = linksFrom('w1', crew.slice(1));
  return coordinatedExit.inspect(readingOf(aCase({ trades }), links))[0]?.confidence ?? 0;
}

describe('a crew that leaves', () => {
  it.each<[string, Draft]>([
    ['all at once', {}],
    // Slots of 400 ms: 8,900 are 59 minutes.
    ['in ten parts each over 59 minutes', { parts: 10, overSlots: 8_900 }],
    ['and is back after ten minutes and a slot', { back: [0.4, 1_501] }],
    ['keeps two fifths', { sold: 0.6 }],
    // In the last hour it sells all of what it still held, a fifth of the supply.
    ['in equal parts over two hours', { parts: 20, overSlots: 18_000 }],
  ])('%s is found', (_, draft) => {
    expect(confidenceOf(draft)).toBeGreaterThanOrEqual(0.5);
  });

  it.each<[string, Draft]>([
    ['with two wallets', { wallets: 2 }],
    ['with less than a twentieth of the supply', { held: 0.0499 }],
    ['and keeps more than two fifths', { sold: 0.599 }],
    [
      'and takes less than a fifth of the quote, with a fall below 40 %',
      { taken: 19.9, low: 0.61 },
    ],
    // Of 40 % it holds 4 % when the last hour begins, less than a twentieth of the supply.
    ['in equal parts over ten hours', { parts: 20, overSlots: 90_000 }],
    ['and is back within ten minutes', { back: [0.1601, 1_500] }],
  ])('%s is conceded', (_, draft) => {
    expect(confidenceOf(draft)).toBe(0);
  });
});
