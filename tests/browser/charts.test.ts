import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDashboard } from '../../src/api/http/dashboard.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { hasBrowser, seriousFindings, TestBrowser, watch } from './support/browser.ts';

/** The charts alone, under the policy of the dashboard. */
describe.skipIf(!hasBrowser)('charts', () => {
  let server: ReturnType<typeof fakeApiServer>;
  let browser: TestBrowser;

  beforeAll(async () => {
    const outDir = join(temporaryFolder(), 'dist');
    mkdirSync(outDir);
    await build({
      configFile: resolve('web/vite.config.ts'),
      logLevel: 'error',
      build: { outDir, rolldownOptions: { input: resolve('web/samples/charts.html') } },
    });
    renameSync(join(outDir, 'samples/charts.html'), join(outDir, 'index.html'));
    writeFileSync(join(outDir, 'paths.json'), '["/"]');
    server = fakeApiServer({}, { dashboard: readDashboard(outDir) });
    await server.listen({ port: 0, host: '127.0.0.1' });
    browser = await TestBrowser.launch();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('are drawn, follow the theme and answer the keyboard within the policy of the page', async () => {
    const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const page = await browser.newPage();
    const problems = watch(page, origin);
    await page.goto(origin);
    await page.waitForSelector('[aria-label=Candles] canvas');
    await page.waitForSelector('[aria-label=Lines] canvas');
    await page.getByRole('button', { name: 'Next candle' }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Payer paid Creator: 1 SOL' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Opened e').waitFor();
    await page.getByRole('button', { name: 'Creator, creator' }).click();
    await page.getByText('Opened b').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
