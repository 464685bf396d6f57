/**
 * Takes the pictures of the dashboard that the README shows, of the simulated market with the seed
 * "demo", into docs/pictures. `node scripts/dashboard-pictures.ts [--seconds 120] [page…]`; all
 * pages without names.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import {
  hasBrowser,
  startSimulatedService,
  TestBrowser,
} from '../tests/browser/support/browser.ts';
import { answerHelp } from './answer-help.ts';

answerHelp(`Takes the pictures of the dashboard that the README shows, into docs/pictures. Needs chromium.

  npm run pictures -- [pages] [--seconds <number>]

  --seconds <number>   how long the simulated market runs before (120)

Example:
  npm run pictures -- --seconds 60`);

const FOLDER = 'docs/pictures';
const BYTES_MAX = 150 * 1_024;
const WIDTH = 1_440;
const HEIGHT = 900;
/** Tried in this order until a picture is small enough. */
const COLOURS = [256, 128, 64, 32] as const;
/** Charts and live rows are drawn after their data. */
/** Of the bar at the top with its margin, in pixels. */
const BAR_HEIGHT = 64;
const SETTLE_MS = 4_000;
const LINES_MIN = 15;
const AGE_MAX_MS = 6_000;

interface Picture {
  readonly name: string;
  readonly path: (market: Market) => string;
  readonly colorScheme: 'light' | 'dark';
  /** Heading of the panel that the picture begins with; the top of the page if omitted. */
  readonly panel?: string;
}

/** What there is to show: the token with the highest risk, and a wallet of its findings. */
interface Market {
  readonly token: string;
  readonly wallet: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'market', path: () => '/market?window=1h', colorScheme: 'dark' },
  { name: 'market-light', path: () => '/market?window=1h&order=risk_score', colorScheme: 'light' },
  { name: 'token', path: ({ token }) => `/token/${token}`, colorScheme: 'dark' },
  {
    name: 'findings',
    path: ({ token }) => `/token/${token}?tab=findings`,
    colorScheme: 'dark',
    panel: 'Who paid, sent and sold to whom',
  },
  { name: 'wallet', path: ({ wallet }) => `/wallet/${wallet}`, colorScheme: 'light' },
  { name: 'signals', path: () => '/signals', colorScheme: 'dark' },
  { name: 'alerts', path: () => '/alerts', colorScheme: 'light' },
  { name: 'operations', path: () => '/operations', colorScheme: 'light' },
];

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '120' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !PICTURES.some((one) => one.name === name));
if (unknown.length > 0 || !hasBrowser) {
  console.error(`Pages: ${PICTURES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

mkdirSync(FOLDER, { recursive: true });
const service = await startSimulatedService(['--seed', 'demo']);
const browser = await TestBrowser.launch();
try {
  await sleep(Number(values.seconds) * 1_000);
  const market = await findMarket();
  await waitForPresent();
  for (const picture of PICTURES) {
    if (positionals.length > 0 && !positionals.includes(picture.name)) continue;
    const bytes = await take(picture, market);
    console.log(`${FOLDER}/${picture.name}.png: ${Math.round(bytes / 1_024)} kB`);
  }
} finally {
  await browser.close();
  await service.stop();
}

/** Waits until there is a finding. */
async function findMarket(): Promise<Market> {
  for (;;) {
    const { classifications } = await read<{
      readonly classifications: readonly {
        readonly token_address: string;
        readonly involved_wallets: readonly { readonly address: string }[];
      }[];
    }>('/v1/fraud/classifications?order_by=confidence&limit=1');
    const [finding] = classifications;
    const [wallet] = finding?.involved_wallets ?? [];
    if (finding !== undefined && wallet !== undefined) {
      return { token: finding.token_address, wallet: wallet.address };
    }
    await sleep(2_000);
  }
}

/** Waits until the past of the market is applied: pages say how old they are. */
async function waitForPresent(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.origin}/v1/coverage`, {
      headers: { 'x-api-key': service.key },
    });
    if (Number(answer.headers.get('x-data-age-ms')) < AGE_MAX_MS) return;
    await sleep(2_000);
  }
}

async function read<Body>(path: string): Promise<Body> {
  const answer = await fetch(`${service.origin}${path}`, { headers: { 'x-api-key': service.key } });
  if (!answer.ok) throw new Error(`${path} answered with status ${answer.status}`);
  return (await answer.json()) as Body;
}

async function take({ name, path, colorScheme, panel }: Picture, market: Market): Promise<number> {
  const options = { width: WIDTH, height: HEIGHT, colorScheme };
  const { page } = await browser.open(`${service.origin}${path(market)}`, options);
  await page.waitForSelector('main h1', { timeout: 60_000 });
  await page.waitForSelector('.loading', { state: 'detached', timeout: 60_000 });
  if (panel !== undefined) {
    const { y = 0 } = (await page.getByRole('heading', { name: panel }).boundingBox()) ?? {};
    // Below the bar at the top, which stays.
    await page.evaluate(`scrollBy(0, ${y - BAR_HEIGHT})`);
  }
  if (path(market).startsWith('/market')) {
    // Lines are read after the rows, a few at a time.
    await page.locator('.row-line').nth(LINES_MIN).waitFor({ timeout: 60_000 });
  }
  await page.waitForTimeout(SETTLE_MS);
  const png = await compress(await shotOf(page));
  if (png.length > BYTES_MAX) throw new Error(`The picture ${name} is too large.`);
  writeFileSync(join(FOLDER, `${name}.png`), png);
  await page.context().close();
  return png.length;
}

async function shotOf(page: Page): Promise<Buffer> {
  return await page.screenshot({ animations: 'disabled', caret: 'hide' });
}

async function compress(shot: Buffer): Promise<Buffer> {
  let png = shot;
  for (const colours of COLOURS) {
    png = await sharp(shot)
      .png({ palette: true, colours, effort: 10, compressionLevel: 9 })
      .toBuffer();
    if (png.length <= BYTES_MAX) return png;
  }
  return png;
}
