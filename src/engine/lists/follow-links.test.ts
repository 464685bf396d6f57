import { describe, expect, test } from 'vitest';
import { swapEvent, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { fold, SOL, second } from '../../../tests/support/master-fixture.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';

const [leader, follower] = [address('leader'), address('follower')];

/** A purchase of 1,000 tokens of a mint. */
const buy = (who: string, mint: string, at: string) =>
  transactionFacts({
    txIndex: 0,
    signature: signature(`${who} ${at}`),
    signers: [address(who)],
    events: [
      swapEvent(
        { trader: address(who), side: 'buy', baseRaw: 1_000_000_000n, quoteRaw: SOL },
        { baseMint: address(mint), pool: address(`pool of ${mint}`) },
      ),
    ],
  });

/** Mints of which the follower buys so many slots after the leader, ten seconds apart. */
function followed(delays: readonly number[]): SlotFacts[] {
  return delays.flatMap((delay, at) => [
    second(at * 10, buy('leader', `mint ${at}`, `${at}`)),
    second(at * 10 + delay, buy('follower', `mint ${at}`, `${at}`)),
    // A second purchase of the mint is not the one that follows.
    second(at * 10 + delay + 1, buy('follower', `mint ${at}`, `${at} again`)),
  ]);
}

const followsOf = (slots: readonly SlotFacts[]) =>
  fold([...slots])
    .engine.walletReads.recordedLinks(follower)
    .filter(({ kind }) => kind === 'follows');

describe('the link to a followed wallet', () => {
  test('has the first purchases of each token, that of the other wallet before its own', () => {
    const [link, ...others] = followsOf(followed([2, 5, 1]));
    expect(others).toEqual([]);
    expect([link?.wallet, link?.strength]).toEqual([leader, 3 / 6]);
    const bought = (who: string, at: number, slot: number) => ({
      ...{ slot, signature: signature(`${who} ${at}`), lamports: null },
      ...{ mint: address(`mint ${at}`), amountRaw: 1_000_000_000n, decimals: 6 },
    });
    expect(link?.transactions).toEqual([
      ...[bought('leader', 0, 1_000), bought('follower', 0, 1_002)],
      ...[bought('leader', 1, 1_010), bought('follower', 1, 1_015)],
      ...[bought('leader', 2, 1_020), bought('follower', 2, 1_021)],
    ]);
  });

  test('leaves out purchases that came too late to follow', () => {
    const [link] = followsOf(followed([1, 6, 1, 1]));
    expect(link?.strength).toBe(3 / 6);
    const mints = link?.transactions.map(({ mint }) => mint);
    expect(new Set(mints)).toEqual(new Set(['mint 0', 'mint 2', 'mint 3'].map(address)));
  });

  test('has the newest eight purchases that followed', () => {
    const [link] = followsOf(followed(Array.from({ length: 10 }, () => 1)));
    expect(link?.strength).toBe(10 / 13);
    expect(link?.transactions).toHaveLength(16);
    expect(link?.transactions[0]?.mint).toBe(address('mint 2'));
    expect(link?.transactions.at(-1)?.mint).toBe(address('mint 9'));
  });
});
