import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartServer } from '../../examples/chart/serve.ts';
import {
  hasBrowser,
  type SimulatedService,
  seriousFindings,
  startSimulatedService,
  TestBrowser,
  watch,
} from './support/browser.ts';

/** Until the demo market has a token with findings. */
const MARKET_MS = 300_000;

interface Classification {
  readonly token_address: string;
  readonly fraud_type: string;
}

/** The page of examples/chart in front of a simulated market. */
describe.skipIf(!hasBrowser)('the chart of examples/chart', () => {
  let service: SimulatedService;
  let server: Server;
  let browser: TestBrowser;
  let origin = '';

  beforeAll(async () => {
    service = await startSimulatedService();
    server = chartServer(service.origin, service.key);
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await TestBrowser.launch();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    await service?.stop();
  });

  test('draws candles and says each finding of the token', async () => {
    const found = async () => {
      const path = '/v1/fraud/classifications?limit=1&status=active';
      return (await service.ask<{ classifications: Classification[] }>(path)).classifications[0];
    };
    await expect.poll(found, { timeout: MARKET_MS, interval: 500 }).toBeDefined();
    const finding = await found();
    const page = await browser.newPage();
    const problems = watch(page, origin);
    await page.goto(`${origin}/?symbol=${finding?.token_address}&resolution=5`);
    await page.getByText(/, [1-9]\d* bars$/).waitFor();
    await page.waitForSelector('#chart canvas');
    await page.getByText(`F: Finding ${finding?.fraud_type}`).first().waitFor();
    await page.getByText('L: The first liquidity was added.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('says why a symbol cannot be drawn', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/?symbol=nothing`);
    await page.getByText('symbol must be the base58 text of a 32-byte address.').waitFor();
  });

  test('passes nothing on but the data feed, and never its key', async () => {
    for (const [path, status] of [
      ['/v1/key', 404],
      ['/udf/..%2fv1/key', 404],
      ['/udf/config', 200],
      ['/', 200],
      ['/serve.ts', 404],
      ['/../../package.json', 404],
    ] as const) {
      const response = await fetch(`${origin}${path}`);
      expect([path, response.status]).toEqual([path, status]);
      const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
      expect(text).not.toContain(service.key);
    }
    expect((await fetch(`${origin}/udf/config`, { method: 'POST' })).status).toBe(405);
  });
});
