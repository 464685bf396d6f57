import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { StormService } from './storm-service.ts';

const ATTEMPTS_MAX = 40;
const RETRY_MS = 1_000;

/** A server that accepts webhooks and remembers their ids. */
export class WebhookReceiver {
  /** `webhook-id` of each request, in order. */
  readonly ids: string[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        this.ids.push(String(request.headers['webhook-id']));
        response.writeHead(200).end();
      });
    });
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a webhook for everything that happens on the chain. */
  /** Repeats what a busy service answers with 503, unless it was stored after all. */
  async subscribe(service: StormService): Promise<void> {
    const url = `${this.origin}/hooks`;
    const event_types = ['fraud.found', 'fraud.raised', 'fraud.withdrawn', 'signal.given'];
    for (let attempts = 1; ; attempts++) {
      const { status, text } = await service.post('/v1/webhooks', { url, event_types });
      if (status === 201) return;
      if (status !== 503 || attempts === ATTEMPTS_MAX) {
        throw new Error(`the webhook was refused: ${text}`);
      }
      await delay(RETRY_MS);
      if ((await service.get('/v1/webhooks')).text.includes(url)) return;
    }
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
