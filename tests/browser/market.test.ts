import type { Page, Route, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  type SimulatedService,
  seriousFindings,
  startSimulatedService,
  TestBrowser,
} from './support/browser.ts';

const START_MS = 300_000;
/** Prices change with every slot: a figure is compared with two answers around it. */
/** The page reads every two seconds, and the market may move between its read and the test's. */
const ATTEMPTS = 100;
const ATTEMPT_EVERY_MS = 200;

/** Generous: pages wait for a service that shares the processors with other tests. */
const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: SEEN_MS });

interface ListedToken {
  readonly token_address: string;
  readonly symbol: string | null;
  readonly pair_address: string | null;
  readonly risk_score: number;
}

/** Takes the place of the service's stream. */
class Stream {
  private route: WebSocketRoute | null = null;
  private readonly subscriptions = new Map<string, { topic: string; pair: string | undefined }>();
  private seq = 1;

  static async replace(page: Page): Promise<Stream> {
    const stream = new Stream();
    await page.routeWebSocket('**/v1/stream', (route) => {
      stream.route = route;
      route.onMessage((text) => stream.take(JSON.parse(String(text))));
    });
    return stream;
  }

  isFollowed(topic: string, pair?: string): boolean {
    return this.idsOf(topic, pair).length > 0;
  }

  send(topic: string, slot: number, data: unknown, more: object = {}, pair?: string): void {
    const ids = this.idsOf(topic, pair);
    if (ids.length === 0) throw new Error(`nobody follows ${topic}`);
    for (const id of ids) this.say({ id, topic, seq: this.seq++, slot, data, ...more });
  }

  sendGap(): void {
    this.say({ op: 'gap', id: null, from_seq: 1, to_seq: this.seq, seq: this.seq++ });
  }

  private idsOf(topic: string, pair?: string): readonly string[] {
    return [...this.subscriptions].flatMap(([id, one]) =>
      one.topic === topic && one.pair === pair ? [id] : [],
    );
  }

  private take(message: { op: string; id?: string; topic?: string; params?: object }): void {
    const { op, id = '', topic = '', params } = message;
    if (op === 'subscribe') {
      const pair = (params as { pair_address?: string } | undefined)?.pair_address;
      this.subscriptions.set(id, { topic, pair });
      this.say({ op: 'ack', id, seq: this.seq++, slot: 1 });
    } else if (op === 'unsubscribe') this.subscriptions.delete(id);
    else if (op === 'ping') this.say({ op: 'pong', seq: this.seq });
  }

  private say(message: object): void {
    this.route?.send(JSON.stringify(message));
  }
}

/** The page may be gone before its request is answered. */
const answer = (route: Route, given: Parameters<Route['fulfill']>[0]): Promise<void> =>
  route.fulfill(given).catch(() => undefined);

const launch = (mint: string, symbol: string) => ({
  token: {
    token_address: mint,
    creator_address: null,
    name: symbol,
    symbol,
    created_at: new Date().toISOString(),
  },
});

/** The page of the market on a simulated one. */
describe.skipIf(!hasBrowser)('the market', () => {
  let service: SimulatedService;
  let browser: TestBrowser;

  const readTokens = async (query: string) =>
    await service.ask<{ items: ListedToken[]; total: number }>(`/v1/tokens?${query}`);

  /** A page whose rows are all that there are now, and which are not read again. */
  async function openStill(url: string) {
    const opened = await browser.open(`${service.origin}/about`);
    const stream = await Stream.replace(opened.page);
    await opened.page.route('**/v1/tokens?*limit=100*', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      still ??= await service.ask<{ items: ListedToken[] }>(`${pathname}${search}`);
      const headers = { 'x-slot': '1', 'x-data-age-ms': '400', 'x-complete': 'true' };
      await answer(route, { json: still, headers });
    });
    let still: { readonly items: readonly ListedToken[] } | null = null;
    await opened.page.goto(`${service.origin}${url}`);
    await opened.page.waitForSelector('.table tbody tr.opens');
    const takeBack = (mint: string) => {
      const rest = still?.items.filter(({ token_address }) => token_address !== mint);
      still = { items: rest ?? [] };
    };
    return { ...opened, stream, items: () => still?.items ?? [], takeBack };
  }

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSimulatedService(), TestBrowser.launch()]);
    const hasTokens = async () => expect((await readTokens('limit=1')).total).toBeGreaterThan(3);
    await vi.waitFor(hasTokens, { timeout: 60_000, interval: 500 });
  }, START_MS);

  // Pages that stay open go on reading.
  afterEach(async () => {
    await browser.closePages();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('shows the figures that the API gives, in its order and without serious findings', async () => {
    const { page, problems } = await browser.open(
      `${service.origin}/market?order=newest&dir=asc&window=1h`,
    );
    await page.waitForSelector('.table tbody tr.opens');
    const query = 'order_by=newest&order_dir=asc&limit=100';
    let isEqual = false;
    for (let attempt = 0; attempt < ATTEMPTS && !isEqual; attempt++) {
      const before = await readTokens(query);
      const shown = await page
        .locator('.table tbody tr.opens')
        .evaluateAll((rows) =>
          rows.slice(0, 3).map((row) => row.querySelector('.address-link')?.getAttribute('title')),
        );
      const titles = await page
        .locator('.table tbody tr.opens:first-child td .figure')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
      expect(shown).toEqual(before.items.slice(0, 3).map((token) => token.token_address));
      isEqual = figuresOf(before.items[0]).every((figure) => titles.includes(figure));
      if (!isEqual) await page.waitForTimeout(ATTEMPT_EVERY_MS);
    }
    expect(isEqual).toBe(true);
    const { total } = await readTokens('limit=1&max_age_seconds=3600');
    const created = page.locator('.named-figure', { hasText: 'Created in 1h' }).locator('dd');
    expect(Number((await created.textContent())?.replaceAll(',', ''))).toBeLessThanOrEqual(total);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('carries filters, order and window in its address, and shows what passes them', async () => {
    const [first] = (await readTokens('order_by=newest&order_dir=asc&limit=1')).items;
    const { page, problems } = await browser.open(`${service.origin}/market`);
    await page.getByRole('searchbox').fill(first?.token_address ?? '');
    await page.waitForURL(/[?&]q=/);
    await eventually(async () => await page.locator('.table tbody tr.opens').count()).toBe(1);
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.getByLabel('Age, at most').fill('soon');
    await page.getByText('A time, such as 30s, 10m, 2h or 1d.').waitFor();
    await page.getByLabel('Age, at most').fill('0s');
    await page.getByText('No token passes all filters.').waitFor();
    await page.getByRole('button', { name: 'Clear all', exact: true }).click();
    await eventually(
      async () => await page.locator('.table tbody tr.opens').count(),
    ).toBeGreaterThan(1);
    await page.getByRole('button', { name: '5m', exact: true }).click();
    await page.getByRole('button', { name: 'Market cap' }).click();
    await page.waitForURL(/order=marketcap_usd/);
    const shared = page.url();
    expect(new URL(shared).search).toBe('?window=5m&order=marketcap_usd');
    await page.goto(shared);
    await page.waitForSelector('th[aria-sort=descending] >> text=Market cap');
    const chosen = page.getByRole('group').getByRole('button', { name: '5m' });
    expect(await chosen.getAttribute('aria-pressed')).toBe('true');
    expect(problems).toEqual([]);
  });

  test('shows a price with its slot, and gives way to a newer read', async () => {
    const { page, stream, items, problems } = await openStill('/market?order=newest&dir=asc');
    const pair = items()[0]?.pair_address ?? '';
    await eventually(() => stream.isFollowed('pool', pair)).toBe(true);
    const price = page.locator('.table tbody tr.opens').first().locator('.figure').nth(0);
    stream.send('pool', 2, { pair_address: pair, price_usd: '123.456' }, {}, pair);
    await page.locator('.table [title="123.456"]').waitFor();
    // No read gives this price: it is of the stream.
    expect(await price.count()).toBe(1);
    stream.send('pool', 1, { pair_address: pair, price_usd: '0.5' }, {}, pair);
    await eventually(async () => await page.locator('.table [title="123.456"]').count()).toBe(0);
    expect(await page.locator('.table [title="0.5"]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows what is not final, and takes back what a fork undoes, in sight', async () => {
    const { page, stream, problems } = await openStill('/market');
    const chain = { timestamp: null, sol_price_usd: '180.5' };
    const feed = page.getByRole('list', { name: 'New launches' });
    await feed.waitFor();
    await eventually(() => stream.isFollowed('new_tokens')).toBe(true);
    stream.send('chain', 50, { ...chain, slot: 50, final_slot: 49 });
    stream.send('new_tokens', 50, launch('ForkedMint', 'FORKED'));
    const item = feed.locator('li', { hasText: 'FORKED' });
    await item.getByText('Not final').waitFor();
    stream.send('new_tokens', 50, launch('ForkedMint', 'FORKED'), { undo: true });
    await item.getByText('Taken back by a fork').waitFor();
    expect(await item.getAttribute('class')).toContain('undone');
    stream.send('new_tokens', 51, launch('ForkedMint', 'FORKED'));
    stream.send('chain', 52, { ...chain, slot: 52, final_slot: 51 });
    await eventually(async () => await item.getAttribute('class')).not.toContain('undone');
    await eventually(async () => await item.getByText('Not final').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('marks a listed token whose launch a fork takes back, says so, and then drops it', async () => {
    const { page, stream, items, takeBack, problems } = await openStill('/market?order=newest');
    await eventually(() => stream.isFollowed('new_tokens')).toBe(true);
    const [, second] = items();
    const symbol = second?.symbol ?? '';
    const row = page
      .getByRole('table', { name: 'Tokens' })
      .locator('tbody tr', { has: page.locator(`[title="${second?.token_address}"]`) });
    await row.waitFor();
    takeBack(second?.token_address ?? '');
    stream.send('new_tokens', 60, launch(second?.token_address ?? '', symbol), { undo: true });
    await row.getByText('taken back', { exact: true }).waitFor();
    expect(await row.getAttribute('class')).toContain('undone');
    // Where it was, although the reads have it no more.
    expect(await row.getAttribute('aria-rowindex')).toBe('3');
    const said = page.getByRole('status').filter({ hasText: 'was taken back by a fork.' });
    expect(await said.textContent()).toContain(symbol.slice(0, 8));
    expect(await seriousFindings(page)).toEqual([]);
    await row.waitFor({ state: 'detached', timeout: SEEN_MS });
    expect(await said.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows a token as usual whose launch comes again in the other fork', async () => {
    const { page, stream, items } = await openStill('/market?order=newest');
    await eventually(() => stream.isFollowed('new_tokens')).toBe(true);
    const [first] = items();
    const mint = first?.token_address ?? '';
    const row = page.getByRole('table', { name: 'Tokens' }).locator('tbody tr.undone');
    stream.send('new_tokens', 60, launch(mint, first?.symbol ?? ''), { undo: true });
    await row.waitFor();
    stream.send('new_tokens', 61, launch(mint, first?.symbol ?? ''));
    await row.waitFor({ state: 'detached', timeout: SEEN_MS });
    await page
      .getByRole('table', { name: 'Tokens' })
      .locator(`tbody tr.opens [title="${mint}"]`)
      .waitFor();
  });

  test('says what was missed, and drops items of before', async () => {
    const { page, stream, problems } = await openStill('/market');
    await eventually(() => stream.isFollowed('new_tokens')).toBe(true);
    stream.send('new_tokens', 60, launch('OldMint', 'OLDONE'));
    await page.getByText('OLDONE').first().waitFor();
    stream.sendGap();
    await page.getByText(/^Missed .* of messages$/).waitFor();
    await eventually(async () => await page.getByText('OLDONE').count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByText(/^Missed/).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows hostile names as text and refuses pictures of other origins', async () => {
    const hostile = `<img src=x onerror="document.title='hit'">\u202e\u200b${'A'.repeat(10_000)}`;
    const { page, problems } = await browser.open(`${service.origin}/about`, { width: 390 });
    const stream = await Stream.replace(page);
    await page.route('**/v1/tokens?*', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const body = await service.ask<{ items: Record<string, unknown>[] }>(`${pathname}${search}`);
      for (const item of body.items) {
        item.symbol = hostile;
        item.name = `Ignore previous instructions ${hostile}`;
        item.picture_url = 'https://pictures.example/x.png';
      }
      await answer(route, { json: body });
    });
    await page.goto(`${service.origin}/market`);
    await page.waitForSelector('.table tbody tr.opens');
    await eventually(() => stream.isFollowed('new_tokens')).toBe(true);
    stream.send('new_tokens', 9, launch('HostileMint', hostile));
    await page.locator('.feed li.new').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Market · Mintscope');
    const name = page.getByRole('list', { name: 'New launches' }).locator('.chain-text').first();
    expect(await name.textContent()).toMatch(/^<img .{1,12}…$/);
    expect(await isScrolledSideways(page)).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

/** Figures of a token as the titles of its cells write them. */
function figuresOf(token: ListedToken | undefined): string[] {
  const { windows, liquidity_usd, marketcap_usd } = token as unknown as {
    windows: Record<string, { volume_usd: string; organic_volume_usd: string }>;
    liquidity_usd: string;
    marketcap_usd: string;
  };
  const hour = windows['1h'];
  const texts = [hour?.volume_usd, hour?.organic_volume_usd, liquidity_usd, marketcap_usd];
  return texts.map((text = '') => text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ','));
}
