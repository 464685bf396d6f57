import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readDocSite } from '../../src/api/http/doc-site.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import {
  hasBrowser,
  isScrolledSideways,
  seriousFindings,
  TestBrowser,
  watch,
} from './support/browser.ts';

const MEMORY_MAX_BYTES = 8 * 1_048_576;
const site = readDocSite(resolve('docs/dist'));
if (site === null) {
  process.stdout.write('SKIPPING the documentation: run "npm run site:build".\n');
}

test.skipIf(site === null)('the built documentation takes at most 8 MiB of memory', () => {
  const files = [...(site?.files.values() ?? []), ...(site === null ? [] : [site.list])];
  const sum = () => files.reduce((bytes, { heldBytes }) => bytes + heldBytes, 0);
  expect(sum()).toBeLessThanOrEqual(MEMORY_MAX_BYTES);
  // Once each was asked for by a client that accepts gzip only.
  for (const { gzip } of files) gzip?.at(0);
  expect(sum()).toBeLessThanOrEqual(MEMORY_MAX_BYTES);
  expect(files.length).toBeGreaterThan(200);
});

describe.skipIf(!hasBrowser || site === null)('the documentation in a browser', () => {
  let browser: TestBrowser;
  let server: FastifyInstance;
  let origin = '';

  beforeAll(async () => {
    server = fakeApiServer({}, { docSite: site });
    await server.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    browser = await TestBrowser.launch();
  });
  afterEach(async () => await browser.closePages());
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  const open = async (path: string, width = 1_280, colorScheme: 'light' | 'dark' = 'light') => {
    const page = await browser.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const problems = watch(page, origin);
    await page.goto(origin + path);
    return { page, problems };
  };

  test.each([
    ['/docs/', 390, 'light'],
    ['/docs/operations', 390, 'dark'],
    ['/docs/endpoints/tokens', 390, 'light'],
    ['/docs/programs', 1_000, 'dark'],
    ['/docs/detectors/fake_dump', 1_800, 'dark'],
    ['/docs/readme', 1_280, 'light'],
  ] as const)(
    '%s at %i pixels, %s, fits its window, is readable and asks nobody else',
    async (path, width, scheme) => {
      const { page, problems } = await open(path, width, scheme);
      expect(await isScrolledSideways(page)).toBe(false);
      expect(await seriousFindings(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test('is searched with the keyboard alone', async () => {
    const { page, problems } = await open('/docs/');
    await page.keyboard.press('/');
    await page.keyboard.type('coordinated exi');
    await page.locator('#results li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/detectors\/coordinated_exit/);
    expect(problems).toEqual([]);
  });

  test('says when nothing is found, and Escape closes the search', async () => {
    const { page } = await open('/docs/');
    await page.getByRole('searchbox').fill('zzzzqqqq');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isVisible()).toBe(false);
  });

  test('shows what is found as text', async () => {
    const { page, problems } = await open('/docs/');
    await page.getByRole('searchbox').fill('escapes html script');
    await page
      .getByText(/sections?$|Nothing found/)
      .first()
      .waitFor();
    expect(await page.locator('#results script, #results img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('keeps the chosen theme, which is that of the dashboard', async () => {
    const { page, problems } = await open('/docs/');
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.goto(`${origin}/docs/glossary`);
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await page.evaluate("localStorage.getItem('mintscope-theme')")).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(13, 17, 23)',
    );
    expect(problems).toEqual([]);
  });

  test('leads to the place of an anchor and back to its list of headings', async () => {
    const { page } = await open('/docs/operations#backup-and-restore', 1_400);
    const heading = page.locator('#backup-and-restore');
    const { y = -1 } = (await heading.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(52);
    expect(y).toBeLessThan(200);
    await page.getByRole('navigation', { name: 'On this page' }).getByText('Sizing').click();
    expect(new URL(page.url()).hash).toBe('#sizing');
  });
});
