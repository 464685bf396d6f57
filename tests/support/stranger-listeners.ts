/**
 * Listeners on this machine that represent third parties: their answers, and counts of connections.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';

export interface TestServer {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  /** Requests so far, as `METHOD url`, with their headers. */
  readonly requests: { readonly line: string; readonly headers: NodeJS.Dict<string | string[]> }[];
  close(): Promise<void>;
}

export async function listenHttp(
  answer: RequestListener,
  address = '127.0.0.1',
  port = 0,
): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    answer(request, response);
  });
  return await opened(server, requests, address, port);
}

/** A server that sends a fixed text to every client. */
export async function listenRaw(talk: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => talk(socket));
  });
  return await opened(server, [], '127.0.0.1', 0);
}

async function opened(
  server: Server | ReturnType<typeof createTcpServer>,
  requests: TestServer['requests'],
  address: string,
  port: number,
): Promise<TestServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('The listener has no port.');
  return {
    port: place.port,
    connections: () => connections,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
