import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BACKTEST_DEFAULTS, type BacktestReport } from '../../src/model/backtest.ts';
import type { BacktestJob, BacktestOutcome } from '../../src/model/backtest-job.ts';
import { asSlot } from '../../src/model/units.ts';
import {
  BACKTEST_ID,
  BACKTEST_TIME_MS,
  buildDelay,
  buildExecution,
  buildJob,
  buildReport,
} from '../support/build-backtest.ts';
import { address } from '../support/build-transaction.ts';
import { ADMIN_KEY, fakeApiDeps, READ_KEY } from '../support/fake-api-deps.ts';
import { hasBrowser, isScrolledSideways, seriousFindings, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

const RULE = 'name: dip\nversion: 1\n';
const WEEK_MS = 7 * 86_400_000;

/** What the API would store. */
const stored: { jobs: BacktestJob[]; outcome: BacktestOutcome; calls: unknown[] } = {
  ...{ jobs: [], calls: [] },
  outcome: { kind: 'full', jobsMax: 8 },
};

function deps(): Parameters<typeof listenWithPages>[0] {
  const fake = fakeApiDeps();
  return {
    backtests: {
      list: async () => stored.jobs.map((job) => ({ ...job, report: null })),
      find: async (_, id) => stored.jobs.find((job) => job.id === id) ?? null,
      add: async ({ rules, options }) => {
        const { fromMs, toMs, ...costs } = options;
        stored.calls.push({ rules, fromMs, toMs, costs });
        if (stored.outcome.kind === 'queued') stored.jobs.unshift(stored.outcome.job);
        return stored.outcome;
      },
      cancel: async (_, id) => {
        stored.calls.push(`cancelled ${id}`);
        const ended = { state: 'cancelled', endedAtMs: BACKTEST_TIME_MS } as const;
        stored.jobs = stored.jobs.map((job) => (job.id === id ? { ...job, ...ended } : job));
        return stored.jobs[0] ?? null;
      },
    },
    rules: fake.rules,
  };
}

const running = () => buildJob({ state: 'running', progress: 0.25, endedAtMs: null, report: null });

describe.skipIf(!hasBrowser)('the pages of backtests', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;
  const open = async (path: string, { key = ADMIN_KEY, width = 1_280 } = {}) =>
    await openStreamed(browser, served.origin, path, {
      ...{ key, width },
      context: { timezoneId: 'UTC', locale: 'en-US' },
    });
  const openReport = async (report: Partial<BacktestReport> = {}, width = 1_280) => {
    stored.jobs = [buildJob({ report: buildReport(report) })];
    const opened = await open(`/backtest/${BACKTEST_ID}`, { width });
    await opened.page.getByText('Tries charged').waitFor();
    return opened;
  };

  beforeAll(async () => {
    [served, browser] = await Promise.all([listenWithPages(deps()), TestBrowser.launch()]);
  });

  beforeEach(() => {
    Object.assign(stored, { jobs: [], calls: [], outcome: { kind: 'full', jobsMax: 8 } });
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  test('list backtests with their progress, cancel one and lead to its report', async () => {
    stored.jobs = [running()];
    const { page, problems } = await open('/rules?tab=backtests');
    const row = page.locator('main .table tbody tr');
    await row.getByText('running').waitFor();
    expect(await row.getByRole('progressbar').getAttribute('value')).toBe('0.25');
    await row.getByRole('button', { name: 'Cancel' }).press('Enter');
    await row.getByText('cancelled').waitFor();
    expect(stored.calls).toEqual([`cancelled ${BACKTEST_ID}`]);
    expect(await row.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await row.getByRole('link', { name: 'dip' }).press('Enter');
    await page.getByText('It was cancelled and has no report.').waitFor();
    expect(problems).toEqual([]);
  });

  test('add one of a pasted rule over a range, and say what is refused', async () => {
    const { page } = await open('/rules?tab=backtests');
    await page.getByText('No backtests yet.', { exact: false }).waitFor();
    await page.getByLabel('Rule (YAML or JSON)').fill(RULE);
    await page.getByLabel('From').fill('2026-01-01');
    await page.getByLabel('To (exclusive)').fill('2025-01-01');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').getByText('to must be after from').waitFor();
    await page.getByLabel('To (exclusive)').fill('2026-01-31T12:00Z');
    stored.outcome = {
      kind: 'refused',
      problems: ['when: There is no feature x. (line 3, column 7)'],
    };
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').getByText('line 3, column 7').waitFor();
    stored.outcome = { kind: 'queued', job: running() };
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('main .table tbody tr').getByText('running').waitFor();
    const asked = {
      rules: [RULE],
      fromMs: Date.UTC(2026, 0, 1),
      toMs: Date.UTC(2026, 0, 31, 12),
      costs: BACKTEST_DEFAULTS,
    };
    expect(stored.calls).toEqual([asked, asked]);
  });

  test('add one with variants of the rule and costs of one’s own', async () => {
    const { page, problems } = await open('/rules?tab=backtests');
    await page.getByLabel('Rule (YAML or JSON)').fill(RULE);
    await page.getByText('Costs and variants').press('Enter');
    await page.getByLabel('Share of entries that fail').fill('0.25');
    await page.getByLabel('Tip, SOL').fill('0');
    const other = RULE.replace('version: 1', 'version: 2');
    await page.getByLabel('Variants of the rule').fill(`${other}---\n${RULE}`);
    stored.outcome = { kind: 'queued', job: running() };
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('main .table tbody tr').getByText('running').waitFor();
    expect(stored.calls).toMatchObject([
      {
        rules: [RULE, other, RULE],
        costs: { ...BACKTEST_DEFAULTS, failedShare: 0.25, tipSol: 0 },
      },
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('show progress until the report is there', async () => {
    stored.jobs = [running()];
    const { page, problems } = await open(`/backtest/${BACKTEST_ID}`);
    await page.getByText('25%').waitFor();
    stored.jobs = [buildJob()];
    await page.getByText('Tries charged').waitFor();
    expect(problems).toEqual([]);
  });

  test('say why one failed, and that one does not exist', async () => {
    stored.jobs = [
      buildJob({ state: 'failed', report: null, reason: 'The log does not reach so far back.' }),
    ];
    const failed = await open(`/backtest/${BACKTEST_ID}`);
    await failed.page.getByRole('alert').getByText('The log does not reach so far back.').waitFor();
    const unknown = await open('/backtest/00000000-0000-4000-8000-000000000000');
    await unknown.page.getByRole('alert').waitFor();
    expect(await shownText(unknown.page.getByRole('alert'))).toContain(
      'This account has no backtest of this ID.',
    );
  });

  test('show the figures of the report as the API gives them, random minutes before the returns', async () => {
    const { page, problems } = await openReport();
    const summary = await shownText(page.locator('.panel').first());
    for (const part of ['2026-01-01 00:00:00', '123,456', '12,345', '43', '31', '3', '62.5%']) {
      expect(summary).toContain(part);
    }
    const table = page.getByRole('region', { name: 'Returns by exit and size' });
    const titles = await table.locator('th').allInnerTexts();
    expect(titles.indexOf('Random minutes')).toBeLessThan(titles.indexOf('Mean'));
    const row = await shownText(table.locator('tbody tr').first());
    for (const part of ['$200', '+1.3%', '+3.5%', '+2.3%', '−0.8% to +5.3%', '+0.5% to +4.1%']) {
      expect(row).toContain(part);
    }
    // Exactly, on hover.
    expect(await table.getByTitle('1.2500 %').count()).toBeGreaterThan(0);
    const panel = await shownText(page.locator('.panel').nth(1));
    for (const part of ['Still open\n2', 'Without a price\n1', '$12,500', '$800', 'none']) {
      expect(panel).toContain(part);
    }
    await page.getByText('The log was cut at 43 hits, and every feature was the same.').waitFor();
    await page.getByText('None without variants of the rule', { exact: false }).waitFor();
    expect(problems).toEqual([]);
  });

  test('show another delay when it is chosen with the keyboard', async () => {
    const { page } = await openReport({
      delays: [
        buildDelay(),
        buildDelay({ delay: '60_s', execution: [buildExecution({ meanE9: -7_000_000_000n })] }),
      ],
    });
    const button = page.getByRole('button', { name: '60 s' });
    await button.press('Enter');
    await page.getByText('−7.0%').waitFor();
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect(page.url()).toContain('delay=60_s');
  });

  test('claim nothing below 20 hits', async () => {
    const lift = { matched: 7, mean: 3.5, baseRate: 1.25, lift: 2.25, interval: null };
    const execution = [buildExecution({ count: 7, lift, chargedInterval: null })];
    const { page, problems } = await openReport({
      ...{ hits: 7, tries: { count: 1, deflatedSharpe: null } },
      delays: [buildDelay({ execution })],
    });
    await page.getByText('Too few to say: 7 of the 20 needed.').waitFor();
    const row = await shownText(page.locator('main .table tbody tr').first());
    expect(row.match(/too few to say/g)).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  test('say that there was no hit, and nothing to prove', async () => {
    const { page, problems } = await openReport({
      ...{ hits: 0, hitMints: 0, firstSlot: null, lastSlot: null, delays: [buildDelay()] },
      lookAhead: { checked: 0, faults: [] },
    });
    await page.getByText('The rule has no hit in this range.').waitFor();
    await page.getByText('There was no hit at which the log could be cut.').waitFor();
    await page.getByText('The log has no slot of this range.', { exact: false }).waitFor();
    expect(problems).toEqual([]);
  });

  test('warn of features that look ahead, with both values', async () => {
    const hit = {
      ...{ mint: address('mint'), pool: address('pool'), minuteMs: BACKTEST_TIME_MS },
      ...{ slot: asSlot(300_000_100), timeMs: BACKTEST_TIME_MS + 60_000 },
    };
    const { page, problems } = await openReport({
      lookAhead: {
        checked: 43,
        faults: [{ feature: 'pool.leaks', hit, recorded: '17', cut: null }],
      },
    });
    await page.getByText('The returns above are not to be trusted.', { exact: false }).waitFor();
    const row = page.getByRole('region', { name: 'Features that look ahead' }).locator('tbody tr');
    const text = await shownText(row);
    for (const part of ['pool.leaks', '17', 'not known']) expect(text).toContain(part);
    expect(problems).toEqual([]);
  });

  test('show the weeks of a walk-forward with the variant that was chosen', async () => {
    const fromMs = BACKTEST_TIME_MS;
    const { page, problems } = await openReport({
      rules: ['dip@1+0123456789abcdef', 'dip@1+fedcba9876543210'],
      walkForward: {
        weeks: [
          { fromMs, toMs: fromMs + WEEK_MS, chosen: null, hits: 9 },
          { fromMs: fromMs + WEEK_MS, toMs: fromMs + 2 * WEEK_MS, chosen: 1, hits: 10 },
        ],
        result: buildExecution({ count: 19, chargedInterval: null }),
      },
    });
    const weeks = page.getByRole('region', { name: 'Weeks of the walk-forward' });
    await weeks.getByText('dip@1+fedcba9876543210').waitFor();
    await weeks.getByText('the rule, too few hits before').waitFor();
    await page.getByText('Too few to say: 19 of the 20 needed.').waitFor();
    expect(problems).toEqual([]);
  });

  test('let a key that may only read see reports, without forms', async () => {
    stored.jobs = [running()];
    const { page } = await open('/rules?tab=backtests', { key: READ_KEY });
    await page.locator('main .table tbody tr').getByText('running').waitFor();
    expect(await page.getByRole('button', { name: /Add|Cancel/ }).count()).toBe(0);
  });

  test.each([390, 1_280])(
    'fit %i pixels, without serious findings of axe in either theme',
    async (width) => {
      const { page, problems } = await openReport({}, width);
      expect(await isScrolledSideways(page)).toBe(false);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page)).toEqual([]);
      }
      expect(problems).toEqual([]);
    },
  );
});
