import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aSell,
  sol,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { asRawAmount, asSlot } from '../../model/units.ts';
import type { Link } from '../links/clusters.ts';
import { washVolume } from './wash-volume.ts';

/**
 * Crews that know the rules and stay one step below a threshold. Expectations follow from METHODS
 * §7.8 and decision 0079: what is conceded is said to be.
 */
interface Draft {
  readonly passes?: number;
  readonly sizeSol?: number;
  /** Tokens sold for each hundred bought. */
  readonly soldPercent?: number;
  readonly apartSlots?: number;
  readonly others?: number;
  /** Volume of each wallet on something else. */
  readonly aside?: number;
  /** A name for the wallets. */
  readonly crew?: string;
  readonly fromSlot?: number;
}

/** Three wallets pass a position around: the next one buys, the holder sells ten slots later. */
function passes(draft: Draft = {}): CaseTrade[] {
  const { passes: count = 30, sizeSol = 1, soldPercent = 100, apartSlots = 10 } = draft;
  const { others = 20, aside = 0, crew = 'w', fromSlot = 5_000 } = draft;
  const wallets = [`${crew}1`, `${crew}2`, `${crew}3`];
  const baseRaw = supplyShare(0.01);
  const soldRaw = asRawAmount((baseRaw * BigInt(soldPercent)) / 100n);
  const gotSol = (sizeSol * 0.985 * soldPercent) / 100;
  const trades = Array.from({ length: count }, (_, pass) => {
    const slot = fromSlot + 200 * pass;
    const [holder = '', next = ''] = [wallets[pass % 3], wallets[(pass + 1) % 3]];
    return [
      aBuy(next, { slot, baseRaw, lamports: sol(sizeSol) }),
      aSell(holder, { slot: slot + apartSlots, baseRaw: soldRaw, lamports: sol(gotSol) }),
    ];
  }).flat();
  const elsewhere = wallets.map((wallet) =>
    aBuy(wallet, { slot: fromSlot - 10, baseRaw: supplyShare(0.05), lamports: sol(aside) }),
  );
  const person = aBuy('person', { slot: fromSlot, txIndex: 9, lamports: sol(others) });
  return [...trades, ...(aside > 0 ? elsewhere : []), person];
}

const linked = linksFrom('boss', ['w1', 'w2', 'w3']);
const confidenceOf = (trades: readonly CaseTrade[], links: readonly Link[] = []) =>
  washVolume.inspect(readingOf(aCase({ trades }), links))[0]?.confidence ?? 0;

describe('a crew that no payment connects', () => {
  it('is found as long as it passes a position around', () => {
    expect(confidenceOf(passes())).toBeGreaterThanOrEqual(0.5);
  });

  it.each<[string, Draft]>([
    ['sells two per cent less than was bought', { soldPercent: 98 }],
    ['leaves twenty seconds and a slot between purchase and sale', { apartSlots: 51 }],
    ['trades more aside than it hands over', { aside: 21 }],
  ])('is conceded when it %s', (_, draft) => {
    // 27 passes are nine rounds of each wallet: with ten it would be found alone.
    expect(confidenceOf(passes({ passes: 27, ...draft }))).toBeLessThan(0.5);
    expect(confidenceOf(passes({ passes: 27 }))).toBeGreaterThanOrEqual(0.5);
  });

  it('is conceded when new wallets take over after nine hand-overs', () => {
    const rings = [0, 1, 2].flatMap((ring) =>
      passes({ passes: 9, crew: `ring ${ring} `, fromSlot: 5_000 + 3_000 * ring, others: 5 }),
    );
    expect(confidenceOf(rings)).toBe(0);
  });

  it('is found, less surely, when exchanges paid it in amounts that differ more', () => {
    const paid = (whole: number) => ({
      fundings: [aFunding('exchange', { slot: asSlot(4_000), lamports: sol(whole) })],
    });
    const found = (...amounts: readonly [number, number, number]) => {
      const [w1, w2, w3] = amounts.map(paid);
      const wallets = {
        exchange: { class: 'cex' as const },
        ...(w1 && w2 && w3 && { w1, w2, w3 }),
      };
      const mintCase = aCase({ trades: passes(), wallets });
      return washVolume.inspect(readingOf(mintCase, []))[0]?.confidence ?? 0;
    };
    const alike = found(1, 1.5, 2);
    const different = found(1, 2.01, 4.03);
    expect(different).toBeGreaterThanOrEqual(0.5);
    expect(alike).toBeGreaterThan(different);
  });
});

describe('a crew that payments connect', () => {
  it.each<[string, Draft]>([
    ['sells two per cent less than was bought', { soldPercent: 98 }],
    ['leaves a minute between purchase and sale', { apartSlots: 150 }],
    ['makes nine hand-overs alone', { passes: 9, sizeSol: 4 }],
  ])('is found although it %s', (_, draft) => {
    expect(confidenceOf(passes(draft), linked)).toBeGreaterThanOrEqual(0.5);
  });

  it.each<[string, Draft]>([
    // 30 purchases of 1 SOL and 30 sales of 0.985 are 59.55 SOL: a tenth of 595.5.
    ['makes less than a tenth of the volume', { others: 536.1 }],
    // 59.55 times the size, at 200 dollars: 0.083 SOL are 988.5 dollars.
    ['makes less than 1,000 dollars', { sizeSol: 0.083, others: 1 }],
  ])('is conceded when it %s', (_, draft) => {
    expect(confidenceOf(passes(draft), linked)).toBe(0);
  });
});

it('one wallet alone is conceded with nine rounds', () => {
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, round) => {
      const trade = { baseRaw: supplyShare(0.01), slot: 5_000 + 100 * round };
      return [
        aBuy('bot', { ...trade, lamports: sol(1) }),
        aSell('bot', { ...trade, txIndex: 1, lamports: sol(0.985) }),
      ];
    }).flat();
  expect(confidenceOf(rounds(9))).toBe(0);
  expect(confidenceOf(rounds(10))).toBeGreaterThanOrEqual(0.5);
});
