import type { Duplex } from 'node:stream';

/** To read the answer within. */
const CLOSE_MS = 1_000;

/** What closing needs of a socket. */
export type ClosingSocket = Pick<Duplex, 'destroy'> & { end(text: string): void };

/**
 * Ends a connection with `answer`, and cuts it off a second later: a peer that never ends its own
 * half would hold the descriptor for good.
 */
export function closeSocket(socket: ClosingSocket, answer = ''): void {
  setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  socket.end(answer);
}
