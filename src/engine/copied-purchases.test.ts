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

function mintAt(place: number) {
  const mint = address(`copied ${place}`);
  return { baseMint: mint, pool: address(`copied pool ${place}`) };
}

/** A mint with all of it in a pool beside 500 SOL. */
function launch(place: number): TransactionFacts {
  const { baseMint, pool } = mintAt(place);
  return transactionFacts({
    txIndex: place,
    signers: [person('creator')],
    events: [
      mintCreated(baseMint),
      supplyChange('mintTo', baseMint, SUPPLY, 1),
      poolCreated(SUPPLY, 500n * SOL, { baseMint, pool, creator: person('creator') }),
    ],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY, { mint: baseMint })],
  });
}

/** Five SOL become ten, which are $1,000 and $2,000; balances as the wallet alone would have them. */
function trade(place: number, trader: typeof leader, side: 'buy' | 'sell'): TransactionFacts {
  const { baseMint, pool } = mintAt(place);
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
 * In mint after mint, hours apart, the leader buys and the follower so many slots later, then they
 * sell the same way.
 */
function story(lagSlots: number): SlotFacts[] {
  const at = (slot: number, ...transactions: TransactionFacts[]) =>
    slotFacts(slot, START_MS + (slot - FIRST_SLOT) * 400, transactions);
  const places = Array.from({ length: MINTS }, (_, place) => place);
  const moves = places.flatMap((place) => {
    const buySlot = 10_000 * (place + 1) + 137 * place * place;
    const sellSlot = buySlot + 200 + 31 * place;
    return [
      at(buySlot, trade(place, leader, 'buy')),
      at(buySlot + lagSlots, trade(place, follower, 'buy')),
      at(sellSlot, trade(place, leader, 'sell')),
      at(sellSlot + lagSlots, trade(place, follower, 'sell')),
    ];
  });
  return [at(FIRST_SLOT, ...places.map(launch)), ...moves];
}

describe('of two wallets that double $1,000 sixteen times each', () => {
  const fold = (lagSlots: number) => {
    const engine = new Engine({ fallbackSolUsd });
    const naive = new NaiveWallets();
    for (const facts of story(lagSlots)) foldBoth(engine, naive, facts);
    return { engine, differences: walletDifferences(engine, naive) };
  };

  test('the one that buys two slots behind the other has three episodes that count', () => {
    const { engine, differences } = fold(2);
    expect(engine.wallet(leader)?.skill).toMatchObject({ isSmart: true, excludedEpisodes: 0 });
    expect(engine.wallet(follower)?.skill).toMatchObject({ isSmart: false, excludedEpisodes: 13 });
    expect(engine.wallet(follower)?.skill?.episodes).toBeCloseTo(3, 1);
    expect(differences).toEqual([]);
  });

  test('both are smart when it comes six slots later, by its own judgement for all that is seen', () => {
    const { engine, differences } = fold(6);
    for (const wallet of [leader, follower]) {
      expect(engine.wallet(wallet)?.skill).toMatchObject({ isSmart: true, excludedEpisodes: 0 });
    }
    expect(differences).toEqual([]);
  });

  test('slots that are taken back leave nothing of whom a wallet follows', () => {
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
