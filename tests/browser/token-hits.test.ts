import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { presentHit } from '../../src/api/present/present-rule.ts';
import { OPERATOR } from '../../src/model/rule-change.ts';
import type { HitRange } from '../../src/model/rule-hit-page.ts';
import type { RuleHitListing } from '../../src/model/rule-listing.ts';
import { buildRuleHit } from '../support/build-rule-hit.ts';
import { asOfFakeSlot, fakeApiDeps, MINT, NOW_MS, READ_KEY } from '../support/fake-api-deps.ts';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  seriousFindings,
  TestBrowser,
  unexpectedOfToken,
} from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

/** Markup, and a mark that turns the direction of writing. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202edlrow';

const hit = (given: Partial<RuleHitListing> = {}): RuleHitListing =>
  buildRuleHit({ mint: MINT, createdAtMs: NOW_MS - 60_000, ...given });

const OF_BOTH = [
  hit({ rowId: 3, author: OPERATOR, name: 'quick-launder', kind: 'fraud', confidence: 0.9 }),
  hit({ rowId: 2, reasons: [HOSTILE] }),
];

/** What the API would store. */
const stored: { hits: readonly RuleHitListing[]; next: HitRange['after']; asked: HitRange[] } = {
  ...{ hits: [], next: null, asked: [] },
};

describe.skipIf(!hasBrowser)('hits of rules on the page of a token', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;

  beforeAll(async () => {
    const rules = {
      ...fakeApiDeps().rules,
      hitPage: async (range: HitRange) => {
        stored.asked.push(range);
        const isFirst = range.after === null;
        return asOfFakeSlot({
          hits: isFirst ? stored.hits : [hit({ rowId: 1, name: 'older' })],
          next: isFirst ? stored.next : null,
        });
      },
    };
    [served, browser] = await Promise.all([listenWithPages({ rules }), TestBrowser.launch()]);
  });

  beforeEach(() => {
    Object.assign(stored, { hits: OF_BOTH, next: null, asked: [] });
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  const open = async (tab: string, width = 1_280) =>
    await openStreamed(browser, served.origin, `/token/${MINT}?tab=${tab}`, {
      key: READ_KEY,
      width,
    });
  const rowsOf = (page: Awaited<ReturnType<typeof open>>['page']) =>
    page.getByRole('table', { name: /^Hits of rules/ }).locator('tbody tr');

  test('are listed beside the findings with rule, author and kind, hostile reasons as text', async () => {
    const { page, problems } = await open('findings');
    const rows = rowsOf(page);
    await rows.nth(1).waitFor({ timeout: SEEN_MS });
    const [operators, own] = [await shownText(rows.nth(0)), await shownText(rows.nth(1))];
    for (const text of ['quick-launder', 'operator', 'fraud', '90.0%']) {
      expect(operators).toContain(text);
    }
    for (const text of ['dip', 'yours', 'alert', '75.0%', '<img src=x'])
      expect(own).toContain(text);
    expect(own).not.toMatch(/\u202e/);
    expect(await page.locator('main img[src="x"]').count()).toBe(0);
    // Each name says which version it is.
    expect(await rows.nth(1).locator('[title="dip@1+0123456789abcdef"]').count()).toBe(1);
    expect(stored.asked[0]).toMatchObject({
      ...{ mint: MINT, authors: ['account of reader', OPERATOR], kinds: null, after: null },
    });
    expect(problems).toEqual([]);
  });

  test('open their evidence by keyboard, and close it with Escape', async () => {
    const { page, problems } = await open('findings');
    await rowsOf(page).nth(1).getByRole('button', { name: 'Evidence' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('window.return_5m').waitFor();
    expect(await shownText(dialog)).toContain('dip@1+0123456789abcdef');
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('come live, are taken back by a fork, and older ones are read by cursor', async () => {
    stored.next = { key: 20n, id: 'h0000000000000002' };
    const { page, problems, send } = await open('findings');
    const rows = rowsOf(page);
    await rows.nth(1).waitFor({ timeout: SEEN_MS });
    await page.getByRole('button', { name: 'Older hits' }).click();
    await page.getByText('older', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Older hits' }).count()).toBe(0);
    expect(stored.asked.some(({ after }) => after?.id === 'h0000000000000002')).toBe(true);
    const data = presentHit(hit({ rowId: 4, name: 'rise' }), undefined);
    send('rule_hits', { data });
    await page.getByText('rise', { exact: true }).waitFor();
    expect(await rows.count()).toBe(4);
    send('rule_hits', { data, undo: true });
    await page.getByText('taken back by a fork').waitFor();
    expect(problems).toEqual([]);
  });

  test('are marked in the chart, and named in its list of marks', async () => {
    const { page, problems, send } = await open('market');
    const marks = page.locator('.event-list');
    await marks.getByText('Hit of a rule × 2').waitFor({ timeout: SEEN_MS });
    await marks.locator('summary').press('Enter');
    const items = marks.locator('li');
    await items.filter({ hasText: 'quick-launder' }).waitFor();
    const text = await shownText(items);
    expect(text).toContain(
      "The operator's rule quick-launder@1+0123456789abcdef passed (fraud), confidence 90%.",
    );
    expect(text).toContain('Your rule dip@1+0123456789abcdef passed (alert), confidence 75%.');
    // A hit that a fork takes back is no mark.
    send('rule_hits', { data: presentHit(OF_BOTH[1] as RuleHitListing, undefined), undo: true });
    await items.filter({ hasText: 'Your rule' }).waitFor({ state: 'detached' });
    expect(unexpectedOfToken(problems)).toEqual([]);
  });

  test('say that no rule passed', async () => {
    stored.hits = [];
    const { page, problems } = await open('findings');
    await page.getByText('No rule of yours or of the operator passed for this token.').waitFor();
    expect(problems).toEqual([]);
  });

  test.each(['findings', 'market'])(
    'fit 390 pixels, without serious findings of axe in either theme: %s',
    async (tab) => {
      const { page, problems } = await open(tab, 390);
      const shown = tab === 'findings' ? rowsOf(page).first() : page.locator('.event-list');
      await shown.waitFor({ timeout: SEEN_MS });
      expect(await isScrolledSideways(page)).toBe(false);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page)).toEqual([]);
      }
      expect(unexpectedOfToken(problems)).toEqual([]);
    },
  );
});
