import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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

/** The frame of the dashboard on a simulated market. */
describe.skipIf(!hasBrowser)('the dashboard', () => {
  let service: SimulatedService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSimulatedService(), TestBrowser.launch()]);
  }, START_MS);

  // Pages that stay open go on reading.
  afterEach(async () => {
    await browser.closePages();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('opens without a key, lists tokens, and is live', async () => {
    const { page, problems } = await browser.open(service.origin);
    await page.waitForSelector('[data-connection=live]');
    // The first slots of the market.
    await page.waitForSelector('.table tbody tr.opens', { timeout: SEEN_MS });
    const status = page.locator('.status-line');
    await status.getByText('Simulated', { exact: true }).waitFor();
    expect(await status.textContent()).toMatch(/Slot [\d,]+\d+[smhd].* old(C|Inc)omplete/);
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
    const slotOf = async () => await page.locator('.status-slot').textContent();
    const first = await slotOf();
    await expect.poll(slotOf, { timeout: SEEN_MS }).not.toBe(first);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('lists first the token that the API lists first', async () => {
    const { page } = await browser.open(`${service.origin}/market?order=newest&dir=asc`);
    await page.waitForSelector('.table tbody tr.opens');
    const { items } = await service.ask<{ items: { token_address: string }[] }>(
      '/v1/tokens?order_by=newest&order_dir=asc&limit=1',
    );
    const first = page.locator('.table tbody tr.opens').first().locator('.address-link');
    expect(await first.getAttribute('title')).toBe(items[0]?.token_address);
  });

  test('asks for a key where none is known, refuses a wrong one, and keeps a right one nowhere', async () => {
    const { page, problems } = await browser.open(`${service.origin}/market`, {
      isAskedForKey: true,
    });
    const field = page.getByLabel('API key', { exact: true });
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This key is not valid.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await field.fill(service.key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.table tbody tr.opens');
    await page.reload();
    await page.waitForSelector('.table tbody tr.opens');
    expect(await page.evaluate('JSON.stringify([localStorage, document.cookie])')).not.toContain(
      service.key,
    );
    expect(problems).toEqual([]);
  });

  test('is dark or light as the system or the person wants, from the first picture on', async () => {
    const { page, problems } = await browser.open(service.origin, { colorScheme: 'dark' });
    const background = async () =>
      await page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.waitForSelector('.table tbody tr.opens');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Theme').selectOption('light');
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    await page.waitForSelector('.shell');
    expect(await background()).toBe(light);
    expect(problems).toEqual([]);
  });

  test.each(['/market', '/signals', '/alerts', '/rules', '/operations', '/about'])(
    'shows %s on a narrow screen',
    async (path) => {
      const url = `${service.origin}${path}`;
      const { page, problems } = await browser.open(url, { width: 390 });
      await page.waitForSelector('main h1');
      await page.waitForSelector('.loading', { state: 'detached' });
      expect(await isScrolledSideways(page)).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Alerts' }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test('opens a token with the keyboard alone, and goes back', async () => {
    const { page, problems } = await browser.open(service.origin);
    await page.waitForSelector('.table tbody tr.opens');
    await page.locator('.table-frame').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/token\/\w+$/);
    await page.waitForSelector('.token-head h1');
    await page.goBack();
    await page.waitForSelector('main h1:text("Market")');
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('finds a token by its address', async () => {
    const { page, problems } = await browser.open(service.origin);
    const first = page.locator('.table tbody tr.opens .address-link').first();
    const address = (await first.getAttribute('title')) ?? '';
    await page.keyboard.press('/');
    await page.keyboard.insertText(address);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/token/${address}`);
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('shows hostile text as text, within its cell', async () => {
    const hostile = `<img src=x onerror="document.title='hit'">\u202e\u200b${'A'.repeat(10_000)}`;
    const { page, problems } = await browser.open(`${service.origin}/about`);
    await page.route('**/v1/tokens?*', async (route) => {
      const response = await route.fetch();
      // A refusal, as of a busy service, is the page's to repeat.
      if (!response.ok()) return await route.fulfill({ response });
      const body = (await response.json()) as { items: { symbol: string; name: string }[] };
      for (const item of body.items) item.symbol = hostile;
      await route.fulfill({ response, json: body });
    });
    await page.getByRole('link', { name: 'Market', exact: true }).click();
    const shown = page.locator('.table tbody .chain-text').first();
    await shown.waitFor();
    expect(await shown.textContent()).toBe('<img src=x oner…');
    expect(await page.locator('main img[src="x"], main img[onerror]').count()).toBe(0);
    expect(await page.title()).toBe('Market · Mintscope');
    expect(await isScrolledSideways(page)).toBe(false);
    expect(problems).toEqual([]);
  });
});
