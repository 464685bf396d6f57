import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fallbackSolUsd, SOL, START_MS, SUPPLY } from '../../tests/support/master-fixture.ts';
import { NaiveWallets } from '../../tests/support/naive-wallets.ts';
import { foldBoth, walletDifferences } from '../../tests/support/wallet-differences.ts';
import { person } from '../../tests/support/wallet-story.ts';
import type { SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import { Engine } from './engine.ts';

const MINTS = 16;
const FIRST_SLOT = 1_000;
const BASE_RAW = 1_000_000_000n;
const leader = person('leader');
const follower = person('follower');

function mintAt(index: number) {
  const mint = address(`copied ${index}`);
  return { baseMint: mint, pool: address(`copied pool ${index}`) };
}

/** A mint whose whole supply is in a pool with 500 SOL. */
function launch(index: number): TransactionFacts {
  const { baseMint, pool } = mintAt(index);
  return transactionFacts({
    txIndex: index,
    signers: [person('creator')],
    events: [
      mintCreated(baseMint),
      supplyChange('mintTo', baseMint, SUPPLY, 1),
      poolCreated(SUPPLY, 500n * SOL, { baseMint, pool, creator: person('creator') }),
    ],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY, { mint: baseMint })],
  });
}

/**
 * Five SOL become ten: $1,000 and $2,000. Balances are those of the wallet alone.
 */
function trade(index: number, trader: typeof leader, side: 'buy' | 'sell'): TransactionFacts {
  const { baseMint, pool } = mintAt(index);
  const quoteRaw = (side === 'buy' ? 5n : 10n) * SOL;
  const [before, after] = side === 'buy' ? [0n, BASE_RAW] : [BASE_RAW, 0n];
  return transactionFacts({
    txIndex: 0,
    signers: [trader],
    events: [swapEvent({ trader, side, baseRaw: BASE_RAW, quoteRaw }, { baseMint, pool })],
    tokenBalances: [
      balanceChange(trader, before, after, { mint: baseMint }),
      balanceChange(pool, SUPPLY - before, SUPPLY - after, { mint: baseMint }),
    ],
  });
}

/**
 * In each of several mints, hours apart, the leader buys, the follower buys some slots later, and
 * both sell in the same order.
 */
function story(lagSlots: number): SlotFacts[] {
  const at = (slot: number, ...transactions: TransactionFacts[]) =>
    slotFacts(slot, START_MS + (slot - FIRST_SLOT) * 400, transactions);
  const indexes = Array.from({ length: MINTS }, (_, index) => index);
  const moves = indexes.flatMap((index) => {
    const buySlot = 10_000 * (index + 1) + 137 * index * index;
    const sellSlot = buySlot + 200 + 31 * index;
    return [
      at(buySlot, trade(index, leader, 'buy')),
      at(buySlot + lagSlots, trade(index, follower, 'buy')),
      at(sellSlot, trade(index, leader, 'sell')),
      at(sellSlot + lagSlots, trade(index, follower, 'sell')),
    ];
  });
  return [at(FIRST_SLOT, ...indexes.map(launch)), ...moves];
}

describe('of two wallets that each double $1,000 sixteen times', () => {
  const fold = (lagSlots: number) => {
    const engine = new Engine({ fallbackSolUsd });
    const naive = new NaiveWallets();
    for (const facts of story(lagSlots)) foldBoth(engine, naive, facts);
    return { engine, differences: walletDifferences(engine, naive) };
  };

  test('a follower that buys two slots later has three counted episodes', () => {
    const { engine, differences } = fold(2);
    expect(engine.wallet(leader)?.skill).toMatchObject({ isSmart: true, excludedEpisodes: 0 });
    expect(engine.wallet(follower)?.skill).toMatchObject({ isSmart: false, excludedEpisodes: 13 });
    expect(engine.wallet(follower)?.skill?.episodes).toBeCloseTo(3, 1);
    expect(differences).toEqual([]);
  });

  test('both are smart when the follower buys six slots later', () => {
    const { engine, differences } = fold(6);
    for (const wallet of [leader, follower]) {
      expect(engine.wallet(wallet)?.skill).toMatchObject({ isSmart: true, excludedEpisodes: 0 });
    }
    expect(differences).toEqual([]);
  });

  test('undone slots leave no trace in the followed wallets', () => {
    const slots = story(2);
    const engine = new Engine({ fallbackSolUsd });
    const kept = slots.length - 20;
    for (const facts of slots.slice(0, kept)) engine.apply(facts);
    const before = engine.digest();
    for (const facts of slots.slice(kept)) engine.apply(facts, { isFinal: false });
    const after = engine.digest();
    for (let count = kept; count < slots.length; count++) engine.undo();
    expect(engine.digest()).toBe(before);
    for (const facts of slots.slice(kept)) engine.apply(facts, { isFinal: false });
    expect(engine.digest()).toBe(after);
  });
});
