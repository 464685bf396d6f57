import type { Attack } from './attack.ts';
import { keepOpen, openSocket } from './sockets.ts';

const CONNECTIONS = 8_000;
const PER_ROUND = 20;

/**
 * Opens connections that send nothing, or half a request, on both ports; the service has 1,024
 * files.
 */
export const idleSockets: Attack = {
  name: 'idle-sockets',
  summary: `up to ${CONNECTIONS} connections, idle or half open, on both ports, 400 new ones a second; the service may have 1,024 files open.`,
  service: { openFilesMax: 1_024 },
  async run({ host, port, grpcPort }, tally, signal) {
    let count = 0;
    const open = () => {
      const kind = count++ % 4;
      const socket = openSocket(host, kind === 3 ? grpcPort : port, tally);
      if (kind === 1)
        socket.on('connect', () => socket.write('GET /v1/tokens HTTP/1.1\r\nHost: a'));
      // The server has ended its half; ours stays open.
      if (kind === 2) socket.on('connect', () => socket.end());
      return socket;
    };
    await keepOpen(CONNECTIONS, PER_ROUND, open, signal);
  },
};
