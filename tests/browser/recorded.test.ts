import { resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatCompact, formatPriceUsd, formatUsd, UNKNOWN } from '../../web/src/format/numbers.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { hasTestData, testData } from '../support/test-data.ts';
import { hasBrowser, SEEN_MS, TestBrowser, type WatchedPage } from './support/browser.ts';
import { shownText } from './support/fake-pages.ts';

const KEY = 'a-key-of-the-operator';
const START_MS = 300_000;
/** Bought and sold in the recorded block 326027759, where pools of SOL and USDC give a price. */
const TRADED = '8UrFTdmWWt8ye8KY7Jbc9yJEaQekY7XZnGV7km3urC4a';

if (!hasTestData) {
  process.stdout.write(
    `SKIPPING the pages over the recorded market: no ${testData}. Set MINTSCOPE_TEST_DATA.\n`,
  );
}

interface ListedToken {
  readonly token_address: string;
  readonly symbol: string | null;
  readonly price_usd: string | null;
  readonly marketcap_usd: string | null;
  readonly liquidity_usd: string | null;
  readonly raw_holders: number | null;
}

interface Position {
  readonly token_address: string;
  readonly balance: string | null;
  readonly value_usd: string | null;
  readonly cost_usd: string | null;
  readonly realised_usd: string | null;
  readonly unrealised_usd: string | null;
}

interface Expected {
  readonly value: string | number | null;
  readonly write: (text: string) => string;
}

/** A figure that is shown: its text, and the exact value on hover without the commas. */
async function readFigure(figure: Locator): Promise<readonly [text: string, exact: string]> {
  const isUnknown = (await figure.getAttribute('class'))?.includes('unknown') === true;
  const title = (await figure.getAttribute('title')) ?? '';
  if (isUnknown) return [UNKNOWN, UNKNOWN];
  return [(await figure.textContent()) ?? '', title.replaceAll(',', '').replace('−', '-')];
}

const expectedFigure = ({ value, write }: Expected): readonly [string, string] =>
  value === null ? [UNKNOWN, UNKNOWN] : [write(String(value)), String(value)];

/** Pages over recorded blocks of mainnet, whose last slot never changes. */
describe.skipIf(!hasBrowser || !hasTestData)('pages over the recorded market', () => {
  let service: RunningCommand;
  let browser: TestBrowser;
  let origin = '';

  beforeAll(async () => {
    const chain = resolve(testData, 'chain');
    const args = ['start', '--replay', chain, '--port', '0', '--data-dir', temporaryFolder()];
    service = new RunningCommand(args, { MINTSCOPE_BOOTSTRAP_KEY: KEY });
    const [, port = ''] = await service.shows(/Dashboard: http:\/\/[^:]+:(\d+)\//, START_MS);
    origin = `http://localhost:${port}`;
    browser = await TestBrowser.launch();
    await service.shows(/replay finished/, START_MS);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    service?.process.kill('SIGTERM');
    await service?.finished;
  });

  async function read<Body>(path: string): Promise<{ body: Body; slot: string | null }> {
    const answer = await fetch(origin + path, { headers: { 'x-api-key': KEY } });
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('x-simulated'), path).not.toBe('true');
    return { body: (await answer.json()) as Body, slot: answer.headers.get('x-slot') };
  }

  async function open(path: string) {
    // As wide as every column needs.
    const opened = await browser.open(origin + path, { width: 1_600, height: 1_000 });
    await opened.page.getByLabel('API key', { exact: true }).fill(KEY);
    await opened.page.keyboard.press('Enter');
    await opened.page.waitForSelector('main h1');
    return opened;
  }

  /** What a page reported, without the 404 that says that a token has no bundles. */
  async function problemsOf({ page, problems }: WatchedPage): Promise<readonly string[]> {
    const paths = (await page.evaluate(
      'performance.getEntriesByType("resource").filter((one) => one.responseStatus === 404).map((one) => new URL(one.name).pathname)',
    )) as readonly string[];
    return [
      ...problems.filter((problem) => !/status of 404/.test(problem)),
      ...paths.filter((path) => path !== '/v1/market/bundled-transactions'),
    ];
  }

  test('the market lists each recorded token with the figures of the API', async () => {
    const opened = await open('/market?order=newest');
    const { page } = opened;
    const { body, slot } = await read<{ items: ListedToken[]; total: number }>(
      '/v1/tokens?order_by=newest&order_dir=desc&limit=100',
    );
    expect(body.total).toBeGreaterThan(3);
    expect(body.items.some(({ price_usd }) => price_usd !== null)).toBe(true);
    const rows = page.getByRole('table', { name: 'Tokens' }).locator('tbody tr.opens');
    await expect.poll(() => rows.count(), { timeout: SEEN_MS }).toBe(Math.min(body.total, 22));
    for (const [index, token] of body.items.slice(0, 22).entries()) {
      const row = rows.nth(index);
      expect(await row.locator('.market-token').getAttribute('title')).toBe(token.token_address);
      expect(await readFigure(await cell(row, 'Price'))).toEqual(
        expectedFigure({ value: token.price_usd, write: formatPriceUsd }),
      );
      expect(await readFigure(await cell(row, 'Market cap'))).toEqual(
        expectedFigure({ value: token.marketcap_usd, write: formatUsd }),
      );
      expect(await readFigure(await cell(row, 'Holders'))).toEqual(
        expectedFigure({ value: token.raw_holders, write: formatCompact }),
      );
    }
    expect((await read('/v1/tokens?limit=1')).slot).toBe(slot);
    expect(await shownText(page.locator('body'))).not.toMatch(/simulated/i);
    expect(await problemsOf(opened)).toEqual([]);
  });

  test('a token has the price, market cap and holders that the API gives', async () => {
    const { items } = (await read<{ items: ListedToken[] }>('/v1/tokens?limit=100')).body;
    const token = items.find(({ marketcap_usd }) => marketcap_usd !== null);
    if (token === undefined) throw new Error('no recorded token has a market cap');
    const opened = await open(`/token/${token.token_address}`);
    const { page } = opened;
    const head = page.getByRole('region', { name: 'Token', exact: true });
    const named = (name: string) =>
      head
        .locator('.named-figure')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('.figure');
    for (const [name, expected] of [
      ['Price', { value: token.price_usd, write: formatPriceUsd }],
      ['Market cap', { value: token.marketcap_usd, write: formatUsd }],
      ['Liquidity', { value: token.liquidity_usd, write: formatUsd }],
      ['Holders', { value: token.raw_holders, write: formatCompact }],
    ] as const) {
      await expect
        .poll(() => readFigure(named(name)), { timeout: SEEN_MS, message: name })
        .toEqual(expectedFigure(expected));
    }
    expect(await shownText(head.locator('h1'))).toContain(token.symbol);
    expect(await shownText(page.locator('body'))).not.toMatch(/simulated/i);
    expect(await problemsOf(opened)).toEqual([]);
  });

  test('a wallet has the positions that the API gives', async () => {
    const { traders } = (
      await read<{ traders: { wallet_address: string }[] }>(`/v1/token/${TRADED}/top-traders`)
    ).body;
    const wallet = traders[0]?.wallet_address ?? '';
    const { positions } = (await read<{ positions: Position[] }>(`/v1/wallets/${wallet}/positions`))
      .body;
    const position = positions.find(({ token_address }) => token_address === TRADED);
    if (position === undefined) throw new Error('the wallet has no position in the token');
    expect(position.value_usd).not.toBeNull();
    const opened = await open(`/wallet/${wallet}`);
    const { page } = opened;
    const table = page.getByRole('table', { name: 'Positions' });
    const row = table.locator('tbody tr').filter({ has: page.locator(`a[href*="${TRADED}"]`) });
    await row.waitFor({ timeout: SEEN_MS });
    for (const [title, expected] of [
      ['Balance', { value: position.balance, write: formatCompact }],
      ['Value', { value: position.value_usd, write: formatUsd }],
      ['Cost', { value: position.cost_usd, write: formatUsd }],
      ['Realised', { value: position.realised_usd, write: formatUsd }],
      ['Unrealised', { value: position.unrealised_usd, write: formatUsd }],
    ] as const) {
      expect(await readFigure(await cell(row, title)), title).toEqual(expectedFigure(expected));
    }
    expect(await shownText(page.locator('body'))).not.toMatch(/simulated/i);
    expect(await problemsOf(opened)).toEqual([]);
  });
});

/** The figure of a row in the column of a title. */
async function cell(row: Locator, title: string): Promise<Locator> {
  const titles = await row.locator('xpath=ancestor::table').locator('thead th').allInnerTexts();
  const index = titles.findIndex((text) => text.replace(/[^\w /]/g, '').trim() === title);
  if (index < 0) throw new Error(`no column ${title} in ${titles.join(', ')}`);
  return row.locator('td, th').nth(index).locator('.figure');
}
