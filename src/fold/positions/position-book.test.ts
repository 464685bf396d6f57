import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { type Address, asLamports, asPriceE18, asUsdNano } from '../../model/units.ts';
import type { ClosedEpisode } from '../smart/episode.ts';
import { hasKnownCost } from './position.ts';
import { PositionBook } from './position-book.ts';
import type { PositionTransfer } from './position-event.ts';

const MINT = address('token-t');
const [A, B, C] = [address('A'), address('B'), address('C')];
const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const dollars = (amount: number) => asUsdNano(BigInt(Math.round(amount * 1e9)));
const AT_COST = {
  netCostLamports: asLamports(0n),
  isLaunchSlot: false,
  isCreator: false,
  entryCell: () => 0,
};

/** A book with short calls for one mint: raw amounts, dollars, seconds since the start. */
function scene(undo = new UndoLog()) {
  const book = new PositionBook(new AddressIds(undo), undo);
  const trade = (wallet: Address, raw: bigint, usd: number | null, atS: number) => ({
    ...AT_COST,
    mint: MINT,
    wallet,
    amountRaw: raw,
    valueUsd: usd === null ? null : dollars(usd),
    timeMs: START_MS + atS * 1_000,
  });
  return {
    book,
    buy: (wallet: Address, raw: bigint, usd: number | null, atS = 0, rest = {}) =>
      book.buy({ ...trade(wallet, raw, usd, atS), ...rest }),
    sell: (wallet: Address, raw: bigint, usd: number | null, atS = 0) =>
      book.sell(trade(wallet, raw, usd, atS)),
    move: (from: Address | null, to: Address | null, raw: bigint, received = raw, atS = 0) =>
      book.transfer(moved(from, to, raw, received, START_MS + atS * 1_000)),
    of: (wallet: Address) => {
      const position = book.get(MINT, wallet);
      if (position === null) throw new Error('there is no position');
      return position;
    },
  };
}

function moved(
  from: Address | null,
  to: Address | null,
  sentRaw: bigint,
  receivedRaw: bigint,
  timeMs: number | null,
): PositionTransfer {
  const sent = from === null ? 0n : sentRaw;
  return {
    mint: MINT,
    from,
    to,
    sentRaw: sent,
    receivedRaw: to === null ? 0n : receivedRaw,
    timeMs,
  };
}

describe('trades at average cost', () => {
  test('give the numbers of the example published by Codex', () => {
    const { buy, sell, of } = scene();
    buy(A, 10n, 10);
    sell(A, 4n, 8);
    expect(of(A)).toMatchObject({ realisedUsd: dollars(4), costUsd: dollars(6), heldRaw: 6n });
    buy(A, 10n, 20);
    expect(of(A)).toMatchObject({ costUsd: dollars(26), heldRaw: 16n });
    sell(A, 16n, 32);
    expect(of(A)).toMatchObject({
      realisedUsd: dollars(10),
      costUsd: 0n,
      heldRaw: 0n,
      buys: 2,
      sells: 2,
    });
    expect(of(A).grossCostUsd).toBe(dollars(30));
  });

  test('record the times of fixture F1: A held 70 seconds on average at its snapshot', () => {
    const { book, buy, sell, of } = scene();
    buy(A, 1_000_000n, 200, 10);
    sell(A, 500_000n, 200, 30);
    const { acquiredS, closedHold, closedRaw, heldRaw, realisedUsd } = of(A);
    expect(book.originMs(MINT)).toBe(START_MS + 10_000);
    // (500k · 20 s + 500k · (130 − 10) s) / 1M, the origin being at 10 s.
    const held = Number(heldRaw);
    expect((closedHold + held * (120 - acquiredS)) / (closedRaw + held)).toBe(70);
    expect(realisedUsd).toBe(dollars(100));
  });

  test('of unknown value add units of unknown cost, which make no profit', () => {
    const { buy, sell, of } = scene();
    buy(A, 10n, null);
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 10n, hasKnownBuy: false, costUsd: 0n });
    buy(A, 10n, 10);
    sell(A, 15n, 30);
    // Ten of the fifteen have a known cost: two thirds of the proceeds, 20 dollars, less 10.
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 5n, realisedUsd: dollars(10) });
    buy(A, 10n, 0);
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 15n, costUsd: 0n });
  });

  test('for an unknown value release cost and realise nothing', () => {
    const { buy, sell, of } = scene();
    buy(A, 10n, 10);
    sell(A, 5n, null);
    expect(of(A)).toMatchObject({ costUsd: dollars(5), realisedUsd: 0n, hasUnpricedSale: true });
  });

  test('beyond the known holdings never go below zero', () => {
    const { buy, sell, of } = scene();
    sell(A, 7n, 70);
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 0n, realisedUsd: 0n, sells: 1 });
    buy(A, 4n, 4);
    sell(A, 10n, 100);
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 0n, realisedUsd: dollars(36) });
  });

  test('beyond 64 bits are unknown, without an error', () => {
    const { book, buy, sell, of } = scene();
    const huge = { ...AT_COST, mint: MINT, wallet: A, timeMs: null };
    book.buy({ ...huge, amountRaw: 2n ** 64n - 1n, valueUsd: asUsdNano(2n ** 70n) });
    book.buy({ ...huge, amountRaw: 2n ** 64n - 1n, valueUsd: asUsdNano(2n ** 62n) });
    book.buy({ ...huge, amountRaw: 5n, valueUsd: dollars(1) });
    expect(of(A)).toMatchObject({ heldRaw: 2n ** 64n - 1n, unknownRaw: 2n ** 64n - 1n });
    sell(A, 2n ** 80n, null);
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 0n, costUsd: 0n });
    book.sell({ ...huge, amountRaw: 1n, valueUsd: asUsdNano(2n ** 70n) });
    buy(A, 1n, 1);
    book.sell({ ...huge, amountRaw: 1n, valueUsd: asUsdNano(2n ** 70n) });
    expect(of(A)).toMatchObject({ realisedUsd: 0n, hasUnpricedSale: true });
  });

  test('leave a position closed below a billionth of its maximum', () => {
    const { buy, sell, of } = scene();
    buy(A, 3_000_000_000n, 3);
    sell(A, 2_999_999_997n, 3);
    expect(of(A).isOpen).toBe(true);
    sell(A, 1n, 1);
    expect(of(A)).toMatchObject({ isOpen: false, heldRaw: 2n });
  });
});

describe('transfers', () => {
  test('move average cost and acquisition time, and realise nothing', () => {
    const { buy, move, sell, of } = scene();
    buy(A, 10n, 10, 0);
    buy(A, 10n, 30, 100);
    buy(B, 5n, 20, 100);
    move(A, B, 5n, 5n, 200);
    expect(of(A)).toMatchObject({
      heldRaw: 15n,
      costUsd: dollars(30),
      realisedUsd: 0n,
      acquiredS: 50,
    });
    // 5 at 100 s and 5 at A's 50 s.
    expect(of(B)).toMatchObject({
      heldRaw: 10n,
      costUsd: dollars(30),
      realisedUsd: 0n,
      acquiredS: 75,
    });
    sell(B, 10n, 40, 300);
    expect(of(B).realisedUsd).toBe(dollars(10));
  });

  test('move the whole cost when a fee is withheld', () => {
    const { buy, move, of } = scene();
    buy(A, 1_000n, 100);
    move(A, B, 1_000n, 995n);
    expect(of(A)).toMatchObject({ heldRaw: 0n, costUsd: 0n });
    expect(of(B)).toMatchObject({ heldRaw: 995n, costUsd: dollars(100), unknownRaw: 0n });
  });

  test('of units partly of unknown cost deliver known units in proportion after the fee', () => {
    const { buy, move, of } = scene();
    buy(A, 60n, 60);
    buy(A, 40n, null);
    move(A, B, 80n, 40n);
    // 60 of 80 had a known cost, so 30 of the 40 that arrived do; 20 without one are left.
    expect(of(A)).toMatchObject({ heldRaw: 0n, unknownRaw: 20n, costUsd: 0n });
    expect(of(B)).toMatchObject({ heldRaw: 30n, unknownRaw: 10n, costUsd: dollars(60) });
  });

  test('with a cost share below a nano-dollar deliver units of unknown cost', () => {
    const { book, buy, move, of } = scene();
    buy(A, 10n, 0.000_000_001);
    move(A, B, 9n);
    expect(of(A)).toMatchObject({ heldRaw: 1n, costUsd: 1n });
    expect(of(B)).toMatchObject({ heldRaw: 0n, unknownRaw: 9n, costUsd: 0n });
    expect(book.size).toBe(2);
  });

  test('from an unknown wallet deliver units of unknown cost', () => {
    const { move, of } = scene();
    move(null, A, 10n);
    move(C, A, 5n);
    expect(of(A)).toMatchObject({
      heldRaw: 0n,
      unknownRaw: 15n,
      costUsd: 0n,
      buys: 0,
      hasKnownBuy: false,
    });
  });

  test('without a receiving wallet take their share of the cost away', () => {
    const { buy, move, of } = scene();
    buy(A, 10n, 10);
    move(A, null, 4n);
    expect(of(A)).toMatchObject({ heldRaw: 6n, costUsd: dollars(6), realisedUsd: 0n });
  });

  test('of a wallet to itself change only the units by the fee, not the cost', () => {
    const { buy, move, of } = scene();
    buy(A, 1_000n, 100);
    const before = of(A);
    move(A, A, 1_000n);
    expect(of(A)).toEqual(before);
    move(A, A, 1_000n, 995n);
    expect(of(A)).toEqual({ ...before, heldRaw: 995n });
    move(A, A, 995n, 0n);
    expect(of(A)).toMatchObject({ heldRaw: 0n, costUsd: 0n });
  });
});

describe('episodes', () => {
  const closedOf = (book: PositionBook) => book.takeClosed();

  test('end when all but a hundredth is sold, with cost and proceeds', () => {
    const { book, buy, sell } = scene();
    buy(A, 500n, 50, 0, { isLaunchSlot: true, entryCell: () => 12 });
    buy(A, 500n, 50, 5, { entryCell: () => 13 });
    sell(A, 980n, 150, 10);
    expect(closedOf(book)).toEqual([]);
    sell(A, 10n, 3, 20);
    expect(closedOf(book)).toEqual([
      {
        wallet: A,
        mint: MINT,
        costUsd: dollars(99),
        proceedsUsd: dollars(153),
        markUsd: 0n,
        boughtRaw: 1_000n,
        transferredRaw: 0n,
        startMs: START_MS,
        entryCell: 12,
        closedMs: START_MS + 20_000,
        isForced: false,
        isLaunchSlotBuy: true,
        isCreator: false,
      },
    ]);
    expect(closedOf(book)).toEqual([]);
    // The next one begins with the remaining hundredth, at its cost.
    buy(A, 90n, 9, 30, { isCreator: true, entryCell: () => 3 });
    sell(A, 100n, 5, 40);
    expect(closedOf(book)).toMatchObject([
      {
        ...{ costUsd: dollars(10), proceedsUsd: dollars(5) },
        ...{ isLaunchSlotBuy: false, isCreator: true, entryCell: 3 },
      },
    ]);
  });

  test('make neither profit nor loss by moving tokens to another wallet', () => {
    const { book, buy, sell, move } = scene();
    buy(A, 100n, 100);
    move(A, B, 100n);
    expect(closedOf(book)).toEqual([]);
    buy(B, 300n, 100);
    sell(B, 400n, 400);
    expect(closedOf(book)).toMatchObject([
      {
        wallet: B,
        costUsd: dollars(200),
        proceedsUsd: dollars(400),
        boughtRaw: 300n,
        transferredRaw: 100n,
      },
    ]);
  });

  const mark = (usd: number, lastTradeS: number) => () => ({
    priceUsd: asPriceE18(BigInt(Math.round(usd * 1e9)) * 10n ** 9n),
    decimals: 0,
    lastTradeMs: START_MS + lastTradeS * 1_000,
  });
  const closedAfter = (days: number, markOf: ReturnType<typeof mark> | (() => null)) => {
    const { book, buy } = scene();
    buy(A, 100n, 100);
    for (let day = 0; day <= days; day++) book.closeStale(START_MS + day * DAY_MS, markOf);
    return closedOf(book);
  };

  test('are closed at market value seven to eight days after the last trade, if lost', () => {
    const ruined = mark(0.09, 1e9);
    expect(closedAfter(7, ruined)).toEqual([]);
    expect(closedAfter(8, ruined)).toMatchObject([
      { costUsd: dollars(100), proceedsUsd: 0n, markUsd: dollars(9), isForced: true },
    ]);
    const dead = mark(3, 0);
    expect(closedAfter(8, dead)).toMatchObject([{ markUsd: dollars(300), isForced: true }]);
    const alive = mark(0.1, 1e9);
    expect(closedAfter(30, alive)).toEqual([]);
    expect(closedAfter(30, () => null)).toEqual([]);
  });

  test('are postponed by a trade; after a forced end the next one begins at market value', () => {
    const { book, buy, sell } = scene();
    buy(A, 100n, 100);
    buy(A, 100n, 100, 5 * 86_400);
    const dead = mark(0.2, 0);
    for (let day = 0; day <= 12; day++) book.closeStale(START_MS + day * DAY_MS, dead);
    expect(closedOf(book)).toEqual([]);
    book.closeStale(START_MS + 13 * DAY_MS, dead);
    expect(closedOf(book)).toMatchObject([{ costUsd: dollars(200), markUsd: dollars(40) }]);
    sell(A, 100n, 10, 14 * 86_400);
    buy(A, 100n, 30, 14 * 86_400);
    sell(A, 200n, 100, 14 * 86_400);
    // Half of the 40 dollars was sold between the two episodes.
    expect(closedOf(book)).toMatchObject([{ costUsd: dollars(50), proceedsUsd: dollars(100) }]);
  });

  test('are checked up to the limit per call, and eventually all', () => {
    const { book, buy } = scene();
    const wallets = Array.from({ length: 100 }, (_, index) => named(`wallet ${index}`));
    for (const wallet of wallets) buy(wallet, 100n, 100);
    const closed: ClosedEpisode[] = [];
    for (let call = 0; call < 15; call++) {
      book.closeStale(START_MS + 8 * DAY_MS + call, mark(0.01, 0), 7);
      const now = closedOf(book);
      expect(now.length).toBeLessThanOrEqual(7);
      closed.push(...now);
    }
    expect(closed.map(({ wallet }) => wallet)).toEqual(wallets);
  });
});

/** Units of 10^-40 dollars and tokens, so rounding never affects a nano-dollar. */
const FINE = 10n ** 40n;

/** A purchase that is still held in part, in fine units; a sale takes the same share of each. */
interface Lot {
  raw: bigint;
  usd: bigint;
  readonly atS: number;
}

/** The reference: the ledger as a list of lots, without stored sums. */
class Oracle {
  readonly wallets = new Map<Address, { lots: Lot[]; unknown: bigint; realised: bigint }>();

  of(wallet: Address) {
    const known = this.wallets.get(wallet) ?? { lots: [], unknown: 0n, realised: 0n };
    this.wallets.set(wallet, known);
    return known;
  }

  held(wallet: Address): bigint {
    const fine = this.of(wallet).lots.reduce((sum, { raw }) => sum + raw, 0n);
    return (fine + FINE / 2n) / FINE;
  }

  cost(wallet: Address): bigint {
    return this.of(wallet).lots.reduce((sum, { usd }) => sum + usd, 0n);
  }

  buy(wallet: Address, raw: bigint, usd: bigint | null, atS: number): void {
    if (usd === null) this.of(wallet).unknown += raw;
    else this.of(wallet).lots.push({ raw: raw * FINE, usd: usd * FINE, atS });
  }

  sell(wallet: Address, raw: bigint, usd: bigint | null): void {
    const sold = this.cut(wallet, raw);
    const cost = sold.lots.reduce((sum, lot) => sum + lot.usd, 0n);
    if (usd !== null) this.of(wallet).realised += (usd * FINE * sold.known) / raw - cost;
  }

  move(from: Address, to: Address | null, raw: bigint, received: bigint): void {
    const cut = this.cut(from, raw);
    if (to === null) return;
    const known = (received * cut.known + raw - 1n) / raw;
    const target = this.of(to);
    for (const lot of cut.lots) {
      target.lots.push({ ...lot, raw: (lot.raw * known) / cut.known });
    }
    target.unknown += received - known;
  }

  private cut(wallet: Address, raw: bigint): { known: bigint; lots: Lot[] } {
    const held = this.held(wallet);
    const state = this.of(wallet);
    const known = raw < held ? raw : held;
    const lots = state.lots.map((lot) => ({
      ...lot,
      raw: (lot.raw * known) / held,
      usd: (lot.usd * known) / held,
    }));
    for (const [index, lot] of state.lots.entries()) {
      lot.raw -= lots[index]?.raw ?? 0n;
      lot.usd -= lots[index]?.usd ?? 0n;
    }
    if (known === held) state.lots = [];
    const rest = raw - known;
    state.unknown = state.unknown > rest ? state.unknown - rest : 0n;
    return { known, lots };
  }
}

type Step = (stage: ReturnType<typeof scene>, oracle: Oracle, atS: number) => void;

const wallet = fc.constantFrom(A, B, C);
const raw = fc.oneof(fc.bigInt({ min: 1n, max: 30n }), fc.bigInt({ min: 1n, max: 10n ** 15n }));
/** At least one nano-dollar per unit, because lots do not model cost shares below that. */
const usdNano = fc.option(fc.bigInt({ min: 10n ** 15n, max: 10n ** 17n }));
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wallet, raw, usdNano).map(
    ([owner, amount, usd]): Step =>
      ({ book }, oracle, atS) => {
        book.buy({ ...AT_COST, ...trade(owner, amount, usd, atS) });
        oracle.buy(owner, amount, usd, atS);
      },
  ),
  fc.tuple(wallet, raw, usdNano, fc.boolean()).map(
    ([owner, amount, usd, isAll]): Step =>
      ({ book }, oracle, atS) => {
        const held = oracle.held(owner) + oracle.of(owner).unknown;
        const sold = isAll && held > 0n ? held : amount;
        book.sell({ ...AT_COST, ...trade(owner, sold, usd, atS) });
        oracle.sell(owner, sold, usd);
      },
  ),
  fc.tuple(wallet, fc.option(wallet), raw, fc.bigInt({ min: 1n, max: 10n })).map(
    ([from, to, amount, tenths]): Step =>
      ({ book }, oracle, atS) => {
        if (from === to || book.get(MINT, from) === null) return;
        const received = (amount * tenths + 9n) / 10n;
        book.transfer(moved(from, to, amount, received, START_MS + atS * 1_000));
        oracle.move(from, to, amount, received);
      },
  ),
);

function trade(owner: Address, amountRaw: bigint, usd: bigint | null, atS: number) {
  const valueUsd = usd === null ? null : asUsdNano(usd);
  return { mint: MINT, wallet: owner, amountRaw, valueUsd, timeMs: START_MS + atS * 1_000 };
}

function near(one: bigint, other: bigint, error: bigint): boolean {
  return one - other <= error && other - one <= error;
}

function expectAsOracle(book: PositionBook, oracle: Oracle, count: number): void {
  const error = BigInt(4 * count);
  for (const [owner, state] of oracle.wallets) {
    const position = book.get(MINT, owner);
    if (position === null) continue;
    expect(position.heldRaw).toBe(oracle.held(owner));
    expect(position.unknownRaw).toBe(state.unknown);
    expect(near(position.costUsd, oracle.cost(owner) / FINE, error)).toBe(true);
    expect(near(position.realisedUsd, state.realised / FINE, error)).toBe(true);
    expect(position.costUsd === 0n).toBe(position.heldRaw === 0n);
    const weights = state.lots.map(({ raw: lotRaw }) => Number(lotRaw / 10n ** 20n));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = state.lots.reduce((sum, { atS }, index) => sum + atS * (weights[index] ?? 0), 0);
    const originS = ((book.originMs(MINT) ?? START_MS) - START_MS) / 1_000;
    if (total > 0) expect(position.acquiredS).toBeCloseTo(mean / total - originS, 6);
  }
}

type KnownStep = readonly [kind: number, owner: Address, to: Address, raw: bigint, usd: bigint];

/** Buys, or sells or moves held units. Returns the net cost for the wallets. */
function spentBy(book: PositionBook, [kind, owner, to, amount, usd]: KnownStep): bigint {
  const held = book.get(MINT, owner)?.heldRaw ?? 0n;
  const part = amount < held ? amount : held;
  if (kind === 0) book.buy({ ...AT_COST, ...trade(owner, amount, usd, 0) });
  if (kind === 0) return usd;
  if (part === 0n) return 0n;
  if (kind === 1) book.sell({ ...AT_COST, ...trade(owner, part, usd, 0) });
  else book.transfer(moved(owner, to, part, part - part / 3n, null));
  return kind === 1 ? -usd : 0n;
}

describe('any trades and transfers', () => {
  test('equal a list of lots, for 1,000 random lists', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 40 }), (list) => {
        const [stage, oracle] = [scene(), new Oracle()];
        for (const [atS, step] of list.entries()) step(stage, oracle, atS);
        expectAsOracle(stage.book, oracle, list.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('conserve money: results less held costs are sales less purchases, exactly', () => {
    const step = fc.tuple(fc.nat(2), wallet, wallet, raw, fc.bigInt({ min: 1n, max: 10n ** 17n }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (list) => {
        const { book } = scene();
        let spent = 0n;
        for (const each of list) spent += spentBy(book, each);
        const positions = [...book.ofMint(MINT)];
        const net = positions.reduce((sum, each) => sum + each.realisedUsd - each.costUsd, 0n);
        expect(net).toBe(-spent);
      }),
      { numRuns: 500 },
    );
  });

  test('that are undone restore every byte, and give the same when applied again', () => {
    fc.assert(
      fc.property(fc.array(steps), fc.array(steps, { minLength: 1 }), (before, undone) => {
        const undo = new UndoLog(1);
        const [stage, oracle] = [scene(undo), new Oracle()];
        for (const [atS, step] of before.entries()) step(stage, oracle, atS);
        stage.book.closeStale(START_MS + 8 * DAY_MS, () => null);
        const image = stateImage(stage.book);
        const run = () => {
          undo.open();
          for (const [atS, step] of undone.entries()) step(stage, copyOf(oracle), 100 + atS);
          stage.book.closeStale(START_MS + 30 * DAY_MS, () => ({
            priceUsd: asPriceE18(1n),
            decimals: 6,
            lastTradeMs: START_MS,
          }));
          const taken = [stage.book.takeClosed(), stage.book.takeChanged()];
          undo.close();
          return [
            sumsOf(undo.pages),
            JSON.stringify(taken, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
          ];
        };
        const once = run();
        undo.undo();
        expect(firstDifference(image, stateImage(stage.book))).toBeNull();
        expect(run()).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});

/** A trade or a transfer of at most what the wallet holds, after some seconds. */
const anyMove = fc.record({
  kind: fc.constantFrom('buy', 'buy', 'sell', 'move'),
  owner: wallet,
  to: wallet,
  amountRaw: raw,
  usd: usdNano,
  afterS: fc.constantFrom(0, 1, 3_600, 9 * 86_400),
});
type Move = typeof anyMove extends fc.Arbitrary<infer Value> ? Value : never;

interface At {
  readonly atS: number;
}

function applyMove(book: PositionBook, { kind, owner, to, amountRaw, usd, atS }: Move & At): void {
  const held = book.get(MINT, owner)?.heldRaw ?? 0n;
  const part = amountRaw < held ? amountRaw : held;
  if (kind === 'buy') book.buy({ ...AT_COST, ...trade(owner, amountRaw, usd, atS) });
  else if (kind === 'sell') book.sell({ ...AT_COST, ...trade(owner, part, usd, atS) });
  else book.transfer(moved(owner, to, part, part - part / 3n, START_MS + atS * 1_000));
}

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const mark = () => ({ priceUsd: asPriceE18(1n), decimals: 6, lastTradeMs: START_MS });
  const kind = {
    create: (_: unknown, undo: UndoLog) => scene(undo).book,
    apply: (book: PositionBook, moves: readonly (Move & At)[]) => {
      for (const move of moves) {
        applyMove(book, move);
        book.closeStale(START_MS + move.atS * 1_000, mark);
      }
      return [book.takeClosed(), book.takeChanged()];
    },
    answers: (book: PositionBook) => [
      ...[book.size, book.originMs(MINT), [...book.ofMint(MINT)]],
      ...[A, B, C].map((owner) => [book.get(MINT, owner), [...book.ofWallet(owner)]]),
    ],
  };
  const anySlot = fc.tuple(fc.array(anyMove, { maxLength: 5 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(anySlot, { maxLength: 15 }), fc.nat({ max: 15 }), (story, restoredAt) => {
      let atS = 0;
      const slots = story.map(([moves, isUndone]) => ({
        slot: moves.map((move) => {
          atS += move.afterS;
          return { ...move, atS };
        }),
        reverted: Number(isUndone),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 25 },
  );
});

function copyOf(oracle: Oracle): Oracle {
  const copy = new Oracle();
  for (const [owner, state] of oracle.wallets) copy.wallets.set(owner, structuredClone(state));
  return copy;
}

describe('reading', () => {
  test('gives all positions of a wallet and of a mint, and the changed ones in order', () => {
    const { book, buy, move } = scene();
    const other = address('other');
    buy(A, 1n, 1);
    buy(B, 1n, 1);
    book.buy({ ...AT_COST, ...trade(A, 1n, 10n ** 9n, 0), mint: other });
    buy(A, 1n, 1);
    expect([...book.ofWallet(A)].map(({ mint }) => mint)).toEqual([other, MINT]);
    expect([...book.ofMint(MINT)].map(({ wallet: owner }) => owner)).toEqual([B, A]);
    expect([...book.ofWallet(C)]).toEqual([]);
    expect([...book.ofMint(C)]).toEqual([]);
    const key = (mint: Address, owner: Address) => ({ mint, wallet: owner });
    expect(book.takeChanged()).toMatchObject([key(MINT, A), key(MINT, B), key(other, A)]);
    expect(book.takeChanged()).toEqual([]);
    move(A, C, 1n);
    const changed = book.takeChanged();
    expect(changed).toMatchObject([key(MINT, A), key(MINT, C)]);
    for (const position of changed) {
      expect(book.get(position.mint, position.wallet)).toMatchObject(position);
    }
  });
});

describe('a known cost', () => {
  test('is that of a position which bought at one, or received units with one', () => {
    const { buy, sell, move, of } = scene();
    buy(A, 100n, 10);
    move(A, B, 40n);
    expect(hasKnownCost(of(B))).toBe(true);
    // Also when nothing is left.
    sell(A, 60n, 12);
    sell(B, 40n, 2);
    expect([hasKnownCost(of(A)), hasKnownCost(of(B))]).toEqual([true, true]);
    expect(of(B).realisedUsd).toBe(dollars(-2));
  });

  test('is none of units from an unknown owner or at an unknown price, held or sold', () => {
    const { buy, sell, move, of } = scene();
    move(null, A, 100n);
    buy(B, 100n, null);
    expect([hasKnownCost(of(A)), hasKnownCost(of(B))]).toEqual([false, false]);
    sell(A, 100n, 50);
    expect(hasKnownCost(of(A))).toBe(false);
    // From the first purchase of known cost on, its profit is known.
    buy(A, 10n, 5);
    expect(hasKnownCost(of(A))).toBe(true);
  });

  test('is the same in what ranks the traders of a mint', () => {
    const { book, buy, sell, move, of } = scene();
    move(null, A, 100n);
    sell(A, 50n, 5);
    buy(B, 10n, 1);
    for (const profit of book.profitsOfMint(MINT)) {
      const { wallet } = book.at(profit.row);
      expect(profit.hasKnownCost).toBe(hasKnownCost(of(wallet)));
      expect(profit.hasKnownCost).toBe(wallet === B);
    }
  });
});
