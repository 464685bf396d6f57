import type { CaseTrade } from '../../model/mint-case.ts';
import { shareOf } from './shares.ts';

/** Purchases and sales of one owner, as alternating runs. */
export interface TradeCycles {
  /** Number of cycles: a run of one side followed by a run of the other. */
  readonly count: number;
  /** Number of cycles in which tokens were sold for more than they were bought. */
  readonly gains: number;
  /** Profit / volume, with the remaining tokens at their last price; null without volume. */
  readonly profitShare: number | null;
  /** Difference between the largest and the smallest stock, as a part of the tokens traded. */
  readonly swing: number;
}

interface Run {
  readonly side: 'buy' | 'sell';
  baseRaw: bigint;
  lamports: bigint;
}

/** `trades` of one owner must be in block order; `lamportsPerRaw` is the price at their end. */
export function readCycles(trades: readonly CaseTrade[], lamportsPerRaw: number): TradeCycles {
  const runs = toRuns(trades);
  let gains = 0;
  const count = Math.floor(runs.length / 2);
  for (let index = 0; index < count; index++) {
    const [one, other] = runs.slice(2 * index, 2 * index + 2);
    if (one !== undefined && other !== undefined && isGain(one, other)) gains++;
  }
  return { count, gains, ...readStock(trades, lamportsPerRaw) };
}

/**
 * Whether trades look like those of a market maker: many cycles, gains and losses, and no profit.
 */
export function isMakerLike({ count, gains, profitShare }: TradeCycles): boolean {
  const losses = count - gains;
  return (
    count >= MAKER_CYCLES_MIN &&
    Math.min(gains, losses) >= MAKER_OF_EITHER_MIN &&
    profitShare !== null &&
    profitShare <= MAKER_PROFIT_MAX
  );
}

/** METHODS §7.6, e1. */
export const MAKER_CYCLES_MIN = 10;
const MAKER_OF_EITHER_MIN = 2;
/** Part of the volume; a larger part is the profit of a trader. */
export const MAKER_PROFIT_MAX = 0.001;

function toRuns(trades: readonly CaseTrade[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { side, baseRaw, lamports } of trades) {
    const last = runs.at(-1);
    if (last?.side === side) {
      last.baseRaw += baseRaw;
      last.lamports += lamports;
    } else runs.push({ side, baseRaw, lamports });
  }
  return runs;
}

/** Compares prices by cross multiplication, without division. */
function isGain(one: Run, other: Run): boolean {
  const [bought, sold] = one.side === 'buy' ? [one, other] : [other, one];
  return sold.lamports * bought.baseRaw > bought.lamports * sold.baseRaw;
}

function readStock(
  trades: readonly CaseTrade[],
  lamportsPerRaw: number,
): Pick<TradeCycles, 'profitShare' | 'swing'> {
  let [paid, got, gross] = [0n, 0n, 0n];
  let [stock, fullest, emptiest] = [0n, 0n, 0n];
  for (const { side, baseRaw, lamports } of trades) {
    const isBuy = side === 'buy';
    if (isBuy) paid += lamports;
    else got += lamports;
    gross += baseRaw;
    stock += isBuy ? baseRaw : 0n - baseRaw;
    if (stock > fullest) fullest = stock;
    if (stock < emptiest) emptiest = stock;
  }
  const volume = paid + got;
  const profit = Number(got - paid) + Number(stock) * lamportsPerRaw;
  return {
    profitShare: volume === 0n ? null : profit / Number(volume),
    swing: shareOf(fullest - emptiest, gross),
  };
}
