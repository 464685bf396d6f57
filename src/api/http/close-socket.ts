import type { Duplex } from 'node:stream';

/** Time for the client to read the answer. */
const CLOSE_MS = 1_000;

/** The part of a socket needed to close it. */
export type ClosingSocket = Pick<Duplex, 'destroy'> & { end(text: string): void };

/**
 * Ends a connection with `answer`, and destroys it one second later. Otherwise a peer that never
 * ends its half would occupy the descriptor indefinitely.
 */
export function closeSocket(socket: ClosingSocket, answer = ''): void {
  setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  socket.end(answer);
}
