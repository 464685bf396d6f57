import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { PoolWalletBook } from './pool-wallet-book.ts';
import type { PositionView } from './position-view.ts';

const POOL = { pool: address('pool'), baseDecimals: 6 };

/** Numbers of a linear congruential generator, the same on each run. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The state of one wallet of the crowd. */
interface Member {
  volumeUsd: bigint;
  isBot: boolean;
  position: PositionView | null;
}

/** Wallets with random trades and positions, applied to a book and kept in a list. */
class Crowd {
  readonly book: PoolWalletBook;
  readonly members = new Map<number, Member>();
  private readonly draw: (below: number) => number;
  private readonly size: number;
  private slot = 0;

  constructor(size: number, undo = new UndoLog()) {
    this.size = size;
    this.draw = createDraw(size);
    this.book = new PoolWalletBook(new AddressIds(undo), undo);
  }

  steps(count: number): this {
    for (let event = 0; event < count; event++) this.step();
    return this;
  }

  step(): void {
    const id = this.draw(this.size);
    const action = this.draw(10);
    if (action < 4 || !this.members.has(id)) this.trade(id);
    else if (action < 9) this.move(id);
    else this.flip(id);
  }

  /** The reference: evaluates every wallet by the definition. */
  expected(priceE18: bigint): { organicWallets: number; volumeUsd: bigint } {
    const ahead = [...this.members.values()].filter(({ position }) => isAhead(position, priceE18));
    const organic = ahead.filter(({ isBot, volumeUsd }) => !isBot && volumeUsd >= 10n ** 9n);
    return {
      organicWallets: organic.length,
      volumeUsd: ahead.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0n),
    };
  }

  found(priceE18: bigint) {
    return this.book.profits(POOL.pool, asPriceE18(priceE18));
  }

  /** The exact break-even price of a wallet, one step above or below; or any price. */
  price(): bigint {
    const position = [...this.members.values()][this.draw(this.members.size)]?.position;
    if (position == null || position.heldRaw === 0n || this.draw(3) === 0)
      return BigInt(this.draw(1e9)) * 10n ** 9n;
    const need = position.costUsd - position.realisedUsd + tolerance(position);
    if (need <= 0n) return 1n;
    return (need * 10n ** 15n) / position.heldRaw + BigInt(this.draw(3) - 1);
  }

  private trade(id: number): void {
    const member = this.members.get(id) ?? { volumeUsd: 0n, isBot: false, position: null };
    const volumeUsd = BigInt(this.draw(3_000)) * 10n ** 6n;
    member.volumeUsd += volumeUsd;
    this.members.set(id, member);
    this.slot++;
    this.book.applyTrade(POOL, address(`w${id}`), {
      slot: asSlot(this.slot),
      txIndex: 0,
      timeMs: this.slot * 1_000,
      volumeUsd: asUsdNano(volumeUsd),
      isHop: false,
      isVolumeAtomic: false,
      isBot: member.isBot,
    });
  }

  private move(id: number): void {
    const member = this.members.get(id);
    if (member === undefined) return;
    member.position = this.drawPosition();
    this.book.positionChanged(POOL.pool, address(`w${id}`), member.position);
  }

  private flip(id: number): void {
    const member = this.members.get(id);
    if (member === undefined) return;
    member.isBot = !member.isBot;
    this.book.setWalletClass(address(`w${id}`), member.isBot);
  }

  private drawPosition(): PositionView {
    const isOpen = this.draw(4) > 0;
    // Few distinct costs and amounts, so many wallets have nearly the same break-even price.
    const costUsd = BigInt(1 + this.draw(20)) * 10n ** 9n;
    return {
      hasKnownBuy: this.draw(12) > 0,
      isOpen,
      heldRaw: asRawAmount(isOpen ? BigInt(1 + this.draw(50)) * 10n ** 9n : 0n),
      costUsd: asUsdNano(isOpen ? costUsd : 0n),
      realisedUsd: asUsdNano(BigInt(this.draw(5_000) - 2_000) * 10n ** 6n),
      grossCostUsd: asUsdNano(costUsd * BigInt(1 + this.draw(30))),
      acquiredS: 0,
      closedHold: 0,
      closedRaw: 0,
    };
  }
}

function tolerance({ grossCostUsd }: PositionView): bigint {
  return grossCostUsd > 10n ** 10n ? grossCostUsd / 1_000n : 10n ** 7n;
}

/** The result in nano-dollars times 10^15, six decimals of the token and nine of the price. */
function isAhead(position: PositionView | null, priceE18: bigint): boolean {
  if (position === null || !position.hasKnownBuy) return false;
  const result = position.realisedUsd - position.costUsd - tolerance(position);
  return result * 10n ** 15n + position.heldRaw * priceE18 > 0n;
}

describe('profits of a pool', () => {
  test.each([
    ['400 wallets, in a list', 400],
    ['1,500 wallets, in a tree', 1_500],
  ])('equal those of every wallet asked by itself, over 20,000 events: %s', (_, size) => {
    const crowd = new Crowd(size);
    for (let event = 1; event <= 20_000; event++) {
      crowd.step();
      if (event % 100 !== 0) continue;
      const price = crowd.price();
      expect(crowd.found(price)).toEqual(crowd.expected(price));
    }
    expect(crowd.book.traderCount).toBe(size);
  });

  test('never decrease when the price rises', () => {
    const crowd = new Crowd(1_500);
    crowd.steps(10_000);
    let last = { organicWallets: 0, volumeUsd: 0n };
    for (let price = 1n; price < 10n ** 20n; price = (price * 21n) / 20n + 1n) {
      const sums = crowd.found(price);
      if (sums === null) throw new Error('the price is known');
      expect(sums.organicWallets).toBeGreaterThanOrEqual(last.organicWallets);
      expect(sums.volumeUsd).toBeGreaterThanOrEqual(last.volumeUsd);
      last = sums;
    }
    expect(last.organicWallets).toBeGreaterThan(0);
  });

  test('are restored when changes are undone, whenever the tree was built', () => {
    const undo = new UndoLog(60);
    const crowd = new Crowd(1_500, undo).steps(20_000);
    const prices = [10n ** 15n, 10n ** 16n, 5n * 10n ** 16n, 10n ** 17n, 3n * 10n ** 17n];
    const read = () => prices.map((price) => crowd.found(price));
    const before: ReturnType<typeof read>[] = [];
    for (let slot = 0; slot < 60; slot++) {
      // The first reading, which builds the tree, comes after 20 slots that can be undone.
      if (slot >= 20) before.push(read());
      undo.open();
      crowd.steps(50);
      undo.close();
    }
    for (const sums of before.reverse()) {
      undo.undo();
      expect(read()).toEqual(sums);
    }
    for (let slot = 0; slot < 20; slot++) undo.undo();
    const other = new UndoLog();
    const alone = new Crowd(1_500, other).steps(20_000);
    expect(sumsOf(undo.pages)).toEqual(sumsOf(other.pages));
    expect(read()).toEqual(prices.map((price) => alone.expected(price)));
  });

  test.each([
    ['with a tree from before the slot', 1_500, true],
    ['with a tree that is built by the reading, or none', 1_500, false],
    ['while it gets its first tree', 520, false],
  ])(
    'are those before a slot while it is applied, and then those of now, %s',
    (_, size, isRead) => {
      const undo = new UndoLog(1);
      const crowd = new Crowd(size, undo).steps(size === 520 ? 560 : 20_000);
      const prices = Array.from({ length: 40 }, () => crowd.price());
      const all = () => prices.map((price) => crowd.found(price));
      const before = prices.map((price) => crowd.expected(price));
      if (isRead) expect(all()).toEqual(before);
      undo.open();
      for (let part = 0; part < 12; part++) {
        crowd.steps(size === 520 ? 300 : 40);
        expect(undo.asOfOpening(all)).toEqual(before);
        // Not always: a tree may have to last until the next change.
        if (part % 3 === 0) expect(all()).toEqual(prices.map((price) => crowd.expected(price)));
      }
      undo.close();
      expect(all()).toEqual(prices.map((price) => crowd.expected(price)));
      undo.undo();
      expect(all()).toEqual(before);
    },
  );
});
