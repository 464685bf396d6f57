import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FindingGraph, GraphEdge } from '../../src/model/finding-graph.ts';
import { asLamports, asPriceE18, asRawAmount, asSlot } from '../../src/model/units.ts';
import { address, signature } from '../support/build-transaction.ts';
import {
  ADMIN_KEY,
  asOfFakeSlot,
  CLASSIFICATION,
  fakeCandle,
  fakeWallet,
  MINT,
  POOL,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../support/fake-api-deps.ts';
import { hasBrowser, seriousFindings, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed } from './support/fake-pages.ts';
import { FIXED_NOW_MS, fixedMarket } from './support/fixed-market.ts';

const SEEN_MS = 150_000;

const edge = (given: Partial<GraphEdge>): GraphEdge => ({
  ...{ from: WALLET, to: POOL, kind: 'sell', lamports: asLamports(2_000_000_000n) },
  ...{ tokensRaw: asRawAmount(5_000_000n), slot: asSlot(SLOT), txIndex: 1 },
  signature: signature('sale'),
  ...given,
});

const graph: FindingGraph = {
  nodes: [WALLET, address('funder'), POOL].map((one) => ({
    ...{ address: one, involved: null, class: one === POOL ? 'pool' : null },
  })),
  edges: [
    edge({ from: address('funder'), to: WALLET, kind: 'payment', tokensRaw: null }),
    edge({}),
    edge({ kind: 'liquidity_removed', signature: signature('removal') }),
  ],
  ...{ unresolved: [], decimals: 6 },
};

const MINUTE_MS = 60_000;

/** An hour of candles that rise to their middle. */
const candles = Array.from({ length: 61 }, (_, minute) => {
  const price = asPriceE18(BigInt(100 + Math.min(minute, 60 - minute)) * 10n ** 15n);
  const openMs = (Math.floor(SLOT_TIME_MS / MINUTE_MS) - 60 + minute) * MINUTE_MS;
  return fakeCandle(openMs, { usd: { open: price, high: price, low: price, close: price } });
});

/** What was received only: no cost is known. */
const receiver = fakeWallet({
  positions: [
    {
      ...{ mint: MINT, symbol: 'FIXED', decimals: 6, heldRaw: asRawAmount(0n) },
      ...{ unknownBasisRaw: asRawAmount(6_000_000n), costUsd: 0n, realisedUsd: 0n },
      ...{ hasKnownCost: false, priceUsd: 7n * 10n ** 18n, buys: 0, sells: 0 },
      ...{ firstBuyMs: null, lastTradeMs: null },
    } as never,
  ],
  positionCount: 1,
});

describe.skipIf(!hasBrowser)('lines, graphs and the line at the bottom', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;

  beforeAll(async () => {
    const market = fixedMarket();
    const { wallets, fraud } = market;
    if (wallets === undefined || fraud === undefined) throw new Error('the market has no wallets');
    [served, browser] = await Promise.all([
      listenWithPages({
        ...market,
        wallets: {
          ...wallets,
          find: async () => asOfFakeSlot(receiver),
          positions: async () => asOfFakeSlot({ positions: receiver.positions, next: null }),
        },
        candles: { read: async () => asOfFakeSlot({ candles, before: null }) },
        fraud: { ...fraud, graph: async () => asOfFakeSlot(graph) },
      }),
      TestBrowser.launch(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  const open = async (path: string, width = 1_280) =>
    await openStreamed(browser, served.origin, path, { key: ADMIN_KEY, width });

  test('a row has the line of its prices, which a new price of the row does not draw again', async () => {
    const { page, send, problems } = await openStreamed(
      browser,
      served.origin,
      '/market?window=1h',
      {
        ...{ key: ADMIN_KEY, width: 1_280 },
        prepare: async (page) => await page.clock.setFixedTime(FIXED_NOW_MS),
      },
    );
    const line = page.locator('.table tbody tr').first().locator('.row-line path');
    await line.waitFor({ timeout: SEEN_MS });
    const [start, end] = [SLOT_TIME_MS - 3_600_000, SLOT_TIME_MS].map((ms) =>
      new Date(ms).toISOString(),
    );
    const path = `/v1/market/ohlc?token_address=${MINT}&interval=1m&fill=previous&start=${start}&end=${end}`;
    const answer = await fetch(served.origin + path, { headers: { 'x-api-key': ADMIN_KEY } });
    const { timeframes } = (await answer.json()) as { timeframes: { '1m': { close: string }[] } };
    const closes = timeframes['1m'].slice(-60).map(({ close }) => Number(close));
    const points = ((await line.getAttribute('d')) ?? '').slice(1).split('L');
    expect(points).toHaveLength(closes.length);
    const heights = points.map((point) => Number(point.split(' ')[1]));
    // The highest price has the least distance from the top.
    expect(heights[closes.indexOf(Math.max(...closes))]).toBe(0);
    expect(heights[closes.indexOf(Math.min(...closes))]).toBe(Math.max(...heights));
    await page.evaluate(`
      window.drawn = 0;
      new MutationObserver((all) => { window.drawn += all.length; }).observe(
        document.querySelector('.row-line'),
        { attributes: true, childList: true, subtree: true },
      )`);
    for (const price of ['0.51', '0.52', '0.53']) {
      send('pool', { data: { pair_address: POOL, price_usd: price } });
      await page.getByText(`$${price}`, { exact: true }).waitFor({ timeout: SEEN_MS });
    }
    expect(await page.evaluate('window.drawn')).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('lines are neither shown nor read on a narrow screen', async () => {
    const { page } = await open('/market', 390);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('.table tbody tr.opens').first().waitFor({ timeout: SEEN_MS });
    await page.waitForTimeout(2_500);
    expect(asked.some((url) => url.includes('/v1/tokens'))).toBe(true);
    expect(asked.filter((url) => url.includes('/v1/market/ohlc'))).toEqual([]);
  });

  const viewOf = async (page: Page) => {
    const text = await page.locator('.force-graph').getAttribute('viewBox');
    const [left = 0, top = 0, width = 0, height = 0] = (text ?? '').split(' ').map(Number);
    return { left, top, width, height };
  };
  const openGraph = async () => {
    const opened = await open(`/token/${MINT}?tab=findings&finding=${CLASSIFICATION}`);
    await opened.page.locator('.force-graph').waitFor({ timeout: SEEN_MS });
    await opened.page.locator('.force-graph').scrollIntoViewIfNeeded();
    return opened;
  };

  test('a graph of a finding is enlarged, moved and shown whole by keyboard', async () => {
    const { page, problems } = await openGraph();
    const whole = await viewOf(page);
    await page.locator('.force-graph').focus();
    await page.keyboard.press('+');
    const enlarged = await viewOf(page);
    expect(enlarged.width).toBeCloseTo(whole.width / 1.5, 0);
    await page.keyboard.press('ArrowRight');
    const moved = await viewOf(page);
    expect(moved.left).toBeGreaterThan(enlarged.left);
    expect(moved.width).toBe(enlarged.width);
    await page.keyboard.press('0');
    expect(await viewOf(page)).toEqual(whole);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect((await viewOf(page)).width).toBeLessThan(whole.width);
    // Enter opens a link still.
    await page.locator('.force-graph .kind-liquidity_removed').focus();
    await page.keyboard.press('Enter');
    const transaction = page.locator('dialog .bond-transactions .address-link').first();
    expect(await transaction.getAttribute('title')).toBe(signature('removal'));
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a graph is dragged and zoomed with the pointer, and a drag is no click', async () => {
    const { page } = await openGraph();
    const whole = await viewOf(page);
    const svg = page.locator('.force-graph');
    const box = await svg.boundingBox();
    if (box === null) throw new Error('the graph is not shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    // A wheel alone scrolls the page.
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await viewOf(page)).width).toBeLessThan(whole.width);
    const enlarged = await viewOf(page);
    await page.mouse.move(box.x + 8, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 70, box.y + 40, { steps: 5 });
    await page.mouse.up();
    const dragged = await viewOf(page);
    expect([dragged.left, dragged.top]).not.toEqual([enlarged.left, enlarged.top]);
    expect(dragged.width).toBe(enlarged.width);
    expect(page.url()).toContain('/token/');
    // Without a drag it is one.
    const next = await page.locator('.force-graph .node circle').first().boundingBox();
    if (next === null) throw new Error('no node is shown');
    await page.mouse.click(next.x + next.width / 2, next.y + next.height / 2);
    await page.waitForURL(/\/wallet\//);
  });

  test('a circle is dragged with its lines, by pointer and by keys, and is put back', async () => {
    const { page, problems } = await openGraph();
    const circle = page.locator('.force-graph .node').first();
    const lines = async () =>
      await page
        .locator('.force-graph .edge-line')
        .evaluateAll((all) => all.map((line) => line.getAttribute('d')));
    const place = async () => await circle.getAttribute('transform');
    const [first, firstLines] = [await place(), await lines()];
    const whole = await viewOf(page);
    const box = await circle.locator('circle').boundingBox();
    if (box === null) throw new Error('no node is shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 24, { steps: 5 });
    await page.mouse.up();
    const moved = await circle.locator('circle').boundingBox();
    expect(Math.abs((moved?.x ?? 0) - box.x - 40)).toBeLessThan(2);
    expect(Math.abs((moved?.y ?? 0) - box.y - 24)).toBeLessThan(2);
    expect(await lines()).not.toEqual(firstLines);
    // What is shown stays, and the drag was no click.
    expect(await viewOf(page)).toEqual(whole);
    expect(page.url()).toContain('/token/');
    await page.getByRole('button', { name: 'Reset layout' }).click();
    expect([await place(), await lines()]).toEqual([first, firstLines]);
    await circle.focus();
    await page.keyboard.press('Shift+ArrowDown');
    expect(await place()).not.toBe(first);
    expect(await viewOf(page)).toEqual(whole);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/wallet\//);
    expect(problems).toEqual([]);
  });

  test('a wallet that only received tokens has no profit, and a finding beside its class', async () => {
    const { page, problems } = await open(`/wallet/${WALLET}`);
    const row = page.locator('.table tbody tr').first();
    await row.waitFor({ timeout: SEEN_MS });
    const cells = (await row.locator('td').allInnerTexts()).map((text) => text.split('\n')[0]);
    // Balance and value are known; average price, realised and unrealised profit are not.
    expect(cells.slice(1, 9)).toEqual(['6', '$42', '100.0%', '–', '$7', '$0', '–', '–']);
    const summary = page.getByRole('region', { name: 'Summary' });
    const link = summary.locator('.badges a');
    await link.waitFor({ timeout: SEEN_MS });
    expect(await link.getAttribute('href')).toBe(
      `/token/${MINT}?tab=findings&finding=${CLASSIFICATION}`,
    );
    expect(problems).toEqual([]);
  });

  test('the line at the bottom is one line at 390 pixels, with what it says above', async () => {
    const { page } = await open('/market', 390);
    const line = page.locator('.status-line');
    await line.getByText('Complete', { exact: true }).waitFor({ timeout: SEEN_MS });
    const wide = await open('/market');
    await wide.page.locator('.status-line').getByText('Complete', { exact: true }).waitFor();
    const heightOf = async (of: Page) =>
      (await of.locator('.status-line').boundingBox())?.height ?? 0;
    expect(await heightOf(page)).toBe(await heightOf(wide.page));
    for (const text of ['Live', 'Complete']) {
      const place = await line.getByText(text, { exact: true }).boundingBox();
      expect((place?.x ?? 999) + (place?.width ?? 999)).toBeLessThanOrEqual(390);
    }
  });
});
