import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKTEST_ID } from '../support/build-backtest.ts';
import { ADMIN_KEY, MINT, WALLET } from '../support/fake-api-deps.ts';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  seriousFindings,
  TestBrowser,
} from './support/browser.ts';
import { listenWithPages, openStreamed } from './support/fake-pages.ts';
import { FIXED_NOW_MS, fixedMarket } from './support/fixed-market.ts';
import {
  brokenLayout,
  IS_WRITING,
  layoutDifferences,
  layoutOf,
  pixelDifference,
  SAME_PIXELS,
  useFixedFont,
} from './support/page-layout.ts';

const WIDTHS = [390, 768, 1_440] as const;
const THEMES = ['light', 'dark'] as const;

const PAGES: readonly (readonly [name: string, path: string, shown: string])[] = [
  ['market', '/market', '.table tbody tr.opens'],
  ['token', `/token/${MINT}`, '[aria-label^="Candles of"] canvas'],
  ['wallet', `/wallet/${WALLET}`, 'main .table tbody tr'],
  ['signals', '/signals', 'main .table tbody tr.opens'],
  ['alerts', '/alerts', 'main .table tbody tr'],
  ['rules', '/rules', 'main .table tbody tr.opens'],
  ['backtest', `/backtest/${BACKTEST_ID}`, 'main .table tbody tr'],
  ['operations', '/operations', 'main .panel'],
  ['about', '/about', 'main .panel'],
];

const CASES = PAGES.flatMap(([name, path, shown]) =>
  WIDTHS.map((width) => ({ name: `${name}-${width}`, path, shown, width })),
);

/**
 * Every page over the fixed market, in one font, compared with boxes and screenshots that people
 * have looked at (tests/browser/references). `MINTSCOPE_TEST_WRITE_REFERENCES=1` writes them anew.
 */
describe.skipIf(!hasBrowser)('the layout of pages', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;

  beforeAll(async () => {
    const pages = listenWithPages(fixedMarket());
    [served, browser] = await Promise.all([pages, TestBrowser.launch()]);
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  async function open(path: string, shown: string, width: number) {
    const opened = await openStreamed(browser, served.origin, path, {
      ...{ key: ADMIN_KEY, width },
      context: { timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' },
      prepare: async (page) => {
        await page.clock.setFixedTime(FIXED_NOW_MS);
        await useFixedFont(page);
      },
    });
    const { page } = opened;
    await page.locator(shown).first().waitFor({ timeout: SEEN_MS });
    await page.waitForSelector('main .loading', { state: 'detached', timeout: SEEN_MS });
    await page.evaluate('document.fonts.ready');
    // Charts are drawn a moment after their data.
    await page.waitForTimeout(1_000);
    return opened;
  }

  test.each(CASES)('$name looks as its reference does, in both themes', async (one) => {
    const { page } = await open(one.path, one.shown, one.width);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(300);
      const layout = await layoutOf(page);
      expect(Object.keys(layout).length).toBeGreaterThan(3);
      expect(brokenLayout(layout, one.width)).toEqual([]);
      expect(layoutDifferences(one.name, layout)).toEqual([]);
      expect(await isScrolledSideways(page)).toBe(false);
      const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      const difference = await pixelDifference(`${one.name}-${theme}`, shot);
      expect(difference, `pixels of ${one.name}-${theme}`).toBeLessThanOrEqual(SAME_PIXELS);
      expect(await seriousFindings(page)).toEqual([]);
    }
    await browser.closePages();
  });

  test.skipIf(IS_WRITING)(
    'the comparison notices a panel that is gone and a table without its rows',
    async () => {
      const { page } = await open('/market', '.table tbody tr.opens', 1_440);
      const hide = async (selector: string) =>
        await page.evaluate(`document.querySelector('${selector}').style.visibility = 'hidden'`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForTimeout(300);
      await hide('.table tbody');
      const shot = await page.screenshot({ animations: 'disabled' });
      expect(await pixelDifference('market-1440-dark', shot)).toBeGreaterThan(SAME_PIXELS);
      await page.evaluate("document.querySelector('.market-feeds .panel').remove()");
      expect(layoutDifferences('market-1440', await layoutOf(page)).join()).toMatch(/is gone/);
    },
  );
});
