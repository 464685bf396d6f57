import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { RunningCommand, temporaryFolder } from '../../support/command-line.ts';

export const CHROMIUM = '/usr/bin/chromium';
export const CHROMIUM_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
];
const START_MS = 300_000;

/** Time for something to be seen, or to be gone, on a busy machine. */
export const SEEN_MS = 150_000;

/** Whether the browser tests can run: Debian's chromium is installed and the dashboard is built. */
export const hasBrowser = existsSync(CHROMIUM) && existsSync(resolve('web/dist/index.html'));

if (!hasBrowser) {
  process.stdout.write(
    `SKIPPING the browser tests: ${CHROMIUM} or web/dist is missing. Install chromium and run ` +
      '"npm run web:build".\n',
  );
}

/** A running service of a simulated market. */
export interface SimulatedService {
  /** As `http://localhost:8080`. */
  readonly origin: string;
  readonly key: string;
  /** The answer to a GET, asked again while the service is busy, as the dashboard does. */
  ask<Body>(path: string): Promise<Body>;
  stop(): Promise<void>;
}

const ASKED_AGAIN_MS = 1_000;

/** Starts a simulated market on a free port and waits until it answers. */
export async function startSimulatedService(
  args: readonly string[] = [],
): Promise<SimulatedService> {
  const dataDir = `${temporaryFolder()}/data`;
  const command = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir, ...args]);
  const [, port = ''] = await command.shows(/Dashboard: http:\/\/[^:]+:(\d+)\//, START_MS);
  const [, key = ''] = await command.shows(/API key, shown this once: (\S+)/, START_MS);
  const origin = `http://localhost:${port}`;
  return {
    origin,
    key,
    ask: async <Body>(path: string): Promise<Body> => {
      for (;;) {
        const response = await fetch(origin + path, { headers: { 'x-api-key': key } });
        if (response.ok) return (await response.json()) as Body;
        if (response.status !== 503) throw new Error(`${path}: status ${response.status}`);
        await setTimeout(ASKED_AGAIN_MS);
      }
    },
    stop: async () => {
      command.process.kill('SIGKILL');
      await command.finished;
    },
  };
}

/** A page, and what it reported. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, and requests to other origins. */
  readonly problems: string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Begins without a session, and gets none without a key. */
  readonly isAskedForKey?: boolean;
}

/** One chromium with a new profile; each page has its own cookies. */
export class TestBrowser {
  private readonly contexts: BrowserContext[] = [];
  private readonly browser: Browser;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async launch(): Promise<TestBrowser> {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: CHROMIUM_ARGS,
    });
    return new TestBrowser(browser);
  }

  /** Opens an address of the service and waits until its frame is shown. */
  async open(url: string, options: PageOptions = {}): Promise<WatchedPage> {
    const { width = 1280, height = 800, colorScheme = 'light', isAskedForKey = false } = options;
    const context = await this.newContext({ viewport: { width, height }, colorScheme });
    if (isAskedForKey) {
      const answer = { status: 403, json: { code: 403, message: 'A key is needed.' } };
      await context.route('**/v1/session/simulated', (route) => route.fulfill(answer));
    }
    const page = await context.newPage();
    const problems = watch(page, new URL(url).origin);
    await page.goto(url);
    await page.waitForSelector('.shell');
    return { page, problems };
  }

  /** A page without an address. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.newContext(options);
    return await context.newPage();
  }

  private async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(SEEN_MS);
    this.contexts.push(context);
    return context;
  }

  /** Closes all pages; the browser stays. */
  async closePages(): Promise<void> {
    for (const context of this.contexts.splice(0)) {
      // Requests that a test answers itself may be in flight.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
  }

  async close(): Promise<void> {
    await this.closePages();
    await this.browser.close();
  }
}

/** What a busy service is asked again; that the page does so is tested with its client. */
const BUSY = /Failed to load resource.*\b503\b/;
/** Refused keys are answers that a page expects; chromium logs them as failed loads. */
const EXPECTED_REFUSAL = /Failed to load resource.*\b(401|403)\b/;

/** What is not found of a token without bundles or posts. */
const EXPECTED_OF_TOKEN = /status of 404 .*\/v1\/(market\/bundled-transactions|socials\/[\w-]+)$/;

/** The problems of the page of a token, without failed loads that it expects. */
export function unexpectedOfToken(problems: readonly string[]): readonly string[] {
  return problems.filter((problem) => !EXPECTED_OF_TOKEN.test(problem));
}

/** Collects errors of scripts and of the policy, and requests to other origins, from now on. */
export function watch(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    const { url } = message.location();
    const path = URL.canParse(url) ? new URL(url).pathname : '';
    const isExpected =
      (EXPECTED_REFUSAL.test(text) && /^\/v1\/(session|key)/.test(path)) ||
      (BUSY.test(text) && path.startsWith('/v1/'));
    if (!isExpected) problems.push(`${message.type()}: ${text} ${path}`.trimEnd());
  });
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOwn) problems.push(`request to ${url.origin}`);
  });
  return problems;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeFinding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical findings of axe, as `rule: element`. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the policy of the page does not concern.
  await page.evaluate(AXE);
  const violations = (await page.evaluate(
    '(async () => (await axe.run()).violations)()',
  )) as readonly AxeFinding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Whether a page is wider than its window. */
export async function isScrolledSideways(page: Page): Promise<boolean> {
  return (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean;
}
