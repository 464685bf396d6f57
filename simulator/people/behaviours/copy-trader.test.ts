import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/model/units.ts';
import { episodesOf, placed, tokenChange } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('copy', { copyTrader: 12, smartTrader: 6, casual: 120 });
market.planLaunches(24, 1_500, [0.4, 0.9]);
market.run(2_200);
const copiers = market.walletsOf('copyTrader');
const mints = new Set(market.launches.map(({ mint }) => mint));
const { wallets } = market.world.truth.labels;

interface Move {
  readonly wallet: Address;
  readonly mint: Address;
  readonly slot: number;
}

const purchases: Move[] = placed(market.blocks).flatMap(({ transaction, slot }) =>
  [...new Set(transaction.tokenBalances.map(({ owner }) => owner))].flatMap((wallet) =>
    [...mints]
      .filter((mint) => wallets.has(wallet) && tokenChange(transaction, wallet, mint) > 0n)
      .map((mint) => ({ wallet, mint, slot })),
  ),
);

/** Wallets that bought the same mint one to five slots before. */
function before({ mint, slot }: Move): Set<Address> {
  const near = purchases.filter(
    (move) => move.mint === mint && slot - move.slot >= 1 && slot - move.slot <= 5,
  );
  return new Set(near.map(({ wallet }) => wallet).filter((wallet) => !copiers.has(wallet)));
}

/** The sets that do not contain the most frequent wallet. */
function withoutBest(sets: readonly Set<Address>[]): readonly Set<Address>[] {
  const counts = new Map<Address, number>();
  for (const wallet of sets.flatMap((set) => [...set])) {
    counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
  }
  const [best = [null, 0]] = [...counts].sort(([, one], [, other]) => other - one);
  return sets.filter((set) => best[0] === null || !set.has(best[0]));
}

/** The maximum number of winning tokens until then among the wallets that bought shortly before. */
function mostWins(move: Move): number {
  const until = market.blocks.filter(({ slot }) => slot < move.slot);
  const wins = new Map<Address, number>();
  for (const { wallet, gotLamports, paidLamports } of episodesOf(until, before(move), mints)) {
    // Fees of the venue and the network reduce the required gain of a half.
    if (Number(gotLamports) < 1.4 * Number(paidLamports)) continue;
    wins.set(wallet, (wins.get(wallet) ?? 0) + 1);
  }
  return Math.max(...wins.values());
}

describe('copy traders', () => {
  test('buy what at most three leaders bought one to five slots before, every time', () => {
    const own = purchases.filter(({ wallet }) => copiers.has(wallet));
    expect(own.length).toBeGreaterThan(15);
    for (const copier of copiers) {
      const left: readonly Set<Address>[] = own
        .filter(({ wallet }) => wallet === copier)
        .map(before);
      expect(withoutBest(withoutBest(withoutBest(left)))).toHaveLength(0);
    }
  });

  test('follow wallets that had earned the required multiple in three tokens before', () => {
    const own = purchases.filter(({ wallet }) => copiers.has(wallet));
    const first = own.filter(
      ({ wallet }, index) => own.findIndex((move) => move.wallet === wallet) === index,
    );
    expect(first.length).toBeGreaterThan(3);
    for (const move of first) expect(mostWins(move)).toBeGreaterThanOrEqual(3);
  });

  test('are bots in the ground truth', () => {
    for (const copier of copiers) expect(wallets.get(copier)?.automation).toBe('bot');
  });
});
