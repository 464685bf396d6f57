import { type ChildProcess, spawn } from 'node:child_process';
import type { Address } from '../../src/model/units.ts';
import type { InstalledPackage } from './installed-package.ts';
import type { MarketBooks } from './market-books.ts';

/** A running command of an installed package, with its output so far. */
export class PackagedCommand {
  readonly process: ChildProcess;
  output = '';

  constructor(
    { command }: InstalledPackage,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    this.process = spawn(command, args, { cwd: environment.HOME, env: environment });
    const read = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.process.stdout?.on('data', read);
    this.process.stderr?.on('data', read);
  }

  /** Resolves with the match once the output shows the pattern; fails if the command ends before. */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`${pattern} was never shown:\n${this.output}`);
      }
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
}

/** One trade: slot, side, and raw amounts of both sides. */
export type TradeRow = readonly [slot: number, side: string, baseRaw: bigint, quoteRaw: bigint];

/** The figures of one pool. */
export interface PoolFigures {
  readonly pool: string;
  readonly reserves: readonly [baseRaw: bigint, quoteRaw: bigint];
  readonly trades: readonly TradeRow[];
}

/** The figures of all pools that a service lists, ordered by address. */
export async function servedFigures(
  get: (path: string) => Promise<unknown>,
): Promise<(PoolFigures & { readonly mint: string })[]> {
  const { items } = (await get('/v1/pools?limit=500')) as { readonly items: readonly PoolAnswer[] };
  const figures = [];
  for (const { pair_address: pool, token_address: mint, reserves } of items) {
    if (reserves === null) continue;
    const answer = await get(`/v1/trades?pair_address=${pool}&limit=500`);
    const { trades, next_cursor: next } = answer as TradesAnswer;
    if (next !== null) throw new RangeError(`${pool} has more trades than a page`);
    figures.push({
      pool,
      mint,
      reserves: [rawOf(reserves.base_amount), rawOf(reserves.quote_amount)] as const,
      trades: trades
        .map(({ slot, side, token_amount: base, quote_amount: quote }): TradeRow => {
          return [slot, side, rawOf(base), rawOf(quote)];
        })
        .sort(inOrder),
    });
  }
  return figures.sort((one, other) => (one.pool < other.pool ? -1 : 1));
}

/** What the venues booked of the same pools from a slot on. */
export function bookedFigures(
  books: MarketBooks,
  pools: readonly { readonly pool: string; readonly mint: string }[],
  fromSlot: number,
): (PoolFigures & { readonly mint: string })[] {
  return pools.map(({ pool, mint }) => {
    const { baseRaw, quoteRaw } = books.reservesOf(mint as Address, pool as Address);
    const booked = books.trades.get(pool as Address) ?? [];
    const trades = booked
      .filter(({ slot }) => slot >= fromSlot)
      .map(({ slot, trade }): TradeRow => [slot, trade.side, trade.baseRaw, trade.quoteRaw])
      .sort(inOrder);
    return { pool, mint, reserves: [baseRaw, quoteRaw], trades };
  });
}

interface PoolAnswer {
  readonly pair_address: string;
  readonly token_address: string;
  readonly reserves: { readonly base_amount: string; readonly quote_amount: string } | null;
}

interface TradesAnswer {
  readonly trades: readonly {
    readonly slot: number;
    readonly side: string;
    readonly token_amount: string;
    readonly quote_amount: string;
  }[];
  readonly next_cursor: string | null;
}

/** Amounts are served with all decimals of their mint. */
function rawOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** By slot, side and amounts: answers order the trades of a slot newest first, books by venue. */
function inOrder(one: TradeRow, other: TradeRow): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [left = 0, right = 0] = index === -1 ? [] : [one[index], other[index]];
  return left === right ? 0 : left < right ? -1 : 1;
}
