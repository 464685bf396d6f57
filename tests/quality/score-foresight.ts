import type { Random } from '../../simulator/random/random.ts';
import type { Address } from '../../src/model/units.ts';
import type { WalletEpisode } from './wallet-episodes.ts';
import type { JudgedWallet } from './wallet-market.ts';

/** A wallet of the best tenth, with wallets of similar activity outside of that tenth. */
export interface MatchedWallet {
  readonly score: number;
  /** Mean log return of the positions that it began in the period. */
  readonly logReturn: number;
  /** The same of each matched wallet. */
  readonly matches: readonly number[];
}

/** Results of a period after the ranking. Returns are log returns, means over wallets. */
export interface Foresight {
  /** Wallets of the best tenth that began a position in the period. */
  readonly wallets: number;
  readonly bestMean: number;
  readonly bestMedian: number;
  readonly matchedMean: number;
  readonly difference: number;
  /** 95 % bootstrap interval of the difference. */
  readonly low: number;
  readonly high: number;
}

/** With fewer ended episodes (weighted by age) a wallet is not ranked. */
const EPISODES_LEAST = 5;
const BEST_SHARE = 0.1;
/** Matches are from the same group; this is the number of equal groups by episodes. */
const ACTIVITY_GROUPS = 5;
const DRAWS = 2_000;
const INTERVAL = [0.025, 0.975] as const;

/**
 * Ranks organic wallets by score and compares each of the best tenth with wallets of similar
 * activity outside of that tenth, by their returns in the period. `episodes` begin after the
 * ranking.
 */
export function matchBestTenth(
  wallets: readonly JudgedWallet[],
  episodes: readonly WalletEpisode[],
): MatchedWallet[] {
  const returns = meanReturns(episodes);
  const ranked = wallets
    .flatMap(({ address, isBot, skill }) =>
      isBot || skill === null || skill.episodes < EPISODES_LEAST ? [] : [{ address, ...skill }],
    )
    .sort((one, other) => one.episodes - other.episodes || compare(one.address, other.address))
    .map((wallet, place, all) => ({
      ...wallet,
      group: Math.floor((place * ACTIVITY_GROUPS) / all.length),
    }))
    .sort((one, other) => other.score - one.score || compare(one.address, other.address));
  const bestCount = Math.ceil(ranked.length * BEST_SHARE);
  const others = ranked.slice(bestCount);
  return ranked.slice(0, bestCount).flatMap(({ address, score, group }) => {
    const logReturn = returns.get(address);
    const matches = others
      .filter((other) => other.group === group)
      .flatMap((other) => returns.get(other.address) ?? []);
    return logReturn === undefined || matches.length === 0 ? [] : [{ score, logReturn, matches }];
  });
}

/** Draws wallets of the best tenth with replacement, and one match for each of them. */
export function foresight(best: readonly MatchedWallet[], random: Random): Foresight | null {
  if (best.length === 0) return null;
  const returns = best.map(({ logReturn }) => logReturn);
  const expected = best.map(({ matches }) => mean(matches));
  const differences = Array.from({ length: DRAWS }, () => {
    const drawn = best.map(() => random.pick(best));
    return mean(drawn.map(({ logReturn, matches }) => logReturn - random.pick(matches)));
  }).sort((one, other) => one - other);
  const [low, high] = INTERVAL.map((at) => differences[Math.floor(at * DRAWS)] ?? 0);
  return {
    wallets: best.length,
    bestMean: mean(returns),
    bestMedian: median(returns),
    matchedMean: mean(expected),
    difference: mean(returns) - mean(expected),
    low: low ?? 0,
    high: high ?? 0,
  };
}

function meanReturns(episodes: readonly WalletEpisode[]): Map<Address, number> {
  const means = new Map<Address, number>();
  for (const [wallet, own] of Map.groupBy(episodes, (episode) => episode.wallet)) {
    means.set(wallet, mean(own.map(({ logReturn }) => logReturn)));
  }
  return means;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
