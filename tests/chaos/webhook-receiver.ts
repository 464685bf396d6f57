import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StormService } from './storm-service.ts';

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
  async subscribe(service: StormService): Promise<void> {
    const types = ['fraud.found', 'fraud.raised', 'fraud.withdrawn', 'signal.given'];
    const { status, text } = await service.post('/v1/webhooks', {
      url: `${this.origin}/hooks`,
      event_types: types,
    });
    if (status !== 201) throw new Error(`the webhook was refused: ${text}`);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
