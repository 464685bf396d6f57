import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDashboard } from '../../src/api/http/dashboard.ts';
import { asSlot } from '../../src/model/units.ts';
import { fakeApiDeps, READ_KEY } from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  seriousFindings,
  TestBrowser,
} from './support/browser.ts';

const VERSION = '1.2.3';

/** Of a service without sources, webhooks and gathering. */
const METRICS = `# HELP mintscope_unwritten_slots Final slots waiting to be written.
mintscope_unwritten_slots 1234
mintscope_tail_slots 32
mintscope_lane_waiting_requests{lane="current"} 0
mintscope_lane_waiting_requests{lane="query"} 3
mintscope_lane_waiting_requests{lane="<b>"} 4
mintscope_state_disk_bytes 1572864
`;

/** The pages about the service, over exact cases of it. */
describe.skipIf(!hasBrowser)('operations and about', () => {
  let server: ReturnType<typeof fakeApiServer>;
  let browser: TestBrowser;
  let origin: string;
  let isReady = true;
  let isMeasured = true;

  beforeAll(async () => {
    const { chain, metrics } = fakeApiDeps();
    const coverage = await chain.coverage();
    server = fakeApiServer(
      {
        // Answers of /readyz are kept for a moment.
        steadyNowMs: () => performance.now(),
        metrics: {
          ...metrics,
          render: async () => (isMeasured ? METRICS : Promise.reject(new Error('no metrics'))),
        },
        chain: {
          ...chain,
          standstill: () => null,
          coverage: () =>
            Promise.resolve({
              ...coverage,
              gaps: [
                {
                  from: asSlot(120),
                  to: asSlot(129),
                  reason: 'no provider has them',
                  sinceMs: 0,
                  tries: 4,
                  afterMs: 0,
                  beforeMs: 0,
                },
              ],
              programs: {
                pump: { event: 90, ignored: 9, unknown: 1, malformed: 0, quarantined: 2 },
              },
            }),
          readiness: () =>
            Promise.resolve({
              isReady,
              checks: {
                store_writable: { ok: isReady, detail: isReady ? 'ok' : 'No space left on device' },
                venues: { ok: false, detail: '<b>pump</b> since slot 120: 31.20 % unknown' },
              },
            }),
        },
      },
      { version: VERSION, dashboard: readDashboard('web/dist') },
    );
    await server.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    browser = await TestBrowser.launch();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string, options: Parameters<TestBrowser['open']>[1] = {}) {
    const opened = await browser.open(`${origin}${path}`, { ...options, isAskedForKey: true });
    await opened.page.getByLabel('API key', { exact: true }).fill(READ_KEY);
    await opened.page.keyboard.press('Enter');
    await opened.page.waitForSelector('main h1');
    return opened;
  }

  test('operations name alarms, gaps and what is not decoded', async () => {
    const { page, problems } = await open('/operations');
    const checks = page.getByRole('region', { name: 'Checks' });
    await checks.getByText('<b>pump</b> since slot 120: 31.20 % unknown').waitFor();
    await checks.getByText('alarm', { exact: true }).waitFor();
    await checks.getByText('Ready', { exact: true }).waitFor();
    const gap = page.getByRole('table', { name: 'Gaps' }).locator('tbody tr');
    expect(await gap.locator('td').allTextContents()).toEqual([
      '120–129',
      '10',
      '4',
      'no provider has them',
      expect.stringContaining('1970-01-01'),
    ]);
    const program = page.getByRole('table', { name: 'Decoding by program' }).locator('tbody tr');
    expect(await program.locator('td').allTextContents()).toEqual([
      'pump',
      '100',
      '90',
      '9',
      '99.00%',
      '1',
      '0',
      '2',
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('operations say how much work waits, and what is not known', async () => {
    const { page, problems } = await open('/operations');
    const panel = page.getByRole('region', { name: 'Queues and disk' });
    const amount = (name: string) =>
      panel
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    await amount('Slots to store').waitFor();
    expect(await amount('Slots to store').textContent()).toBe('1,234');
    expect(await amount('Slots not final').textContent()).toBe('32');
    expect(await amount('Requests waiting').textContent()).toBe('7 query 3, <b> 4');
    expect(await amount('Files of the state').textContent()).toBe('1.5 MiB');
    expect(await amount('Webhook deliveries').textContent()).toBe('–This service has none');
    expect(problems).toEqual([]);
    isMeasured = false;
    await panel.getByText(/This is older: it could not be read again/).waitFor();
    expect(await amount('Slots to store').textContent()).toBe('1,234');
    isMeasured = true;
  });

  test('operations say why the service is not ready', async () => {
    isReady = false;
    const { page } = await open('/operations', { width: 390, colorScheme: 'dark' });
    await page.getByText('Not ready', { exact: true }).waitFor({ timeout: SEEN_MS });
    await page.getByText(/No space left on device/).waitFor();
    expect(await isScrolledSideways(page)).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    isReady = true;
  });

  test('operations keep what was read while it cannot be read again, and say so', async () => {
    const { page } = await open('/operations');
    const program = page.getByRole('table', { name: 'Decoding by program' }).locator('tbody tr');
    await program.first().waitFor();
    await page.route('**/v1/coverage', (route) =>
      route.fulfill({ status: 422, json: { code: 422, message: 'Not now.' } }),
    );
    const notices = page.getByText('This is older: it could not be read again. Not now.');
    await notices.first().waitFor();
    expect(await program.count()).toBe(1);
    await page.unroute('**/v1/coverage');
    await notices.first().waitFor({ state: 'detached' });
  });

  test('operations show the key in use, and end its session', async () => {
    const { page, problems } = await open('/operations');
    const panel = page.getByRole('region', { name: 'Your key' });
    await panel.getByText('read', { exact: true }).waitFor();
    await panel.getByText(/of 100,000/).waitFor();
    await panel.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('about names the version of the service and links to its reference', async () => {
    const { page, problems } = await open('/about');
    await page.getByText(VERSION, { exact: true }).waitFor();
    for (const path of ['/docs/', '/openapi.json']) {
      const link = page.locator(`main a[href="${path}"]`);
      expect((await fetch(`${origin}${await link.getAttribute('href')}`)).status).toBe(200);
    }
    await page.getByRole('button', { name: 'https://www.tradingview.com/' }).click();
    const out = page.getByRole('dialog').getByRole('link');
    expect(await out.getAttribute('href')).toBe('https://www.tradingview.com/');
    expect(await out.getAttribute('rel')).toContain('noopener');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
