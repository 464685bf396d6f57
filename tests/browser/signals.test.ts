import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presentSignal } from '../../src/api/present/present-signal.ts';
import { NO_IMAGES } from '../../src/api/present/signal-image.ts';
import { OPERATOR } from '../../src/model/rule-change.ts';
import type { ExecutionStatistics } from '../../src/model/signal-statistics.ts';
import { executionStatistics } from '../../src/signals/statistics/execution-statistics.ts';
import { signalStatistics } from '../../src/signals/statistics/signal-statistics.ts';
import {
  buildListing,
  buildOutcome,
  buildSignal,
  buildSignalDetail,
} from '../support/build-signal.ts';
import { asOfFakeSlot, fakeApiDeps, READ_KEY, SIGNAL } from '../support/fake-api-deps.ts';
import { hasBrowser, isScrolledSideways, seriousFindings, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

const E9 = 1_000_000_000n;
const HOSTILE = `<script>document.title='hit'</script>\u202e${'A'.repeat(10_000)}`;
const LISTED = buildListing({ symbol: HOSTILE });

/** The number of a signal of a rule of the operator. */
const OF_RULE = 11;

function ruleDetail() {
  const signal = buildSignal({
    ...{ rowId: OF_RULE, model: `rule:${OPERATOR}/dip`, version: 2, passed: [] },
    parametersHash: 'cd'.repeat(32),
  });
  const rule = { author: OPERATOR, name: 'dip', version: 2, hash: signal.parametersHash };
  return { rule, signal, outcome: buildOutcome() };
}

/** Statistics of 40 closed positions, 2 % above random minutes, with an interval or without. */
function executionWith(
  interval: readonly [low: number, high: number] | null,
): readonly ExecutionStatistics[] {
  return executionStatistics([], []).map((empty) => ({
    ...empty,
    ...{ count: 40, meanE9: 3n * E9, medianE9: E9, winShare: 0.55 },
    lift: { matched: 38, mean: 3, baseRate: 1, lift: 2, interval },
  }));
}

/** The page of signals, with exact figures: only one model has an interval. */
describe.skipIf(!hasBrowser)('the page of signals', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;
  const open = async (query = '', width = 1_280) =>
    await openStreamed(browser, served.origin, `/signals${query}`, { key: READ_KEY, width });

  beforeAll(async () => {
    const { signals } = fakeApiDeps();
    const statistics = signalStatistics([LISTED]);
    [served, browser] = await Promise.all([
      listenWithPages({
        // The page asks for the days before now.
        nowMs: () => Date.now(),
        signals: {
          ...signals,
          list: async () => asOfFakeSlot([LISTED]),
          find: async (rowId, authors) =>
            rowId === OF_RULE ? asOfFakeSlot(ruleDetail()) : await signals.find(rowId, authors),
          statistics: async ({ model }) => {
            if (model === 'smart_money_surge') {
              return asOfFakeSlot({ statistics, execution: executionWith(null) });
            }
            if (model === 'smart_money_bounce') {
              const none = signalStatistics([]);
              return asOfFakeSlot({ statistics: none, execution: executionStatistics([], []) });
            }
            return asOfFakeSlot({ statistics, execution: executionWith([0.5, 3.5]) });
          },
        },
      }),
      TestBrowser.launch(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  test('compares each model with random minutes, or says that there are too few', async () => {
    const { page, problems } = await open();
    const model = (name: string) => page.getByRole('region', { name, exact: true });
    const sure = model('Organic momentum');
    await sure.getByText('Better than random minutes').waitFor();
    expect(await shownText(sure)).toMatch(
      /Lift\s+\+2\.0%\s+95 % interval\s+\+0\.5% to \+3\.5%\s+Signals, closed, compared\s+1, 40, 38/,
    );
    const short = model('Smart money surge');
    await short.getByText('Too few to say: fewer than 20 signals or five days').waitFor();
    expect(await shownText(short)).not.toContain('Better');
    await model('Smart money bounce').getByText('Too few to say: no closed position').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('shows the highest return after everything else, and says what it is', async () => {
    const { page } = await open();
    const titles = page.locator('.panel-header h2');
    await page.getByText('An upper bound: nobody knows').waitFor();
    const texts = await titles.allInnerTexts();
    expect(texts[0]).toBe('Worth against random minutes');
    expect(texts.at(-1)).toBe('At the highest price since');
  });

  test('lists signals with what they returned after costs, and hostile names as text', async () => {
    const { page, problems } = await open('?rule=hold_5m');
    const row = page
      .getByRole('region', { name: 'Signals', exact: true })
      .locator('tbody tr')
      .first();
    // $200 held for five minutes returned 12 %, $1,000 returned 8 %.
    await row.getByText('+12.0%').waitFor();
    expect(await row.locator('.chain-text').textContent()).toMatch(/^<script>/);
    await page.getByRole('button', { name: '$1,000' }).click();
    await row.getByText('+8.0%').waitFor();
    expect(page.url()).toContain('ticket=1000');
    await page.getByLabel('Exit', { exact: true }).selectOption('hold_1h');
    await row.getByText('open').waitFor();
    expect(await page.title()).toBe('Signals · Mintscope');
    expect(problems).toEqual([]);
  });

  test('opens a signal with the keyboard: every feature, and the range that it passed', async () => {
    const { page, problems } = await open();
    await page.locator('.table tbody tr.opens').first().waitFor();
    await page.getByRole('region', { name: 'Signals', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/signals?signal=${SIGNAL}`);
    const features = page.getByRole('region', { name: 'Features of the signal' });
    await features.locator('tbody tr').first().waitFor();
    const rows = await features.locator('tbody tr').allInnerTexts();
    expect(rows[0]).toMatch(/Organic share 5m\s+0\.75\s+at least 0\.5/);
    expect(rows[1]).toMatch(/Return 5m\s+–\s*Was not known\s+no condition/);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('names the rule that gave a signal, and has no conditions for it', async () => {
    const { page, problems } = await open(`?signal=${OF_RULE}`);
    const panel = page.getByRole('region', { name: `Signal ${OF_RULE}` });
    await panel.getByText('dip@2+cdcdcdcdcdcdcdcd').waitFor();
    const text = await shownText(panel);
    expect(text).toContain('Rule of the operator');
    expect(text).toContain('Content of the rule');
    expect(text).toMatch(/Organic share 5m\s+0\.75\s+no condition/);
    expect(problems).toEqual([]);
  });

  test('adds a signal that comes, and shows when a fork takes it back', async () => {
    const { page, send, problems } = await open('', 390);
    const rows = page
      .getByRole('region', { name: 'Signals', exact: true })
      .locator('tbody tr.opens');
    await rows.first().waitFor();
    const { signal } = buildSignalDetail();
    const data = presentSignal({ ...LISTED, ...signal, rowId: 8, symbol: 'NEW' }, NO_IMAGES);
    send('signals', { data });
    await page.getByText('NEW').waitFor();
    send('signals', { data, undo: true });
    await page.locator('tr.undone').getByText('taken back').waitFor();
    expect(await isScrolledSideways(page)).toBe(false);
    // The signal is not stored, so its own answer is 404.
    expect(problems.filter((one) => !one.includes('404'))).toEqual([]);
  });
});
