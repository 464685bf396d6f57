import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { presentHit } from '../../src/api/present/present-rule.ts';
import type { CountedDetector } from '../../src/model/detector-listing.ts';
import type { CountedRule, RuleHitListing, RulePublication } from '../../src/model/rule-listing.ts';
import { asSlot } from '../../src/model/units.ts';
import { buildRuleHit } from '../support/build-rule-hit.ts';
import { address, signature } from '../support/build-transaction.ts';
import { ADMIN_KEY, fakeApiDeps, MINT, READ_KEY } from '../support/fake-api-deps.ts';
import {
  hasBrowser,
  isScrolledSideways,
  SEEN_MS,
  seriousFindings,
  TestBrowser,
} from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

const HASH = '0123456789abcdef'.repeat(4);
/** Markup, a mark that turns the direction of writing, and one that cannot be seen. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202edlrow\u200b <script>alert(2)</script>';

function rule(given: Partial<CountedRule> = {}): CountedRule {
  return {
    ...{ author: 'account of administrator', name: 'dip', version: 2, hash: HASH, kind: 'alert' },
    ...{ title: 'Many buy a dip', scope: 'pool_minute', content: '{"name":"dip"}' },
    ...{ isJudged: true, hitCount: 1_234, ...given },
  };
}

function hit(given: Partial<RuleHitListing> = {}): RuleHitListing {
  return buildRuleHit({
    mint: MINT as RuleHitListing['mint'],
    author: 'account of administrator',
    ...given,
  });
}

/** What the API would store. */
const stored: {
  rules: CountedRule[];
  hits: RuleHitListing[];
  publication: RulePublication;
  calls: unknown[];
  isFailing: boolean;
} = {
  ...{ rules: [], hits: [], calls: [], isFailing: false },
  publication: { kind: 'full', rulesMax: 100 },
};

function detectors(): readonly CountedDetector[] {
  const common = { version: 1, severity: 5, pattern: 'p', hash: HASH, off: null, trial: null };
  const counts = { both: 1, onlyDetector: 2, onlyBuiltIn: 3, neither: 4, failed: 5 };
  const ofPackage = { ...common, fraudType: null, hitCount: null };
  return [
    { ...common, name: 'wash_volume', hash: null, fraudType: 'wash_volume', hitCount: null },
    {
      ...{ ...ofPackage, name: 'mintscope-detector-one', pattern: HOSTILE, hitCount: 1_234 },
      off: { slot: asSlot(70), failure: 'work' },
    },
    { ...ofPackage, name: 'mintscope-detector-two', trial: { ...counts, isStopped: false } },
  ];
}

function deps(): Parameters<typeof listenWithPages>[0] {
  const asOf = <Data>(data: Data) => ({ slot: null, timeMs: null, data });
  return {
    detectors: { list: async () => asOf(detectors()) },
    rules: {
      ...fakeApiDeps().rules,
      list: async () => {
        if (stored.isFailing) throw new Error('the store is gone');
        return asOf(stored.rules);
      },
      hits: async (query) => {
        stored.calls.push(query);
        return asOf(stored.hits);
      },
      publish: async ({ text }) => {
        stored.calls.push(text);
        return stored.publication;
      },
      withdraw: async ({ name }) => {
        stored.calls.push(`withdrawn ${name}`);
        const [found = null] = stored.rules.filter((one) => one.name === name);
        stored.rules = stored.rules.filter((one) => one.name !== name);
        return found;
      },
    },
  };
}

describe.skipIf(!hasBrowser)('the page of rules', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;
  const open = async (query = '', { key = ADMIN_KEY, width = 1_280 } = {}) =>
    await openStreamed(browser, served.origin, `/rules${query}`, { key, width });
  const message = (given: Partial<RuleHitListing> = {}) => ({
    data: presentHit(hit(given), undefined),
  });

  beforeAll(async () => {
    [served, browser] = await Promise.all([listenWithPages(deps()), TestBrowser.launch()]);
  });

  beforeEach(() => {
    Object.assign(stored, { rules: [rule()], hits: [], calls: [], isFailing: false });
  });

  // Pages that stay open go on reading.
  afterEach(async () => {
    await browser?.closePages();
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  test('lists rules with kind, version, hash, state and hits, and shows hostile titles as text', async () => {
    stored.rules = [
      rule({ title: HOSTILE }),
      rule({ author: 'operator', name: 'rise', kind: 'signal', isJudged: false, hitCount: 0 }),
    ];
    const { page, problems } = await open();
    const rows = page.locator('main .table tbody tr');
    await rows.nth(1).waitFor();
    const [own, operator] = [await shownText(rows.nth(0)), await shownText(rows.nth(1))];
    for (const text of ['dip', '2', 'alert', 'judged', '1,234', HASH.slice(0, 16)]) {
      expect(own).toContain(text);
    }
    for (const text of ['rise', 'signal', 'waiting', 'operator']) expect(operator).toContain(text);
    expect(own).not.toContain('operator');
    expect(own).toContain('<img src=x onerror=alert(1)>\ufffddlrow');
    expect(own).not.toMatch(/[\u202e\u200b]/);
    expect(await page.locator('main img, main script').count()).toBe(0);
    // Rules of the operator cannot be withdrawn here.
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('publishes a pasted rule, and marks the place of what is wrong with it', async () => {
    stored.publication = {
      kind: 'refused',
      problems: [
        'when: There is no feature pool.x. Did you mean pool.swaps? (line 2, column 7)',
        'A rule needs a title.',
      ],
    };
    const { page, problems } = await open();
    const area = page.getByLabel('Rule (YAML or JSON)');
    const text = 'name: dip\nwhen: pool.x > 1\n';
    await area.fill(text);
    await page.getByRole('button', { name: 'Publish' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Did you mean pool.swaps?').waitFor();
    expect(await alert.locator('li').allInnerTexts()).toEqual([
      'when: There is no feature pool.x. Did you mean pool.swaps? line 2, column 7',
      'A rule needs a title.',
    ]);
    await alert.getByRole('button', { name: 'line 2, column 7' }).press('Enter');
    // The rest of the line is marked, for the keyboard to go on there.
    const marked = await page.evaluate(
      '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))' +
        '(document.activeElement)',
    );
    expect(marked).toBe('pool.x > 1');
    stored.publication = { kind: 'changed', rule: rule({ version: 3 }) };
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/dip@3\+0123456789abcdef/).waitFor();
    expect(await area.inputValue()).toBe('');
    expect(stored.calls).toEqual([text, text]);
    // Chromium logs the refusal, which was expected, as a failed load.
    expect(problems.filter((one) => !one.includes('422'))).toEqual([]);
  });

  test('withdraws a rule only after it was confirmed', async () => {
    const { page, problems } = await open();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(stored.calls).toEqual([]);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No rules yet.', { exact: false }).waitFor();
    expect(stored.calls).toEqual(['withdrawn dip']);
    expect(problems).toEqual([]);
  });

  test('lists detectors with what becomes of their judgements, hostile texts as text', async () => {
    const { page, problems } = await open('?tab=detectors');
    const rows = page.locator('main .table tbody tr');
    await rows.nth(2).waitFor();
    const [builtIn, published, tried] = await Promise.all(
      [0, 1, 2].map((at) => shownText(rows.nth(at))),
    );
    for (const text of ['wash_volume', 'built in', 'judges']) expect(builtIn).toContain(text);
    for (const text of ['mintscope-detector-one', 'operator', 'off', '1,234']) {
      expect(published).toContain(text);
    }
    expect(published).toContain('<img src=x onerror=alert(1)>\ufffddlrow');
    expect(published).not.toMatch(/[\u202e\u200b]/);
    for (const text of ['mintscope-detector-two', 'tried']) expect(tried).toContain(text);
    await page.getByTitle('It failed (work) at slot 70.').waitFor();
    await page.getByTitle('1 cases reported by it and by a built-in detector').waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('says that there are no rules, and that they cannot be read', async () => {
    stored.rules = [];
    const empty = await open();
    await empty.page.getByText('No rules yet.', { exact: false }).waitFor();
    stored.isFailing = true;
    const failed = await open();
    await failed.page
      .getByRole('alert')
      .getByText('This could not be read.', { exact: false })
      .waitFor();
    await failed.page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('a key that may only read sees no forms, and is told why', async () => {
    const { page, problems } = await open('', { key: READ_KEY });
    await page.getByText('may not change rules', { exact: false }).waitFor();
    await page.locator('main .table tbody tr').first().waitFor();
    expect(await page.getByRole('button', { name: /Publish|Withdraw/ }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows hits as they come, takes back those of a fork, and shows the one that follows it', async () => {
    stored.hits = [hit({ rowId: 1, createdAtMs: Date.now() - 60_000 })];
    const { page, problems, send } = await open('?tab=hits&rule=account/dip');
    const rows = page.locator('main .table tbody tr.opens');
    await rows.nth(0).waitFor();
    expect(stored.calls[0]).toMatchObject({ name: 'dip', author: 'account of administrator' });
    send('rule_hits', message({ rowId: 2, confidence: 0.9 }));
    await page.getByText('90.0%').waitFor();
    expect(await rows.count()).toBe(2);
    send('rule_hits', { ...message({ rowId: 2, confidence: 0.9 }), undo: true });
    await page.getByText('taken back by a fork').waitFor();
    expect(await page.locator('tr.undone').count()).toBe(1);
    // The fork has another hit under the number that it has freed.
    send('rule_hits', message({ rowId: 2, confidence: 0.4 }));
    await page.getByText('40.0%').waitFor();
    expect(await page.locator('tr.undone').count()).toBe(0);
    expect(await rows.count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('shows reasons and evidence of a hit, hostile ones as text', async () => {
    stored.hits = [
      hit({
        reasons: [HOSTILE],
        evidence: [
          { name: 'window.return_5m', value: -0.25 },
          { name: 'token.name', value: HOSTILE },
          { name: 'pool.price_usd', value: null },
        ],
      }),
    ];
    const { page, problems } = await open('?tab=hits&rule=account/dip');
    await page.getByRole('button', { name: 'Evidence' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('-0.25').waitFor();
    const text = await shownText(dialog);
    for (const part of ['window.return_5m', 'not known', '<img src=x', 'dip@1+0123456789abcdef']) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect(await dialog.locator('img, script').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('shows the wallets of a hit of fraud, and the transactions that are its evidence', async () => {
    const wallet = address('a wallet of the group');
    stored.hits = [hit({ kind: 'fraud', wallets: [wallet], signatures: [signature('payment')] })];
    const { page, problems } = await open('?tab=hits&rule=account/dip');
    await page.getByRole('button', { name: 'Evidence' }).press('Enter');
    const dialog = page.getByRole('dialog');
    const link = dialog.locator(`a[href="/wallet/${wallet}"]`);
    await link.waitFor({ timeout: SEEN_MS });
    const shown = dialog.locator(`.address-link[title="${signature('payment')}"]`);
    expect(await shown.count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('begins without hits of all rules, and shows those that come with their author', async () => {
    const { page, problems, send } = await open('?tab=hits');
    await page.getByText('No hit since this page was opened.', { exact: false }).waitFor();
    send('rule_hits', message({ author: 'operator', name: 'rise' }));
    const row = page.locator('main .table tbody tr.opens');
    await row.waitFor();
    expect(await shownText(row)).toContain('operator');
    expect(stored.calls).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each(['', '?tab=hits&rule=account/dip', '?tab=backtests', '?tab=detectors'])(
    'fits 390 pixels, without serious findings of axe in either theme: %s',
    async (query) => {
      stored.hits = [hit()];
      const { page, problems } = await open(query, { width: 390 });
      await page.locator('main .table tbody tr').first().waitFor();
      expect(await isScrolledSideways(page)).toBe(false);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page)).toEqual([]);
      }
      expect(problems).toEqual([]);
    },
  );
});
