import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { BrowserContextOptions, Locator, Page, WebSocketRoute } from 'playwright-core';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { readDashboard } from '../../../src/api/http/dashboard.ts';
import type { ServerOptions } from '../../../src/api/server/server-options.ts';
import { fakeApiServer } from '../../support/fake-api-server.ts';
import { type TestBrowser, watch } from './browser.ts';

/** The built dashboard over fake dependencies, listening, for pages with exact figures. */
export async function listenWithPages(
  deps: Partial<ApiDeps>,
  options: Partial<ServerOptions> = {},
): Promise<{ readonly server: FastifyInstance; readonly origin: string }> {
  const server = fakeApiServer(deps, {
    dashboard: readDashboard(resolve('web/dist')),
    ...options,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { server, origin: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** A page whose stream the test sends. */
export interface StreamedPage {
  readonly page: Page;
  readonly problems: string[];
  /** Sends a message to the subscription of a topic. */
  send(topic: string, message: { readonly data: unknown; readonly undo?: boolean }): void;
}

export interface StreamedOptions {
  readonly key: string;
  readonly width?: number;
  readonly context?: BrowserContextOptions;
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Opens a path with a session of the key, and stands in for the stream of the service. */
export async function openStreamed(
  browser: TestBrowser,
  origin: string,
  path: string,
  { key, width = 1_280, context = {}, prepare }: StreamedOptions,
): Promise<StreamedPage> {
  const page = await browser.newPage({ ...context, viewport: { width, height: 900 } });
  await prepare?.(page);
  const problems = watch(page, origin);
  const refusal = { status: 403, json: { code: 403, message: 'A key is needed.' } };
  await page.route('**/v1/session/simulated', (route) => route.fulfill(refusal));
  const stream = new FakeStream();
  await page.routeWebSocket('**/v1/stream', (socket) => stream.follow(socket));
  await page.goto(origin + path);
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByLabel('API key', { exact: true }).waitFor({ state: 'detached' });
  return { page, problems, send: (topic, message) => stream.send(topic, message) };
}

/** Text as it is laid out: cells of a row are apart, which they are not in its text content. */
export async function shownText(locator: Locator): Promise<string> {
  return (await locator.allInnerTexts()).join('\n');
}

/** Acknowledges subscriptions and remembers which topic each is of. */
class FakeStream {
  private readonly ids = new Map<string, string>();
  private socket: WebSocketRoute | null = null;
  private seq = 1;

  follow(socket: WebSocketRoute): void {
    this.socket = socket;
    socket.onMessage((text) => {
      const { op, id, topic } = JSON.parse(String(text)) as Readonly<Record<string, string>>;
      if (op !== 'subscribe' || id === undefined || topic === undefined) return;
      this.ids.set(topic, id);
      socket.send(JSON.stringify({ op: 'ack', id, seq: this.seq, slot: 300_000_000 }));
    });
  }

  send(topic: string, message: { readonly data: unknown; readonly undo?: boolean }): void {
    const id = this.ids.get(topic);
    if (id === undefined) throw new Error(`no subscription of ${topic}`);
    const seq = ++this.seq;
    this.socket?.send(JSON.stringify({ id, topic, seq, slot: 300_000_001, ...message }));
  }
}
