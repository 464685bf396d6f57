import { createServer, type RequestListener, type Server } from 'node:http';
import {
  answerOddRequests,
  clientErrorAnswerer,
  type ResponseIdentity,
} from '../api/http/client-error.ts';
import type { ConnectionBound } from '../api/http/connection-bound.ts';
import { asksForWebSocket } from '../api/streams/web-sockets.ts';
import { pathOf } from './request-kind.ts';

export interface RelayServerOptions {
  readonly identity: ResponseIdentity;
  readonly connections: ConnectionBound;
  /** Answers what the node says of itself. */
  readonly ops: RequestListener;
  readonly relay: RequestListener;
}

/** Paths that a node answers about itself. */
const OPS_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);
/** As replicas have them. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const SILENCE_MS = 60_000;
const TIMEOUTS_CHECKED_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;

/** The server of a node, with the bounds that replicas have. The caller starts listening. */
export function createRelayServer({
  identity,
  connections,
  ops,
  relay,
}: RelayServerOptions): Server {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    shouldUpgradeCallback: asksForWebSocket,
  };
  const server = createServer(options, (request, response) => {
    const isOfNode = OPS_PATHS.has(pathOf(request.url ?? ''));
    (isOfNode ? ops : relay)(request, response);
  });
  server.setTimeout(SILENCE_MS);
  server.on('connection', (socket) => connections.open(socket));
  const refuse = clientErrorAnswerer(identity);
  server.on('clientError', (error, socket) => refuse(error as never, socket as never));
  answerOddRequests(server, identity);
  return server;
}
