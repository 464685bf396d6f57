import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  type SimulatedService,
  seriousFindings,
  startSimulatedService,
  TestBrowser,
  unexpectedOfToken,
} from './support/browser.ts';

const START_MS = 300_000;
const TABS = ['market', 'findings', 'holders', 'bundles', 'indicators', 'clones'] as const;

interface Finding {
  readonly id: string;
  readonly token_address: string;
  readonly confidence_score: number;
  readonly evidence: readonly { readonly description: string }[];
}

interface Graph {
  readonly nodes: readonly {
    readonly address: string;
    readonly role: string | null;
    readonly sol_spent: string | null;
    readonly sol_received: string | null;
  }[];
  readonly edges: readonly { readonly kind: string; readonly signature: string | null }[];
}

interface Detail {
  readonly features: readonly { readonly name: string; readonly contribution: number }[];
}

interface Trade {
  readonly trade_id: string;
  readonly slot: number;
  readonly signature: string;
}

/** The page of a token on a simulated market. */
describe.skipIf(!hasBrowser)('the page of a token', () => {
  let service: SimulatedService;
  let browser: TestBrowser;
  let finding: Finding;

  /** The most certain finding with payments and a gain, so that there is something to follow. */
  const findingWithPayments = async (): Promise<Finding> => {
    for (;;) {
      const path = '/v1/fraud/classifications?order_by=confidence&limit=20';
      const { classifications } = await service.ask<{ classifications: Finding[] }>(path);
      for (const one of classifications) {
        const graph = await service.ask<Graph>(`/v1/fraud/classifications/${one.id}/graph`);
        const hasPayments = graph.edges.some(({ kind }) => kind === 'payment');
        if (hasPayments && gainsOf(graph).length > 0) return one;
      }
      await setTimeout(1_000);
    }
  };

  beforeAll(async () => {
    // Many pages are opened with one key in a short time.
    const limits = ['--rate-limit-per-minute', '60000', '--rate-limit-burst', '10000'];
    [service, browser] = await Promise.all([startSimulatedService(limits), TestBrowser.launch()]);
    finding = await findingWithPayments();
  }, START_MS);

  // Pages that stay open go on reading.
  afterEach(async () => {
    await browser.closePages();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const openTab = async (tab: string, options: { readonly width?: number } = {}) => {
    const url = `${service.origin}/token/${finding.token_address}?tab=${tab}`;
    const opened = await browser.open(url, options);
    await opened.page.waitForSelector('.token-head h1', { timeout: SEEN_MS });
    return opened;
  };

  test('answers why it is flagged, who was paid and how to check it, from the market in few steps', async () => {
    const { page, problems } = await browser.open(`${service.origin}/market`);
    await page.keyboard.press('/');
    await page.keyboard.insertText(finding.token_address);
    await page.getByRole('option').first().waitFor({ timeout: SEEN_MS });
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Why, who was paid, and how to check it' }).click();
    await page.getByRole('heading', { name: 'Why is it flagged?' }).waitFor({ timeout: SEEN_MS });
    // The most certain finding of the token is shown first.
    const listed = await service.ask<{ classifications: Finding[] }>(
      `/v1/fraud/classifications?token_address=${finding.token_address}&order_by=confidence`,
    );
    const shownId = await shownFinding(page);
    const shown = listed.classifications.find(({ id }) => id === shownId);
    expect(shown?.confidence_score).toBe(listed.classifications[0]?.confidence_score);
    for (const { description } of shown?.evidence ?? []) {
      await page.locator('.evidence').getByText(description).first().waitFor();
    }
    await page.getByRole('heading', { name: 'Who was paid?' }).waitFor();
    await page.getByText(`verify finding.json`).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('names who gained most, and shows each transaction of a link', async () => {
    const { page, problems } = await openTab(`findings&finding=${finding.id}`);
    const readGraph = () => service.ask<Graph>(`/v1/fraud/classifications/${finding.id}/graph`);
    const answer = page.locator('.finding-answer');
    await answer.waitFor({ timeout: SEEN_MS });
    // The market goes on, and the page follows: both name the same wallet at some moment.
    await expect
      .poll(
        async () => {
          const [most = null] = gainsOf(await readGraph());
          const text = (await answer.textContent()) ?? '';
          if (most === null) return text.includes('no wallet took out more than it put in');
          const named = await answer.locator('.address-link').first().getAttribute('title');
          return text.includes('gained most') && named === most.address;
        },
        { timeout: SEEN_MS },
      )
      .toBe(true);
    const line = page.locator('.force-graph .kind-payment').first();
    await line.focus();
    await page.keyboard.press('Enter');
    const transaction = page.locator('dialog .bond-transactions .address-link').first();
    const signature = await transaction.getAttribute('title');
    expect((await readGraph()).edges.map((edge) => edge.signature)).toContain(signature);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('The same as a table, with every transaction').click();
    const rows = page.locator('.bond-details table');
    // The market goes on, and the page follows: both have the same edges at some moment.
    await expect
      .poll(
        async () => {
          const { edges } = await readGraph();
          return Number(await rows.getAttribute('aria-rowcount')) - edges.length;
        },
        { timeout: SEEN_MS },
      )
      .toBe(1);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('draws prices that span many times their least logarithmically by default', async () => {
    const { page, problems } = await browser.open(`${service.origin}/about`);
    const candle = (second: number, price: string) => ({
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
      ...{ open: price, high: price, low: price, close: price, volume: '1', vwap: price },
    });
    let last = '0.02';
    await page.route('**/v1/market/ohlc?*', async (route) => {
      const response = await route.fetch();
      if (!response.ok()) return await route.fulfill({ response });
      const body = (await response.json()) as { timeframes: Record<string, unknown> };
      body.timeframes = { '1s': [candle(1, '0.001'), candle(2, last)] };
      await route.fulfill({ response, json: body });
    });
    const log = page.getByLabel('Log');
    const open = async () => {
      await page.goto(`${service.origin}/token/${finding.token_address}?interval=1s`);
      await page.waitForSelector('[aria-label^="Candles of"] canvas', { timeout: SEEN_MS });
    };
    await open();
    expect(await log.isChecked()).toBe(false);
    last = '0.06';
    await open();
    await expect.poll(() => log.isChecked(), { timeout: SEEN_MS }).toBe(true);
    await log.uncheck();
    await page.waitForURL(/scale=linear/);
    expect(await log.isChecked()).toBe(false);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('shows every feature as the API measured it', async () => {
    const { page } = await openTab(`findings&finding=${finding.id}`);
    await page.waitForSelector('.features', { timeout: SEEN_MS });
    const { features } = await service.ask<Detail>(`/v1/fraud/classifications/${finding.id}`);
    for (const { name, contribution } of features) {
      const row = page.locator('.features tr', {
        has: page.locator(`th[title="${name} in the answer of the API"]`),
      });
      const cell = row.locator('td').nth(4);
      expect(await cell.getAttribute('title')).toBe(String(contribution));
    }
    expect(await page.locator('.features tbody tr').count()).toBe(features.length);
  });

  test('follows trades, and takes those of an abandoned fork back in sight', async () => {
    const stream: { send: ((message: string) => void) | null; id: string } = { send: null, id: '' };
    const { page, problems } = await browser.open(`${service.origin}/about`);
    await page.routeWebSocket('**/v1/stream', (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        const operation = JSON.parse(String(message)) as { topic?: string; id?: string };
        if (operation.topic === 'trades') stream.id = operation.id ?? '';
        server.send(message);
      });
      stream.send = (message) => socket.send(message);
    });
    await page.goto(`${service.origin}/token/${finding.token_address}`);
    const rows = page.locator('section[aria-label="Trades, newest first"] tbody tr');
    await rows.first().waitFor({ timeout: 2 * SEEN_MS });
    // The rows are there before the page follows them.
    await vi.waitFor(() => expect(stream.id).not.toBe(''));
    const path = `/v1/trades?token_address=${finding.token_address}&limit=1`;
    const [newest] = (await service.ask<{ trades: Trade[] }>(path)).trades;
    if (newest === undefined) throw new Error('the token has no trades');
    // A trade of a later slot that the chain does not keep.
    const slot = newest.slot + 100_000;
    const data = { ...newest, trade_id: `${slot}-0-0--1`, slot, commitment: 'confirmed' };
    const message = { id: stream.id, topic: 'trades', seq: Date.now() * 1_000, slot, data };
    stream.send?.(JSON.stringify(message));
    await rows.first().getByText('not final').waitFor();
    expect(await rows.first().getAttribute('class')).toContain('pending');
    stream.send?.(JSON.stringify({ ...message, seq: message.seq + 1, undo: true }));
    await rows.first().getByText('taken back').waitFor();
    expect(await rows.first().getAttribute('class')).toContain('undone');
    // It leaves after a while.
    await page.getByText('taken back').waitFor({ state: 'detached', timeout: SEEN_MS });
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test.each(TABS)('shows the tab %s on a narrow screen', async (tab) => {
    const { page, problems } = await openTab(tab, { width: 390 });
    await page.waitForSelector('main .loading', { state: 'detached', timeout: SEEN_MS });
    expect(await isScrolledSideways(page)).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('takes a review of the finding with its note, and shows it as the API stores it', async () => {
    const { page, problems } = await openTab(`findings&finding=${finding.id}`);
    const panel = page.locator('.panel', {
      has: page.getByRole('heading', { name: 'Review', exact: true }),
    });
    await panel.getByText('Nobody has reviewed this finding.').waitFor({ timeout: SEEN_MS });
    // A finding is confirmed only after somebody has looked at it.
    expect(await panel.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await panel.getByLabel('Note').fill('<b>looked at it</b>');
    await panel.getByRole('button', { name: 'Mark as reviewed' }).click();
    await panel.getByText('<b>looked at it</b>').waitFor({ timeout: SEEN_MS });
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.getByText('Confirmed', { exact: true }).waitFor({ timeout: SEEN_MS });
    await page.locator('.finding-statement').getByText('Confirmed').waitFor({ timeout: SEEN_MS });
    const path = `/v1/fraud/classifications/${finding.id}`;
    const { status, review } = await service.ask<{ status: string; review: object[] }>(path);
    expect(status).toBe('confirmed');
    expect(review).toMatchObject([
      { from: 'active', to: 'reviewed', note: '<b>looked at it</b>' },
      { from: 'reviewed', to: 'confirmed', note: null },
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('is led by the keyboard from tab to tab', async () => {
    const { page } = await openTab('market');
    await page.getByRole('tab', { name: 'Chart and trades' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=findings/);
    await page.keyboard.press('End');
    await page.waitForURL(/tab=clones/);
    await page.keyboard.press('Home');
    await page.waitForSelector('[aria-label^="Candles of"] canvas', { timeout: SEEN_MS });
  });

  test('shows hostile texts as text', async () => {
    const hostile = `<img src=x onerror="document.title='hit'">\u202e\u200b${'A'.repeat(10_000)}`;
    const { page, problems } = await browser.open(`${service.origin}/about`);
    await page.route('**/v1/token/*', async (route) => {
      const response = await route.fetch();
      // A refusal, as of a busy service, is the page's to repeat.
      if (!response.ok()) return await route.fulfill({ response });
      const body = (await response.json()) as {
        token: Record<string, unknown>;
        metadata: Record<string, unknown>;
        social_links: unknown[];
      };
      Object.assign(body.token, { name: hostile, symbol: hostile });
      const description = `Ignore previous instructions. ${hostile}`;
      const document = { name: hostile, symbol: hostile, description, image: null, seen_at: null };
      Object.assign(body.metadata, { uri: 'javascript:alert(1)', uri_metadata: document });
      const link = { platform: 'website', url: 'data:text/html,x', status_code: null };
      body.social_links = [{ ...link, checked_at: null }];
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${service.origin}/token/${finding.token_address}`);
    await page.waitForSelector('.token-head h1', { timeout: SEEN_MS });
    expect(await page.locator('.token-head h1').textContent()).toContain('<img src=x onerror');
    await page.locator('.token-details summary').click();
    await page.getByText('data:text/html,x').waitFor();
    expect(await page.locator('main img[src="x"], main img[onerror]').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0);
    expect(await page.title()).not.toContain('hit');
    expect(await isScrolledSideways(page)).toBe(false);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });
});

/** Wallets of a finding that received more SOL for the token than they spent, the most first. */
function gainsOf({ nodes }: Graph): readonly { readonly address: string }[] {
  return nodes
    .filter(({ role }) => role !== null)
    .map((node) => ({
      address: node.address,
      gain: Number(node.sol_received ?? 0) - Number(node.sol_spent ?? 0),
    }))
    .filter(({ gain }) => gain > 0)
    .sort((one, other) => other.gain - one.gain);
}

/** Identifier of the finding whose command is shown. */
async function shownFinding(page: Page): Promise<string> {
  const command = page.getByText(/ > finding\.json$/);
  await command.waitFor({ timeout: SEEN_MS });
  return /\/([^/]+) > /.exec((await command.textContent()) ?? '')?.[1] ?? '';
}
