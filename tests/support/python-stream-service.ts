import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../src/api/deps.ts';
import { asSlot } from '../../src/model/units.ts';
import { DOCUMENT_VERSION } from './document-version.ts';
import { fakeApiDeps, fakePool } from './fake-api-deps.ts';
import { fakeApiServer } from './fake-api-server.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** A service with streams behind a network that fails when another process orders it to. */
export interface OrderedService {
  /** Address of the service, over the network. */
  readonly url: string;
  /** Address that takes orders by POST: its path is `/<order>`. */
  readonly control: string;
  close(): Promise<void>;
}

/**
 * Orders: `publish` (the next slot changes the pool; `publish/<n>` n slots), `undo` (a fork takes the
 * newest slot back), `cut` and `mend`, `stall`, `restart` (the service loses its memory) and `reset`
 * (everything from the beginning).
 */
export async function openOrderedService(): Promise<OrderedService> {
  let deps = fakeApiDeps();
  let serving = await serve(deps, 0);
  const port = portOf(serving.server.server);
  const proxy = new TcpProxy(port);
  const proxyPort = await proxy.listen();
  let slot = 0;
  const restart = async () => {
    await serving.close();
    deps = fakeApiDeps();
    serving = await serve(deps, port);
  };
  const orders: Readonly<Record<string, (count: number) => unknown>> = {
    publish: (count) => {
      for (let index = 0; index < count; index++) publish(deps, ++slot);
    },
    undo: () => publish(deps, slot, true),
    cut: () => proxy.cut(),
    mend: () => proxy.mend(),
    stall: () => proxy.stall(),
    restart,
    reset: async () => {
      slot = 0;
      proxy.mend();
      await restart();
    },
  };
  const control = createServer(async (request, response) => {
    const [, order = '', count = '1'] = (request.url ?? '').split('/');
    await orders[order]?.(Number(count));
    response.writeHead(orders[order] === undefined ? 404 : 204).end();
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    control: `http://127.0.0.1:${portOf(control)}/`,
    close: async () => {
      await proxy.close();
      await serving.close();
      control.closeAllConnections();
      await new Promise((resolve) => control.close(resolve));
    },
  };
}

interface Serving {
  readonly server: FastifyInstance;
  readonly close: () => Promise<void>;
}

async function serve(deps: ApiDeps, port: number): Promise<Serving> {
  const server = fakeApiServer(deps, { version: DOCUMENT_VERSION });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await server.listen({ port, host: '127.0.0.1' });
  return {
    server,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await server.close();
    },
  };
}

function publish({ hub }: ApiDeps, slot: number, isUndone = false): void {
  hub.take({
    ...{ slot: asSlot(slot), timeMs: null, solUsd: null, finalSlot: null, isUndone },
    items: [{ topic: 'pool', pool: fakePool() }],
  });
  // A subscription that does not resume begins after this.
  hub.published();
}

function portOf(server: Server | FastifyInstance['server']): number {
  return (server.address() as AddressInfo).port;
}
