import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThumbnailSide } from '../../src/model/thumbnail.ts';
import { address } from '../support/build-transaction.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeToken,
  fakeTokenListing,
  READ_KEY,
} from '../support/fake-api-deps.ts';
import { hasBrowser, SEEN_MS, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed } from './support/fake-pages.ts';

const ROWS = 100;
const BURST = 1_000;
const HASH = '0123456789abcdef';
const MINTS = Array.from({ length: ROWS }, (_, row) => address(`token ${row}`));
/** Has no picture; that of the one after it cannot be decoded. */
const [BARE = '', BROKEN = ''] = MINTS;

const listings = MINTS.map((mint, row) =>
  fakeTokenListing({ token: fakeToken({ mint, symbol: `T${row}`, name: `Token ${row}` }) }),
);

/** A market of a hundred tokens with pictures, at a moment that does not pass. */
async function listenWithPictures() {
  const picture = await sharp({
    create: { width: 64, height: 64, channels: 3, background: { r: 200, g: 30, b: 30 } },
  })
    .webp()
    .toBuffer();
  const asked: ThumbnailSide[] = [];
  const page = { items: listings, total: ROWS, next: null, isComplete: true };
  const served = await listenWithPages(
    {
      nowMs: () => 1_700_000_000_000,
      tokens: {
        ...fakeApiDeps().tokens,
        search: async () => asOfFakeSlot(page),
        find: (mint) => listings.find(({ token }) => token.mint === mint)?.token ?? null,
      },
      offchain: {
        ...fakeApiDeps().offchain,
        thumbnailHashOf: (mint) => (mint === BARE ? null : HASH),
        thumbnailOf: (mint, side) => {
          asked.push(side);
          return { hash: HASH, bytes: mint === BROKEN ? Buffer.from('RIFF') : picture };
        },
      },
    },
    { rateLimitPerMinute: 10 * BURST, rateLimitBurst: BURST },
  );
  return { ...served, asked };
}

/** Requests of a page to the API, pictures apart. */
function countRequests(page: Page) {
  const seen = { pictures: new Set<string>(), others: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/picture$/.test(pathname)) seen.pictures.add(pathname);
    else if (/^\/v1\/(?!session)/.test(pathname)) seen.others++;
  });
  return seen;
}

describe.skipIf(!hasBrowser)('pictures of tokens', () => {
  let served: Awaited<ReturnType<typeof listenWithPictures>>;
  let browser: TestBrowser;

  beforeAll(async () => {
    [served, browser] = await Promise.all([listenWithPictures(), TestBrowser.launch()]);
  });

  afterAll(async () => {
    await browser?.close();
    await (served?.server as FastifyInstance | undefined)?.close();
  });

  const remaining = async () => {
    const answer = await fetch(`${served.origin}/v1/key`, { headers: { 'x-api-key': READ_KEY } });
    return Number(answer.headers.get('ratelimit-remaining'));
  };

  const openMarket = async () =>
    await openStreamed(browser, served.origin, '/market', { key: READ_KEY });

  test('a page of a hundred rows with pictures takes nothing from the budget of requests', async () => {
    const { page } = await openMarket();
    await page.goto('about:blank');
    const seen = countRequests(page);
    const before = await remaining();
    await page.goto(`${served.origin}/market`);
    await page.locator('.table tbody tr.opens').first().waitFor();
    const shown = () => page.locator('.table tbody img.token-picture');
    await shown().first().waitFor();
    let row = 0;
    const scrollOn = async () => {
      row = (row + 10) % ROWS;
      await page.locator('.table-frame').evaluate((frame, px) => frame.scrollTo(0, px), row * 34);
      return seen.pictures.size;
    };
    // Of all tokens but the one without.
    await expect.poll(scrollOn, { timeout: SEEN_MS }).toBe(ROWS - 1);
    // Reads go on meanwhile: the page is left before they are counted.
    await page.goto('about:blank');
    const others = seen.others;
    expect(others).toBeGreaterThan(1);
    // Time stands still: nothing comes back to the key. The last of its requests is that of `before`.
    expect(before - (await remaining())).toBeLessThanOrEqual(others + 1);
  });

  test('rows show the thumbnail, and a letter of the same size where there is none', async () => {
    const { page } = await openMarket();
    const pictureOf = (mint: string) =>
      page.locator(`.table .market-token[title="${mint}"] .token-picture`);
    const size = async (mint: string) => {
      const { width, height } = (await pictureOf(mint).boundingBox()) ?? {};
      return [width, height];
    };
    await page.locator('.table tbody tr.opens').first().waitFor();
    const [, , whole = ''] = MINTS;
    await expect
      .poll(
        () =>
          pictureOf(whole).evaluate(
            (image) => (image as unknown as { naturalWidth: number }).naturalWidth,
          ),
        {
          timeout: SEEN_MS,
        },
      )
      .toBe(64);
    // Twice the pixels of the page, and no more.
    expect(new Set(served.asked)).toEqual(new Set([64]));
    expect(await pictureOf(BARE).textContent()).toBe('T');
    await expect.poll(() => pictureOf(BROKEN).textContent(), { timeout: SEEN_MS }).toBe('T');
    for (const mint of [BARE, BROKEN, whole]) expect(await size(mint)).toEqual([22, 22]);
    expect(await pictureOf(whole).getAttribute('loading')).toBe('lazy');
  });

  test('launches and hits of the search show them too', async () => {
    const { page, problems } = await openMarket();
    const feed = page.getByRole('list', { name: 'New launches' });
    await feed.locator('img.token-picture').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.insertText('T');
    const hits = page.getByRole('option');
    await hits.locator('img.token-picture').first().waitFor();
    // A letter for the token without a picture, and the one whose picture cannot be decoded.
    await expect.poll(() => hits.locator('.letter').count(), { timeout: SEEN_MS }).toBe(2);
    expect(problems).toEqual([]);
  });
});
