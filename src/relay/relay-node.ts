import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { ConnectionBound } from '../api/http/connection-bound.ts';
import { createRequestId } from '../api/http/request-id.ts';
import { commonHeaders } from '../api/http/security-headers.ts';
import { EventRelay } from './event-relay.ts';
import { Relay } from './relay.ts';
import { RelayCounts } from './relay-counts.ts';
import { createRelayServer } from './relay-server.ts';
import type { Replicas } from './replicas.ts';
import { SessionHomes } from './session-homes.ts';
import { SocketRelay } from './socket-relay.ts';

export interface RelayNodeOptions {
  readonly replicas: Replicas;
  /** Version of the service. */
  readonly version: string;
  /** Answers what the node says of itself. */
  readonly ops: RequestListener;
  readonly connectionsMax: number;
  /** Requests that are open at a time. */
  readonly requestsMax?: number;
  /** Time in which a stream must go on at another replica. */
  readonly reopenMs?: number;
}

/** A node without data and without a state, which answers from replicas. */
export interface RelayNode {
  /** The caller starts listening and closes it. */
  readonly server: Server;
  readonly counts: RelayCounts;
  readonly connections: ConnectionBound;
  /** Closed before the server is. */
  readonly sockets: SocketRelay;
}

export function createRelayNode(options: RelayNodeOptions): RelayNode {
  const { replicas, version, ops, connectionsMax, requestsMax, reopenMs } = options;
  const counts = new RelayCounts();
  const connections = new ConnectionBound(connectionsMax);
  const identity = { headers: commonHeaders({ version }), requestId: createRequestId() };
  const onAdmitted = ({ socket, headers }: IncomingMessage) =>
    connections.admit(socket, String(headers['x-api-key'] ?? headers.authorization ?? ''));
  const homes = new SessionHomes();
  const shared = { replicas, counts, identity, onAdmitted, reopenMs };
  const events = new EventRelay(shared);
  const sockets = new SocketRelay({ ...shared, homes });
  const relay = new Relay(
    {
      ...shared,
      events,
      ...(requestsMax === undefined ? {} : { requestsMax }),
    },
    homes,
  );
  const server = createRelayServer({
    identity,
    connections,
    ops,
    relay: (request, response) => void relay.handle(request, response),
  });
  server.on('upgrade', (request, socket, head) => void sockets.handle(request, socket, head));
  return { server, counts, connections, sockets };
}
