import { expect } from 'vitest';
import { addDecimals } from '../../clients/typescript/src/decimal.ts';
import { formatDollars, readRows } from './http-trades.ts';
import type { MarketReader } from './market-readers/market-reader.ts';

/** A record of the API, whose fields are compared by name. */
type Body = Readonly<Record<string, unknown>>;

interface Total {
  /** Not every list says it. */
  readonly total?: number;
}

interface Holder extends Body {
  readonly holder_address: string;
  readonly balance: string;
}

interface Token {
  readonly token: { readonly total_supply: string } & Body;
  readonly holders: readonly Holder[];
}

interface Trade extends Body {
  readonly trade_id: string;
  readonly token_address: string;
  readonly wallet_address: string | null;
  readonly value_usd: string | null;
  readonly flags: readonly string[];
}

interface Wallet extends Body {
  readonly wallet_address: string;
}

/** Wallets that are asked for, evenly spread over all that are listed. */
const WALLETS_MAX = 200;

/** What is compared of a market. Each returns how many answers it compared. */
export const CONSISTENCY_CHECKS = {
  'tokens of the list are those of their own answers': async (reader: MarketReader) => {
    const tokens = await readAll(reader, '/v1/tokens?include=nameless&limit=5', 'token_address');
    for (const { token_address, ...listed } of tokens) {
      const { token } = await reader.json<Token>(`/v1/token/${token_address}`);
      const { name, symbol, decimals, creator_address, created_at } = token;
      expect(listed).toMatchObject({ name, symbol, decimals, creator_address, created_at });
    }
    return tokens.length;
  },

  'pools of the list are those of their own answers': async (reader: MarketReader) => {
    const pools = await readAll(reader, '/v1/pools?limit=5', 'pair_address');
    for (const listed of pools) {
      expect(await reader.json(`/v1/pools/${listed.pair_address}`)).toMatchObject(listed);
    }
    return pools.length;
  },

  'findings of the list are those of their own answers': async (reader: MarketReader) => {
    const findings = await readAll(reader, '/v1/fraud/classifications?limit=9', 'id');
    for (const listed of findings) {
      expect(await reader.json(`/v1/fraud/classifications/${listed.id}`)).toMatchObject(listed);
    }
    return findings.length;
  },

  'balances of all holders are the supply, largest first': async (reader: MarketReader) => {
    let compared = 0;
    for (const mint of await mintsOf(reader)) {
      const holders = await reader.items<Holder>(`/v1/token/${mint}/holders?limit=7`);
      expectDistinct(holders, 'holder_address');
      const { count } = await reader.json<{ count: number }>(`/v1/token/${mint}/holders?limit=1`);
      expect(holders.filter(({ kind }) => kind === 'wallet')).toHaveLength(count);
      const { token, holders: largest } = await reader.json<Token>(`/v1/token/${mint}`);
      const named = ({ holder_address, balance }: Holder) => ({ holder_address, balance });
      expect(holders.slice(0, 100).map(named)).toEqual(largest.map(named));
      const balances = holders.map(({ balance }) => balance);
      expect(balances.reduce(addDecimals, '0')).toBe(token.total_supply);
      const units = balances.map((balance) => BigInt(balance.replace('.', '')));
      expect(units).toEqual(
        units.toSorted((one, other) => (one > other ? -1 : Number(one < other))),
      );
      compared += holders.length;
    }
    return compared;
  },

  'trades in small pages are those of the export, newest first': async (reader: MarketReader) => {
    let compared = 0;
    for (const mint of await mintsOf(reader)) {
      const listed = await reader.items<Trade>(`/v1/trades?token_address=${mint}&limit=7`);
      expectDistinct(listed, 'trade_id');
      const span = 'from=2026-01-01&to=2026-06-01';
      const rows = await readRows(reader, `/v1/export/trades.csv?${span}&token_address=${mint}`);
      const exported = rows.map(({ trade_id, value_usd_nano: nano = '' }) => ({
        trade_id,
        value_usd: formatDollars(nano === '' ? null : BigInt(nano)),
      }));
      const shown = listed.map(({ trade_id, value_usd }) => ({ trade_id, value_usd }));
      expect(shown).toEqual(exported.toReversed());
      compared += listed.length;
    }
    return compared;
  },

  'trades of a wallet are those of its tokens that it made': async (reader: MarketReader) => {
    const [mint = ''] = await mintsOf(reader);
    const ofToken = await reader.items<Trade>(`/v1/trades?token_address=${mint}&limit=50`);
    const byWallet = Map.groupBy(ofToken, ({ wallet_address }) => wallet_address);
    for (const [wallet, trades] of byWallet) {
      if (wallet === null) continue;
      const all = await reader.items<Trade>(`/v1/wallets/${wallet}/trades?limit=3`);
      expect(all.filter(({ token_address }) => token_address === mint)).toEqual(trades);
    }
    return byWallet.size;
  },

  'every holder, trader and signer that a list names has a wallet answer': async (
    reader: MarketReader,
  ) => {
    const listed = new Set<string>();
    for (const mint of await mintsOf(reader)) {
      for (const wallet of await walletsOf(reader, mint)) listed.add(wallet);
    }
    const wallets = [...listed];
    const step = Math.ceil(wallets.length / WALLETS_MAX);
    const sample = wallets.filter((_, index) => index % step === 0);
    for (const wallet of sample) {
      const { wallet_address } = await reader.json<Body>(`/v1/wallets/${wallet}`);
      expect(wallet_address).toBe(wallet);
    }
    return sample.length;
  },
} as const;

/** Wallets of all lists of a token: its holders, whatever they are, top traders, trades and bundles. */
async function walletsOf(reader: MarketReader, mint: string): Promise<readonly string[]> {
  const holders = await reader.items<Holder>(`/v1/token/${mint}/holders?limit=100`);
  const traders = await reader.items<Wallet>(`/v1/token/${mint}/top-traders?limit=100`);
  const buyers = await reader.items<Wallet>(`/v1/token/${mint}/first-buyers?limit=100`);
  const trades = await reader.items<Trade>(`/v1/trades?token_address=${mint}&limit=500`);
  return [
    ...holders.map(({ holder_address }) => holder_address),
    ...[...traders, ...buyers].map(({ wallet_address }) => wallet_address),
    ...trades.flatMap(({ wallet_address }) => wallet_address ?? []),
    ...(trades.some(({ flags }) => flags.includes('bundled')) ? await signersOf(reader, mint) : []),
  ];
}

async function signersOf(reader: MarketReader, mint: string): Promise<readonly string[]> {
  const url = `/v1/market/bundled-transactions?token_address=${mint}&per_page=100`;
  const { items } = await reader.json<{ items: readonly { signing_address: string }[] }>(url);
  return items.map(({ signing_address }) => signing_address);
}

async function mintsOf(reader: MarketReader): Promise<readonly string[]> {
  const tokens = await reader.items<Body>('/v1/tokens?include=nameless&limit=50');
  return tokens.map(({ token_address }) => String(token_address));
}

/**
 * All items of a list, in pages without holes: none twice, as many as the list says, and the same in
 * pages that begin elsewhere. `url` ends with the size of a page.
 */
async function readAll(reader: MarketReader, url: string, key: string): Promise<readonly Body[]> {
  const items = await reader.items<Body>(url);
  expectDistinct(items, key);
  expect(await reader.items<Body>(`${url}0`)).toEqual(items);
  const { total = items.length } = await reader.json<Total>(url);
  expect(items).toHaveLength(total);
  return items;
}

function expectDistinct(items: readonly Body[], key: string): void {
  expect(new Set(items.map((item) => item[key])).size).toBe(items.length);
}
