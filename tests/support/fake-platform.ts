import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Arrival time by the clock of the platform. */
  readonly atMs: number;
}

export interface SeenRequest extends AskedRequest {
  readonly reply: Reply;
}

export type Reply =
  | {
      readonly kind: 'json';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json: unknown;
    }
  | { readonly kind: 'text'; readonly text: string }
  /** Starts an answer with a larger announced length and closes the connection. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Writes without an end. */
  | { readonly kind: 'stream'; readonly write: (response: ServerResponse) => void };

export function ok(json: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'json', json, headers };
}

/**
 * An HTTP server on loopback that represents a platform. Replies in `faults` are used first, one
 * for each request whose path has that prefix.
 */
export class FakePlatform {
  readonly requests: SeenRequest[] = [];
  /** Content type of bodies; null for none. */
  contentEncoding: string | null = null;
  handle: (request: AskedRequest) => Reply = () => ({ kind: 'json', status: 404, json: {} });
  readonly faults: { readonly path: string; readonly reply: Reply }[] = [];
  private readonly server: Server;

  private constructor(nowMs: () => number) {
    this.server = createServer((incoming, response) => {
      void bodyOf(incoming).then((body) => {
        const url = new URL(incoming.url ?? '/', 'http://platform');
        const asked = {
          method: incoming.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: incoming.headers,
          body,
          atMs: nowMs(),
        };
        const at = this.faults.findIndex(({ path }) => asked.path.startsWith(path));
        const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
        const reply = fault?.reply ?? this.handle(asked);
        this.requests.push({ ...asked, reply });
        if (this.contentEncoding !== null) {
          response.setHeader('content-encoding', this.contentEncoding);
        }
        send(response, reply);
      });
    });
  }

  static async start(nowMs: () => number): Promise<FakePlatform> {
    const platform = new FakePlatform(nowMs);
    platform.server.listen(0, '127.0.0.1');
    await once(platform.server, 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  asked(path: string): SeenRequest[] {
    return this.requests.filter((request) => request.path.startsWith(path));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'json') {
    response.writeHead(reply.status ?? 200, {
      'content-type': 'application/json',
      ...reply.headers,
    });
    response.end(JSON.stringify(reply.json));
  } else if (reply.kind === 'text') {
    response.end(reply.text);
  } else if (reply.kind === 'cut') {
    response.writeHead(200, { 'content-length': String(reply.text.length + 1_000) });
    response.write(reply.text, () => response.destroy());
  } else {
    response.writeHead(200);
    reply.write(response);
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
