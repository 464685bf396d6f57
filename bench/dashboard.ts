/**
 * Measures the dashboard in chromium on a simulated market: first content, frames while rows
 * change, delay until a slot and a candle are shown, and memory over time. Not a gate: times of a
 * machine that does other work are worse. `npm run bench:dashboard -- --minutes 5 [loads frames
 * slots candles memory]`; `-- --minutes 60 memory` watches memory alone for an hour.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { answerHelp } from '../scripts/answer-help.ts';
import {
  hasBrowser,
  type SimulatedService,
  startSimulatedService,
  TestBrowser,
} from '../tests/browser/support/browser.ts';
import { memoryFigures, watchMemory } from './dashboard-memory.ts';
import { COUNT_FRAMES, updatingStream, WATCH_CANDLES, WATCH_SLOTS } from './dashboard-probes.ts';
import { fixed, printTable } from './table.ts';
import { UnwatchedPage } from './unwatched-page.ts';

answerHelp(`Measures the dashboard in chromium on a simulated market: first content, frames, delay, memory.

  npm run bench:dashboard -- [loads] [frames] [slots] [candles] [memory] [--minutes <number>]

  --minutes <number>   how long memory is watched (3)

Example:
  npm run bench:dashboard -- --minutes 60 memory`);

const ROWS = 500;
const UPDATES_PER_SECOND = 5;
const LOADS = 5;
const FRAMES_MS = 20_000;
const SLOTS_MS = 20_000;
const CANDLES_MS = 40_000;
/** The simulated market begins some minutes ago, and its block times are whole seconds. */
const PRESENT_MS = 300_000;
const AGE_MAX_MS = 4_000;

interface Row {
  readonly figure: string;
  readonly measured: string;
  readonly wanted: string;
}

const sessions = new Map<Page, CDPSession>();
/** A token of the market that those of the measured page are made of. */
let template: Record<string, unknown> | null = null;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!hasBrowser) process.exit(1);
const service = await startSimulatedService();
const browser = await TestBrowser.launch();
try {
  await waitForTokens();
  const rows: Row[] = [];
  const measures = {
    loads: measureLoads,
    frames: measureFrames,
    slots: async () => await inPresent(measureSlots),
    candles: async () => await inPresent(measureCandles),
    memory: measureMemory,
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const measured = await measure();
    for (const one of measured) console.error(`${one.figure}: ${one.measured}`);
    rows.push(...measured);
  }
  const cells = rows.map(({ figure, measured, wanted }) => [figure, measured, wanted]);
  const load = loadavg().map((value) => fixed(value, 1));
  printTable(`Dashboard, ${availableParallelism()} processors, load ${load.join(' ')}`, [
    ['Figure', 'Measured', 'Wanted'],
    ...cells,
  ]);
} finally {
  await browser.close();
  await service.stop();
}

async function waitForTokens(): Promise<void> {
  const headers = { 'x-api-key': (service as SimulatedService).key };
  for (;;) {
    const answer = await fetch(`${service.origin}/v1/tokens?limit=1`, { headers });
    if (answer.ok && ((await answer.json()) as { total: number }).total > 20) return;
    await sleep(1_000);
  }
}

/** First content and first row of pages that have nothing in their cache. */
async function measureLoads(): Promise<readonly Row[]> {
  const contents: number[] = [];
  const firstRows: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const page = await browser.newPage();
    await page.goto(`${service.origin}/market`);
    await page.waitForSelector('.table tbody tr.opens', { timeout: 60_000 });
    const [content, row] = (await page.evaluate(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]",
    )) as [number, number];
    contents.push(content);
    firstRows.push(row);
    await page.context().close();
  }
  return [
    row('First content, median', contents, 0.5, '< 1,000 ms'),
    row('First rows of the market, median', firstRows, 0.5, ''),
  ];
}

/** Frames while the stream changes 500 rows five times a second, and each read all of them. */
async function measureFrames(): Promise<readonly Row[]> {
  const page = await browser.newPage();
  await page.addInitScript(updatingStream(ROWS, UPDATES_PER_SECOND));
  await page.addInitScript(COUNT_FRAMES);
  await page.route('**/v1/tokens?*limit=500*', async (route) => {
    await route.fulfill({ json: await manyTokens(), headers: { 'x-slot': '1' } });
  });
  await page.goto(`${service.origin}/market?rows=500`);
  await page.waitForSelector('.table tbody tr.opens');
  await sleep(3_000);
  const before = await metricsOf(page);
  await page.evaluate('globalThis.frames_.length = 0; globalThis.delivered_ = 0;');
  await sleep(FRAMES_MS);
  const [frames, delivered] = (await page.evaluate(
    '[globalThis.frames_, globalThis.delivered_]',
  )) as [number[], number];
  const after = await metricsOf(page);
  const busyMs = (name: string) =>
    (1_000 * ((after.get(name) ?? 0) - (before.get(name) ?? 0))) / frames.length;
  await page.context().close();
  return [
    {
      figure: 'Updates of rows per second',
      measured: fixed(delivered / (FRAMES_MS / 1_000), 0),
      wanted: '2,500',
    },
    {
      figure: 'Frames per second',
      measured: fixed(frames.length / (FRAMES_MS / 1_000), 1),
      wanted: '60',
    },
    row('Time between frames, median', frames, 0.5, ''),
    row('Time between frames, p95', frames, 0.95, '≤ 16.7 ms'),
    {
      figure: 'Main thread per frame, mean',
      measured: `${fixed(busyMs('TaskDuration'), 2)} ms`,
      wanted: '≤ 16 ms',
    },
    { figure: 'of it script', measured: `${fixed(busyMs('ScriptDuration'), 2)} ms`, wanted: '' },
  ];
}

/** As many tokens as rows, like one of the market, with other figures each time. */
async function manyTokens(): Promise<unknown> {
  template ??= await firstToken();
  const items = Array.from({ length: ROWS }, (_, index) => ({
    ...template,
    token_address: `Token${String(index).padStart(35, 'x')}`,
    pair_address: `Pool${String(index).padStart(36, 'x')}`,
    symbol: `T${index}`,
    marketcap_usd: (Math.random() * 1e6).toFixed(2),
    liquidity_usd: (Math.random() * 1e5).toFixed(2),
  }));
  return { items, total: ROWS, page: 1, per_page: ROWS, pages: 1, next_cursor: null };
}

/** Measures once the past of the market is applied: until then messages come faster than blocks. */
async function inPresent(measure: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const headers = { 'x-api-key': service.key };
  const endMs = Date.now() + PRESENT_MS;
  for (;;) {
    const answer = await fetch(`${service.origin}/v1/coverage`, { headers });
    if (Number(answer.headers.get('x-data-age-ms') ?? Number.NaN) < AGE_MAX_MS) break;
    if (Date.now() > endMs) throw new Error('The market did not catch up with the present.');
    await sleep(1_000);
  }
  return await measure();
}

/** The first token of the market: the busiest one. */
async function firstToken(): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': service.key };
  const answer = await fetch(`${service.origin}/v1/tokens?limit=1`, { headers });
  const [token] = ((await answer.json()) as { items: Record<string, unknown>[] }).items;
  if (token === undefined) throw new Error('The market has no tokens.');
  return token;
}

/** Time from the message about a slot to the frame that shows it, on the simulated market. */
async function measureSlots(): Promise<readonly Row[]> {
  const page = await browser.newPage();
  await page.addInitScript(WATCH_SLOTS);
  await page.goto(`${service.origin}/market`);
  await page.waitForSelector('[data-connection=live]');
  await sleep(SLOTS_MS);
  const shown = (await page.evaluate('globalThis.shown_')) as [number, number][];
  await page.context().close();
  const delays = shown.map(([delayMs]) => delayMs);
  return [
    row('Slot shown after its message, median', delays, 0.5, ''),
    row('Slot shown after its message, p95', delays, 0.95, '≤ 500 ms'),
    row(
      'Age of the block time on arrival, median (whole seconds)',
      shown.map(([, ageMs]) => ageMs),
      0.5,
      '',
    ),
  ];
}

/** Time from the message about a candle to its close at the axis, of the busiest token. */
async function measureCandles(): Promise<readonly Row[]> {
  const { token_address: mint } = (await firstToken()) as { token_address: string };
  const page = await browser.newPage();
  await page.addInitScript(WATCH_CANDLES);
  await page.goto(`${service.origin}/token/${mint}?interval=1s`);
  await page.waitForSelector('[aria-label^="Candles of"] canvas');
  await page.evaluate('globalThis.candles_.length = 0');
  await sleep(CANDLES_MS);
  const delays = (await page.evaluate('globalThis.candles_')) as number[];
  await page.context().close();
  return [
    row('Candle shown after its message, median', delays, 0.5, ''),
    row('Candle shown after its message, p95', delays, 0.95, '≤ 500 ms'),
  ];
}

/** Memory of the market page after collecting garbage, over some minutes. */
async function measureMemory(): Promise<readonly Row[]> {
  const page = await UnwatchedPage.open(`${service.origin}/market`);
  try {
    await inMarket(page);
    return memoryFigures(await watchMemory(page, minutes), minutes);
  } finally {
    await page.close();
  }
}

/** Waits until a page shows rows of the market. */
async function inMarket(page: UnwatchedPage): Promise<void> {
  const expression = "document.querySelector('.table tbody tr.opens') !== null";
  for (;;) {
    const { result } = await page.send<{ result: { value: unknown } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    if (result.value === true) return;
    await sleep(500);
  }
}

async function metricsOf(page: Page): Promise<ReadonlyMap<string, number>> {
  // Durations are counted from the beginning of a session.
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

function row(figure: string, given: readonly number[], quantile: number, wanted: string): Row {
  const sorted = [...given].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
  const measured = value === undefined ? 'none' : `${fixed(value, 1)} ms`;
  return { figure: `${figure} (${sorted.length})`, measured, wanted };
}
