import { describe, expect, test } from 'vitest';
import { placed, tokenChange } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('copy', { copyTrader: 12, smartTrader: 6, casual: 120 });
market.planLaunches(24, 1_300, [0.4, 0.9]);
market.run(2_000);
const copiers = market.walletsOf('copyTrader');
const mints = new Set(market.launches.map(({ mint }) => mint));
const { wallets } = market.world.truth.labels;

interface Move {
  readonly wallet: string;
  readonly mint: string;
  readonly slot: number;
}

const purchases: Move[] = placed(market.blocks).flatMap(({ transaction, slot }) =>
  [...new Set(transaction.tokenBalances.map(({ owner }) => owner))].flatMap((wallet) =>
    [...mints]
      .filter((mint) => wallets.has(wallet) && tokenChange(transaction, wallet, mint) > 0n)
      .map((mint) => ({ wallet, mint, slot })),
  ),
);

/** Wallets whose purchase of the same mint stood one to seven slots before. */
function before({ mint, slot }: Move): Set<string> {
  const near = purchases.filter(
    (move) => move.mint === mint && slot - move.slot >= 1 && slot - move.slot <= 7,
  );
  return new Set(
    near.map(({ wallet }) => wallet).filter((wallet) => !copiers.has(wallet as never)),
  );
}

/** What is left once everything is taken out that the most frequent wallet explains. */
function withoutBest(sets: readonly Set<string>[]): readonly Set<string>[] {
  const counts = new Map<string, number>();
  for (const wallet of sets.flatMap((set) => [...set])) {
    counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
  }
  const [best = ['', 0]] = [...counts].sort(([, one], [, other]) => other - one);
  return sets.filter((set) => !set.has(best[0]));
}

describe('copy traders', () => {
  test('buy what at most three leaders bought one to seven slots before, every time', () => {
    const own = purchases.filter(({ wallet }) => copiers.has(wallet as never));
    expect(own.length).toBeGreaterThan(15);
    for (const copier of copiers) {
      const left: readonly Set<string>[] = own
        .filter(({ wallet }) => wallet === copier)
        .map(before);
      expect(withoutBest(withoutBest(withoutBest(left)))).toHaveLength(0);
    }
  });

  test('follow those who did well: smart traders more often than their share', () => {
    const own = purchases.filter(({ wallet }) => copiers.has(wallet as never));
    const smart = market.walletsOf('smartTrader');
    const behindSmart = own.filter((move) =>
      [...before(move)].some((one) => smart.has(one as never)),
    );
    // Six of 126 leaders are smart.
    expect(behindSmart.length / own.length).toBeGreaterThan(0.2);
  });

  test('are bots to the truth', () => {
    for (const copier of copiers) expect(wallets.get(copier)?.automation).toBe('bot');
  });
});
