import { expect } from 'vitest';

export type Data = Readonly<Record<string, unknown>>;

/** What a subscription accumulates, by the key of its rows. */
export type TwinState = Map<string, unknown>;

/** Answers a GET of the API: its body, or null for 404. */
export type Get = (url: string) => Promise<Data | null>;

/** A topic of the stream, and the read that returns what its messages add up to. */
export interface Twin {
  readonly topic: string;
  readonly params: Readonly<Record<string, string>>;
  /** The state as a read returns it. */
  read(get: Get): Promise<TwinState>;
  /** The row that a message is about, in the shape of `read`; null if there is none any more. */
  rowOf(data: Data): readonly [key: string, row: unknown];
}

/** All items of a list with a cursor. */
async function all(get: Get, url: string, name: string): Promise<readonly Data[]> {
  const items: Data[] = [];
  let next: unknown = null;
  do {
    const page = await get(next === null ? url : `${url}&cursor=${next}`);
    if (page === null) return items;
    items.push(...(page[name] as readonly Data[]));
    next = page.next_cursor;
  } while (next !== null);
  return items;
}

/** A trade without what later slots change: whether it is final, and the labels that are found later. */
function tradeRow(data: Data): readonly [string, unknown] {
  const { commitment: _, flags, ...rest } = data;
  const own = (flags as readonly string[]).filter((flag) => !['wash', 'bundled'].includes(flag));
  return [`${data.trade_id} ${data.pair_address}`, { ...rest, flags: own }];
}

export function tradesTwin(name: string, address: string): Twin {
  return {
    topic: 'trades',
    params: { [name]: address },
    rowOf: tradeRow,
    read: async (get) =>
      new Map((await all(get, `/v1/trades?${name}=${address}&limit=500`, 'trades')).map(tradeRow)),
  };
}

/** A candle without prices is none any more. */
const candleRow = (data: Data) =>
  [String(data.timestamp), data.open === null ? null : data] as const;

/** Of a token, or of a pool of it. */
export function candlesTwin(mint: string, pool: string | null, range: string): Twin {
  const scope: Twin['params'] = pool === null ? { token_address: mint } : { pair_address: pool };
  const query = pool === null ? '' : `&pair_address=${pool}`;
  return {
    topic: 'candles',
    params: scope,
    rowOf: candleRow,
    async read(get) {
      const url = `/v1/market/ohlc?token_address=${mint}${query}&interval=30s&${range}`;
      const body = await get(url);
      const { '30s': candles } = (body?.timeframes ?? { '30s': [] }) as { '30s': readonly Data[] };
      return new Map(candles.map(candleRow));
    },
  };
}

const only = (names: readonly string[], data: Data): Data =>
  Object.fromEntries(names.map((name) => [name, data[name]]));

const POOL_FIELDS = [
  ...['pair_address', 'token_address', 'sol_amount', 'token_amount', 'number_of_buys'],
  ...['number_of_sells', 'buy_volume_usd', 'sell_volume_usd', 'total_volume_usd', 'price_usd'],
];

export function poolTwin(pool: string): Twin {
  const rowOf = (data: Data) => [pool, only(POOL_FIELDS, data)] as const;
  return {
    topic: 'pool',
    params: { pair_address: pool },
    rowOf,
    async read(get) {
      const body = await get(`/v1/pools/${pool}`);
      return new Map(body === null ? [] : [rowOf(body.trigger_figures as Data)]);
    },
  };
}

export function tokenTwin(mint: string): Twin {
  const rowOf = ({ holders: _holders, picture_url: _picture, ...token }: Data) =>
    [mint, token] as const;
  return {
    topic: 'token',
    params: { token_address: mint },
    rowOf,
    async read(get) {
      const body = await get(`/v1/token/${mint}`);
      return new Map(body === null ? [] : [rowOf(body)]);
    },
  };
}

const POSITION_FIELDS = [
  ...['token_address', 'balance', 'buys', 'sells', 'cost_usd', 'realised_usd'],
  ...['unknown_basis_balance', 'first_buy_at', 'last_trade_at'],
];

/** A wallet without what follows from the trades of others: prices, class and skill. */
export function walletTwin(wallet: string): Twin {
  const rowOf = ({ positions }: Data) =>
    [
      wallet,
      (positions as readonly Data[]).map((position) => only(POSITION_FIELDS, position)),
    ] as const;
  return {
    topic: 'wallet',
    params: { wallet_address: wallet },
    rowOf,
    async read(get) {
      const body = await get(`/v1/wallets/${wallet}`);
      return new Map(body === null ? [] : [rowOf(body)]);
    },
  };
}

/** For a market in which every token is created. */
export function newTokensTwin(): Twin {
  const rowOf = (data: Data) => {
    const { token_address: mint } = data.token as Data;
    return [String(mint), mint] as const;
  };
  return {
    topic: 'new_tokens',
    params: {},
    rowOf,
    async read(get) {
      const url = '/v1/tokens?order_by=newest&limit=500&include=base_assets,lp_mints,nameless';
      const tokens = await all(get, url, 'items');
      return new Map(tokens.map(({ token_address: mint }) => [String(mint), mint]));
    },
  };
}

export function findingsTwin(): Twin {
  const rowOf = ({ id, ...finding }: Data) => [String(id), finding] as const;
  return {
    topic: 'findings',
    params: {},
    rowOf,
    read: async (get) =>
      new Map(
        (await all(get, '/v1/fraud/classifications?limit=500', 'classifications')).map(rowOf),
      ),
  };
}

export function expectTwin(twin: Twin, state: TwinState, read: TwinState): void {
  const sorted = (rows: TwinState) => [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  expect(sorted(state), `${twin.topic} ${JSON.stringify(twin.params)}`).toEqual(sorted(read));
}
