import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, TOKEN_DASHBOARDS } from '../../scripts/monitoring/files.ts';
import { prepareDataFolder } from '../../src/store/data-folder.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';

const KEY = 'token-dashboards-test-secret';
const SLOTS = 160;
/** The shown time: the simulated market begins with the year. */
const FROM_MS = Date.UTC(2026, 0, 1);
const TO_MS = FROM_MS + 3_600_000;

interface Target {
  readonly datasource: { readonly type: string };
  readonly url: string;
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly type: string }[];
  readonly rawSql: string;
}

interface Dashboard {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string }[];
  };
  readonly panels: readonly { readonly title: string; readonly targets: readonly [Target] }[];
}

type Row = Readonly<Record<string, string | number | null>>;

/** The files as Grafana reads them, not what makes them. */
const dashboardOf = (path: string): Dashboard => JSON.parse(contentOf(path));
const ofApi = dashboardOf(TOKEN_DASHBOARDS.api);
const ofClickHouse = dashboardOf(TOKEN_DASHBOARDS.clickhouse);
const titles = ({ panels }: Dashboard) => panels.map(({ title }) => title);

function targetOf({ panels }: Dashboard, title: string): Target {
  const panel = panels.find((each) => each.title === title);
  if (panel === undefined) throw new Error(`there is no panel ${title}`);
  return panel.targets[0];
}

let mint = '';
let plane: DataPlane;
/** What the API answered for each panel: the list that the panel names. */
const listed = new Map<string, readonly Row[]>();
const statuses = new Map<string, number>();
let fold = '';

beforeAll(async () => {
  const dataDir = temporaryFolder();
  const service = await openMarketService(dataDir);
  const slots = simulatedSlots('token dashboards', SLOTS);
  await service.ingestion.ingest(finalSlots(slots));
  service.store.keys.installBootstrap(KEY);
  const app = await apiInThread(service);
  const { items } = await ready(app);
  mint = String(items[0]?.token_address);
  for (const { title, targets } of ofApi.panels) {
    const [{ url, root_selector: list }] = targets;
    const answer = await ask(app, withVariables(url));
    statuses.set(title, answer.statusCode);
    let found: unknown = answer.json();
    for (const name of list.split('.')) found = (found as Record<string, unknown>)[name];
    listed.set(title, found as readonly Row[]);
  }
  await app.close();
  await service.close();
  plane = await openDataPlane({ dataDir: prepareDataFolder(dataDir).engineFolder });
  const query = ofClickHouse.templating.list.find(({ name }) => name === 'fold')?.query ?? '';
  [fold = ''] = Object.values((await plane.heavy.rows<Record<string, string>>(query))[0] ?? {}).map(
    String,
  );
});

afterAll(() => plane.close());

function ask(app: FastifyInstance, url: string) {
  return app.inject({ url, headers: { 'x-api-key': KEY } });
}

/** The most traded tokens, once their windows have been read. */
async function ready(app: FastifyInstance): Promise<{ readonly items: readonly Row[] }> {
  for (;;) {
    const answer = await ask(app, '/v1/tokens?include=nameless&order_by=volume_24h_usd');
    const body = answer.json();
    if (answer.statusCode === 200 && body.items[0].volume_24h_usd !== null) return body;
    await delay(20);
  }
}

/** As Grafana replaces variables. */
function withVariables(text: string): string {
  return text
    .replace(/\$\{__from:date:iso\}/g, new Date(FROM_MS).toISOString())
    .replace(/\$\{__to:date:iso\}/g, new Date(TO_MS).toISOString())
    .replaceAll('$__from', String(FROM_MS))
    .replaceAll('$__to', String(TO_MS))
    .replaceAll('$token', mint)
    .replaceAll('$fold', fold);
}

function query(title: string): Promise<Row[]> {
  return plane.heavy.rows<Row>(withVariables(targetOf(ofClickHouse, title).rawSql));
}

describe('the dashboard of a token over the API', () => {
  test.each(titles(ofApi))('asks for an address that is answered: %s', (title) => {
    expect(statuses.get(title)).toBe(200);
  });

  test.each(titles(ofApi))('names a list and fields that the answer has: %s', (title) => {
    const rows = listed.get(title);
    const { columns } = targetOf(ofApi, title);
    expect(Array.isArray(rows)).toBe(true);
    // A market of three minutes has no finding; the fields are those of the document.
    if (title === 'Findings') return;
    expect(rows?.length).toBeGreaterThan(0);
    for (const { selector, type } of columns) {
      const values = (rows ?? []).map((row) => row[selector]);
      expect(values, selector).not.toContain(undefined);
      const known = values.filter((value) => value !== null);
      if (type === 'number') expect(known.map(Number), selector).not.toContain(Number.NaN);
      if (type === 'timestamp') {
        expect(known.map((value) => Date.parse(String(value)))).not.toContain(Number.NaN);
      }
    }
  });

  test('names fields of findings that the document has', () => {
    const { paths } = JSON.parse(contentOf('docs/openapi.json'));
    const { content } = paths['/v1/fraud/check'].get.responses['200'];
    const [finding] = content['application/json'].example.classifications;
    for (const { selector } of targetOf(ofApi, 'Findings').columns)
      expect(finding).toHaveProperty(selector);
  });
});

describe('the dashboard of a token over ClickHouse', () => {
  test.each(titles(ofClickHouse))('has a query that the tables answer: %s', async (title) => {
    expect((await query(title)).length).toBeGreaterThan(0);
  });

  test('has the candles of the API', async () => {
    const rows = await query('Price');
    const candles = listed.get('Price') ?? [];
    expect(rows.length).toBe(candles.length);
    for (const [index, candle] of candles.entries()) {
      const row = rows[index] ?? {};
      expect(Date.parse(`${row.time}Z`)).toBe(Date.parse(String(candle.timestamp)));
      for (const name of ['open', 'high', 'low', 'close']) {
        expect(Number(row[name]) / Number(candle[name]), name).toBeCloseTo(1, 12);
      }
    }
  });

  test('has the volumes of the API, altogether and by class', async () => {
    const cents = (value: unknown) => Number(value).toFixed(2);
    const rows = await query('Volume');
    const candles = listed.get('Volume') ?? [];
    expect(rows.map(({ volume }) => cents(volume))).toEqual(candles.map(({ volume }) => volume));
    const sum = (all: readonly Row[]) =>
      all.reduce((total, { volume }) => total + Number(volume), 0);
    expect(cents(sum(await query('Volume by class')))).toBe(cents(sum(rows)));
  });

  test('has the newest trades of the API', async () => {
    const rows = await query('Newest trades');
    const trades = listed.get('Newest trades') ?? [];
    const shown = ({ side, wallet_address: wallet, signature }: Row) => [side, wallet, signature];
    expect(rows.map(shown)).toEqual(trades.map(shown));
    for (const [index, { value_usd: value, wallet_class: label }] of trades.entries()) {
      expect(Number(rows[index]?.value_usd)).toBeCloseTo(Number(value), 1);
      expect(rows[index]?.wallet_class || null).toBe(label);
    }
  });

  test('has traders whose sums are those of the trades', async () => {
    const traders = await query('Largest traders');
    const trades = await query('Newest trades');
    const byWallet = Map.groupBy(trades, ({ wallet_address: wallet }) => wallet);
    // All trades of the market are among the newest hundred.
    expect(trades.length).toBeLessThan(100);
    for (const { wallet_address: wallet, buys, sells, bought_usd: bought } of traders) {
      const own = byWallet.get(wallet ?? '') ?? [];
      const purchases = own.filter(({ side }) => side === 'buy');
      expect([Number(buys), Number(buys) + Number(sells)]).toEqual([purchases.length, own.length]);
      const spent = purchases.reduce((total, { value_usd: value }) => total + Number(value), 0);
      expect(Number(bought)).toBeCloseTo(spent, 6);
    }
  });
});
