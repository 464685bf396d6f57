import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createMetricFamilies } from '../../src/api/http/metrics.ts';
import { createOpsServer } from '../../src/api/server/ops-server.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import {
  createRelayNode,
  type RelayNode,
  type RelayNodeOptions,
} from '../../src/relay/relay-node.ts';
import type { ReplicaLimits } from '../../src/relay/replica.ts';
import { Replicas } from '../../src/relay/replicas.ts';
import { relayReadiness } from '../../src/service/relay-readiness.ts';

export interface StageOptions {
  readonly limits?: Partial<ReplicaLimits>;
  readonly requestsMax?: number;
  readonly node?: Partial<RelayNodeOptions>;
}

/** A node before replicas, listening on loopback until `close`. Replicas are probed when asked to be. */
export class RelayStage {
  readonly replicas: Replicas;
  readonly node: RelayNode;
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(replicas: Replicas, node: RelayNode) {
    this.replicas = replicas;
    this.node = node;
  }

  static async start(origins: readonly string[], options: StageOptions = {}): Promise<RelayStage> {
    const { limits = {}, requestsMax } = options;
    const replicas = new Replicas({ origins, clock: monotonicClock, limits });
    const families = createMetricFamilies();
    const ops = createOpsServer(
      {
        chain: { readiness: async () => relayReadiness(replicas.all), standstill: () => null },
        metrics: { ...families, contentType: 'text/plain' },
        steadyNowMs: () => performance.now(),
      },
      { version: '1.2.3', openOps: true },
    );
    await ops.ready();
    const node = createRelayNode({
      ...{ replicas, version: '1.2.3', connectionsMax: 100 },
      ops: (request, response) => ops.routing(request, response),
      ...(requestsMax === undefined ? {} : { requestsMax }),
      ...options.node,
    });
    const stage = new RelayStage(replicas, node);
    await replicas.probeAll();
    node.server.listen(0, '127.0.0.1');
    await once(node.server, 'listening');
    stage.closing.push(() => ops.close());
    return stage;
  }

  get port(): number {
    return (this.node.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    const { server, sockets } = this.node;
    sockets.close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    await this.replicas.close();
    for (const close of this.closing) await close();
  }
}

/** Starts a server of the API on loopback and returns its origin. */
export async function listening(server: FastifyInstance | Server | TcpServer): Promise<string> {
  if ('inject' in server) {
    await server.listen({ host: '127.0.0.1', port: 0 });
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The origin of a port on which nothing listens. */
export async function deadOrigin(): Promise<string> {
  const server = createTcpServer();
  const origin = await listening(server);
  const closed = once(server, 'close');
  server.close();
  await closed;
  return origin;
}
