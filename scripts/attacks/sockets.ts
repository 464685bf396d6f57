import { connect, type Socket } from 'node:net';
import { ATTACKER_ADDRESS, type Tally } from './attack.ts';

/** Opens a connection that never ends by itself; the reason of its end is counted. */
export function openSocket(host: string, port: number, tally: Tally): Socket {
  const socket = connect({ host, port, localAddress: ATTACKER_ADDRESS, allowHalfOpen: true });
  socket.on('connect', () => tally.count('connected'));
  socket.on('error', (error: NodeJS.ErrnoException) => tally.count(error.code ?? 'error'));
  socket.on('close', () => tally.count('closed'));
  return socket;
}

/** Counts the status of every HTTP answer. */
export function countStatuses(socket: Socket, tally: Tally): void {
  socket.on('data', (chunk: Buffer) => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      tally.count(status);
    }
  });
}

/** Keeps `wanted` connections open until the signal is aborted; `open` creates one. */
export async function keepOpen(
  wanted: number,
  perRound: number,
  open: () => Socket,
  signal: AbortSignal,
): Promise<void> {
  const sockets = new Set<Socket>();
  await new Promise<void>((resolve) => {
    const round = setInterval(() => {
      if (signal.aborted) {
        clearInterval(round);
        for (const socket of sockets) socket.destroy();
        resolve();
        return;
      }
      for (let made = 0; made < perRound && sockets.size < wanted; made++) {
        const socket = open();
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
    }, 50);
  });
}
