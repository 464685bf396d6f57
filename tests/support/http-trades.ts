import { expect } from 'vitest';
import type { MarketReader } from './market-readers/market-reader.ts';

/** A trade as the API returns it: the exact figures of an export, and the labels of the list. */
export interface HttpTrade {
  readonly id: string;
  readonly timeMs: number;
  readonly pool: string;
  readonly mint: string;
  readonly trader: string | null;
  readonly side: 'buy' | 'sell';
  readonly baseDecimals: number;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** In units of 10^-18 dollars. */
  readonly priceUsd: bigint | null;
  /** In units of 10^-9 dollars. */
  readonly valueUsd: bigint | null;
  readonly isOrganic: boolean;
  /** Why it sets no price; null for a trade that may set one. */
  readonly exclusion: string | null;
}

export type Row = Readonly<Record<string, string>>;

/** The rows of a CSV export by column. No cell that is read has a comma. */
export async function readRows(reader: MarketReader, url: string): Promise<readonly Row[]> {
  const lines = (await reader.text(url)).trimEnd().split('\n');
  const names = lines[0]?.split(',') ?? [];
  return lines.slice(1, -1).map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(
      names.map((name, index) => [name, (cells[index] ?? '').replaceAll('"', '')]),
    );
  });
}

interface ListedTrade {
  readonly trade_id: string;
  readonly pair_address: string;
  readonly token_amount: string;
  readonly quote_amount: string;
  readonly price_usd: string | null;
  readonly value_usd: string | null;
  readonly flags: readonly string[];
}

/**
 * The trades of a token, oldest first. Those of the export are those of the list, and those that the
 * export calls organic are those of the list with `class=organic`.
 */
export async function readTrades(
  reader: MarketReader,
  mint: string,
  spans: readonly string[],
): Promise<readonly HttpTrade[]> {
  const rows: Row[] = [];
  for (const span of spans) {
    rows.push(...(await readRows(reader, `/v1/export/trades.csv?${span}&token_address=${mint}`)));
  }
  const list = (rest: string) =>
    reader.items<ListedTrade>(`/v1/trades?token_address=${mint}&limit=500${rest}`);
  const listed = (await list('')).toReversed();
  expect(rows.map(shownOfRow)).toEqual(listed.map(shownOfListed));
  const organic = (await list('&class=organic')).toReversed();
  expect(rows.filter(isOrganicRow).map(keyOf)).toEqual(organic.map(keyOf));
  return rows.map(toTrade);
}

const isOrganicRow = (row: Row) => row.is_organic === 'true';
const keyOf = (one: { readonly trade_id?: string; readonly pair_address?: string }) =>
  `${one.trade_id} ${one.pair_address}`;

function shownOfRow(row: Row): string {
  const { token_amount: token, quote_amount: quote, price_usd: price } = row;
  const value = row.value_usd_nano === '' ? null : BigInt(row.value_usd_nano ?? '');
  const isQuarantined = row.exclusion === 'quarantined';
  return [keyOf(row), token, quote, price, formatDollars(value), isQuarantined].join();
}

function shownOfListed(trade: ListedTrade): string {
  const { token_amount: token, quote_amount: quote, price_usd: price, value_usd: value } = trade;
  const isQuarantined = trade.flags.includes('quarantined');
  return [keyOf(trade), token, quote, price ?? '', value, isQuarantined].join();
}

function toTrade(row: Row): HttpTrade {
  const text = (name: string) => (row[name] === '' ? null : (row[name] ?? null));
  const integer = (name: string) => BigInt(text(name) ?? '');
  const maybe = (name: string) => (text(name) === null ? null : integer(name));
  return {
    id: keyOf(row),
    timeMs: Date.parse(text('timestamp') ?? ''),
    pool: text('pair_address') ?? '',
    mint: text('token_address') ?? '',
    trader: text('wallet_address'),
    side: text('side') as HttpTrade['side'],
    baseDecimals: Number(text('token_decimals')),
    baseRaw: integer('token_amount_raw'),
    quoteRaw: integer('quote_amount_raw'),
    priceUsd: maybe('price_usd_e18'),
    valueUsd: maybe('value_usd_nano'),
    isOrganic: isOrganicRow(row),
    exclusion: text('exclusion'),
  };
}

/** Nano-dollars as the wire writes them: in cents, half up. */
export function formatDollars(nano: bigint | null): string | null {
  if (nano === null) return null;
  const cents = (nano + 5_000_000n) / 10_000_000n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
