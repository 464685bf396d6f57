import { percentileOf } from '../../src/fold/smart/peer-merits.ts';
import { type EpisodeSums, type SmartMerit, smartMerit } from '../../src/fold/smart/smart-score.ts';

/**
 * What a public leaderboard says of a wallet over a period. Counts of tokens are by their result,
 * in parts of the stake: lost more than half, lost up to half, won up to once, one to four times,
 * and more than four times the stake.
 */
export interface LeaderboardWallet {
  readonly address: string;
  readonly profitUsd: number;
  readonly winRate: number;
  readonly tokens: TokenCounts;
}

type TokenCounts = Readonly<Record<(typeof RESULTS)[number]['name'], number>>;

/** A wallet with what its published figures amount to in terms of the score. */
export interface MappedWallet extends SmartMerit {
  readonly address: string;
  readonly profitUsd: number;
  readonly winRate: number;
  readonly episodes: number;
  readonly score: number;
  readonly reachesBound: boolean;
}

/** The multiple of the stake that stands for all tokens of a class: near its geometric middle. */
const RESULTS = [
  { name: 'below_minus_50', multiple: 0.25 },
  { name: 'minus_50_to_0', multiple: 0.75 },
  { name: 'up_to_100', multiple: 1.4 },
  { name: 'from_100_to_400', multiple: 3 },
  { name: 'above_400', multiple: 7 },
] as const;
/** Where the file of wallets is, in the folder of recorded data. */
export const LEADERBOARD_FILE = 'labels/leaderboard/wallets.json';
/** How many of so many profitable published wallets are to reach the bound. */
export const PROFITABLE_REACH = { least: 25, of: 38 } as const;

const RETURN_MOST = 3;
const WINS_LEAST = 1.02;
const SMART = { score: 90, episodes: 10, logProfitFactor: Math.log(2) } as const;

/**
 * Maps published figures to the terms of the score. Nothing is published of when a wallet bought, so
 * all tokens of all wallets of the list stand for similar purchases: others on a leaderboard do
 * better than people at large, which makes this stricter than the service. Stakes count as equal.
 */
export function mapLeaderboard(wallets: readonly LeaderboardWallet[]): MappedWallet[] {
  const expected = meanReturn(wallets);
  const merits = wallets.map((wallet) => {
    const sums = sumsOf(wallet.tokens, expected);
    return { wallet, sums, ...smartMerit(sums) };
  });
  return merits.map(({ wallet, sums, ...own }) => {
    const peersBelow = merits.filter(({ merit }) => merit < own.merit).length;
    const score = percentileOf(own.merit, { peers: merits.length, peersBelow });
    const isLong = sums.count >= SMART.episodes;
    const { address, profitUsd, winRate } = wallet;
    return {
      ...own,
      ...{ address, profitUsd, winRate, episodes: sums.count, score },
      reachesBound: isLong && score >= SMART.score && own.logProfitFactor >= SMART.logProfitFactor,
    };
  });
}

/**
 * Parses a list of wallets: a JSON array of objects with `address`, `profit_usd`, `win_rate` (0 to
 * 1) and `tokens`, an object with a count of tokens for each class. Throws RangeError with the place
 * of the first fault.
 */
export function parseLeaderboard(text: string): LeaderboardWallet[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new RangeError('The leaderboard must be an array of wallets.');
  return rows.map((row: unknown, index) => {
    if (!isRecord(row) || typeof row.address !== 'string' || !isRecord(row.tokens)) {
      throw new RangeError(`Wallet ${index}: wanted are an address and an object of tokens.`);
    }
    const { address, tokens } = row;
    const counts = RESULTS.map(({ name }) => [
      name,
      numberIn(tokens[name], 0, 1e6, `Wallet ${index}: tokens.${name}`),
    ]);
    return {
      address,
      profitUsd: numberIn(row.profit_usd, -1e12, 1e12, `Wallet ${index}: profit_usd`),
      winRate: numberIn(row.win_rate, 0, 1, `Wallet ${index}: win_rate`),
      tokens: Object.fromEntries(counts) as TokenCounts,
    };
  });
}

function meanReturn(wallets: readonly LeaderboardWallet[]): number {
  let [count, sum] = [0, 0];
  for (const { tokens } of wallets) {
    for (const { name, multiple } of RESULTS) {
      count += tokens[name];
      sum += tokens[name] * returnOf(multiple);
    }
  }
  return count === 0 ? 0 : sum / count;
}

function sumsOf(tokens: TokenCounts, expected: number): EpisodeSums {
  const classes = RESULTS.map(({ name, multiple }) => ({ count: tokens[name], multiple }));
  const sum = (valueOfOne: (multiple: number) => number) =>
    classes.reduce((total, { count, multiple }) => total + count * valueOfOne(multiple), 0);
  const best = classes.findLast(({ count }) => count > 0);
  return {
    count: sum(() => 1),
    wins: sum((multiple) => (multiple > WINS_LEAST ? 1 : 0)),
    returns: sum(returnOf),
    excess: sum((multiple) => returnOf(multiple) - expected),
    excessSquares: sum((multiple) => (returnOf(multiple) - expected) ** 2),
    gainsUsd: sum((multiple) => Math.max(0, multiple - 1)),
    lossesUsd: sum((multiple) => Math.max(0, 1 - multiple)),
    bestExcess: best === undefined ? 0 : returnOf(best.multiple) - expected,
    bestWeight: best === undefined ? 0 : 1,
  };
}

function returnOf(multiple: number): number {
  return Math.min(RETURN_MOST, Math.max(-RETURN_MOST, Math.log(multiple)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(value: unknown, least: number, most: number, place: string): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new RangeError(`${place} must be a number from ${least} to ${most}.`);
}
