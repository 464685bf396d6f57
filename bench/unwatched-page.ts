import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { CHROMIUM, CHROMIUM_ARGS } from '../tests/browser/support/browser.ts';

const START_MS = 30_000;

/**
 * A page in a chromium of its own, of which no requests are recorded: a browser keeps about 350
 * bytes of each one in the page's memory for whoever watches them, as Playwright does.
 */
export class UnwatchedPage {
  private readonly waiting = new Map<number, (result: unknown) => void>();
  private readonly browser: ChildProcess;
  private readonly profile: string;
  private readonly socket: WebSocket;
  private lastId = 0;

  private constructor(browser: ChildProcess, profile: string, socket: WebSocket) {
    this.browser = browser;
    this.profile = profile;
    this.socket = socket;
    socket.on('message', (text) => {
      const { id, result } = JSON.parse(String(text)) as { id?: number; result?: unknown };
      if (id === undefined) return;
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    });
  }

  /** Opens an address; throws if the browser does not begin within half a minute. */
  static async open(url: string): Promise<UnwatchedPage> {
    const profile = mkdtempSync(join(tmpdir(), 'mintscope-page-'));
    const options = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, url];
    const browser = spawn(CHROMIUM, [...CHROMIUM_ARGS, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const socket = new WebSocket(await addressOf(browser, url));
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return new UnwatchedPage(browser, profile, socket);
    } catch (error) {
      browser.kill('SIGKILL');
      throw error;
    }
  }

  /** Sends a command of the Chrome DevTools Protocol and returns its result. */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.lastId;
    const result = new Promise<unknown>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    return (await result) as Result;
  }

  async close(): Promise<void> {
    this.socket.close();
    const ended = new Promise((resolve) => this.browser.once('exit', resolve));
    this.browser.kill('SIGTERM');
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where the page listens for commands, as the browser publishes it. */
async function addressOf(browser: ChildProcess, url: string): Promise<string> {
  let printed = '';
  browser.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const endMs = performance.now() + START_MS;
  while (performance.now() < endMs) {
    await sleep(100);
    const [, host] = /DevTools listening on ws:\/\/([^/]+)\//.exec(printed) ?? [];
    if (host === undefined) continue;
    const pages = (await (await fetch(`http://${host}/json`)).json()) as {
      readonly url: string;
      readonly webSocketDebuggerUrl: string;
    }[];
    const page = pages.find((one) => one.url === url);
    if (page !== undefined) return page.webSocketDebuggerUrl;
  }
  throw new Error(`Chromium did not open ${url} within ${START_MS / 1_000} seconds.`);
}
