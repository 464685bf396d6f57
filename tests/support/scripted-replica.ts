import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Script = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A stand-in for a replica that does what a test says. */
export class ScriptedReplica {
  origin = '';
  /** What it says of itself. */
  ready: { readonly status: number; readonly slot: number | null; readonly message?: string } = {
    status: 200,
    slot: 100,
  };
  readonly requests: { readonly method: string; readonly url: string; readonly body: string }[] =
    [];
  script: Script;
  private readonly server = createServer((request, response) => void this.take(request, response));

  constructor(script: Script) {
    this.script = script;
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Cuts all connections, as a process that is killed. */
  async kill(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    if (url === '/readyz') {
      const { status, slot, message = '' } = this.ready;
      if (slot !== null) response.setHeader('x-slot', String(slot));
      response.writeHead(status).end(JSON.stringify({ code: status, message }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.requests.push({ method, url, body });
    this.script(request, response, body);
  }
}

/** Answers with a name and a slot. */
export const answering =
  (name: string, slot = 100): Script =>
  (_, response) =>
    response.writeHead(200, { 'x-slot': String(slot) }).end(name);

/** Ends the connection without an answer. */
export const dying: Script = (request) => request.socket.destroy();
