import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasBrowser,
  SEEN_MS,
  type SimulatedService,
  startSimulatedService,
  TestBrowser,
} from './support/browser.ts';

const START_MS = 400_000;

/** A service that is killed and started again while its page is open. */
describe.skipIf(!hasBrowser)('an open page', () => {
  let service: SimulatedService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSimulatedService(), TestBrowser.launch()]);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(
    'resumes after a restart of the service without being loaded again, and says what it missed',
    async () => {
      const { page } = await browser.open(`${service.origin}/market?order=newest&window=5m`);
      await page.waitForSelector('[data-connection=live]');
      await page.waitForSelector('.table tbody tr.opens', { timeout: SEEN_MS });
      await page.evaluate('globalThis.isSamePage = true');
      const { port } = new URL(service.origin);
      await service.stop();
      await page.waitForSelector('[data-connection=reconnecting], [data-connection=stale]');
      // What was read stays in sight while the service is away.
      expect(await page.locator('.table tbody tr.opens').count()).toBeGreaterThan(0);
      service = await startSimulatedService(['--port', port]);
      await page.waitForSelector('[data-connection=live]', { timeout: SEEN_MS });
      await page.getByText(/^Missed .* of messages$/).waitFor();
      expect(await service.ask('/v1/tokens?limit=1')).toHaveProperty('items');
      await page.getByText('This is older').waitFor({ state: 'detached', timeout: SEEN_MS });
      const slotOf = async () => await page.locator('.status-slot').textContent();
      const slot = await slotOf();
      await expect.poll(slotOf, { timeout: SEEN_MS }).not.toBe(slot);
      expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
      expect(await page.getByLabel('API key', { exact: true }).count()).toBe(0);
      expect(new URL(page.url()).search).toBe('?order=newest&window=5m');
    },
    START_MS,
  );
});
