import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type AskedRequest, FakePlatform, ok } from './fake-platform.ts';

export interface FakeCommit {
  readonly did: string;
  readonly time_us: number;
  readonly kind: string;
  readonly commit?: unknown;
}

export const DID = 'did:plc:abcdefghijklmnopqrstuvwx';

/** A commit of a post as Jetstream sends it. */
export function commit(
  timeMs: number,
  rkey: string,
  record: Record<string, unknown> | null,
  operation = 'create',
): FakeCommit {
  const body = record === null ? {} : { record: { $type: 'app.bsky.feed.post', ...record } };
  return {
    did: DID,
    time_us: timeMs * 1_000,
    kind: 'commit',
    commit: { rev: 'r', operation, collection: 'app.bsky.feed.post', rkey, cid: 'bafy', ...body },
  };
}

/**
 * Jetstream's `/subscribe` and the AppView's `getProfiles`, as their READMEs and lexicons describe
 * them. Events sent before are replayed from a `cursor` on.
 */
export class FakeBluesky {
  readonly events: FakeCommit[] = [];
  /** Query strings of the connections. */
  readonly connections: URLSearchParams[] = [];
  readonly paths: string[] = [];
  readonly sockets: WebSocket[] = [];
  profiles = new Map<string, unknown>();
  readonly appview: FakePlatform;
  /** Called for each connection instead of the replay. */
  onConnection: ((socket: WebSocket, at: number) => void) | null = null;
  private readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

  private constructor(appview: FakePlatform) {
    this.appview = appview;
    appview.handle = (request) => this.reply(request);
    this.server.on('connection', (socket, request) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://jetstream');
      this.paths.push(pathname);
      this.connect(socket, searchParams);
    });
  }

  static async start(nowMs: () => number): Promise<FakeBluesky> {
    const fake = new FakeBluesky(await FakePlatform.start(nowMs));
    await once(fake.server, 'listening');
    return fake;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/subscribe`;
  }

  /** Sends to all clients, and later to clients with an earlier cursor. */
  publish(event: FakeCommit): void {
    this.events.push(event);
    for (const socket of this.sockets) socket.send(JSON.stringify(event));
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
    await this.appview.close();
  }

  private connect(socket: WebSocket, query: URLSearchParams): void {
    this.connections.push(query);
    socket.on('close', () => this.sockets.splice(this.sockets.indexOf(socket), 1));
    this.sockets.push(socket);
    if (this.onConnection !== null) {
      this.onConnection(socket, this.connections.length - 1);
      return;
    }
    const cursor = query.get('cursor');
    if (cursor === null) return;
    for (const event of this.events) {
      if (event.time_us >= Number(cursor)) socket.send(JSON.stringify(event));
    }
  }

  private reply({ query }: AskedRequest) {
    const actors = query.getAll('actors');
    if (actors.length > 25) return { kind: 'json', status: 400, json: {} } as const;
    return ok({ profiles: actors.flatMap((did) => this.profiles.get(did) ?? []) });
  }
}
