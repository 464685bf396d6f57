/**
 * Clients of the filtered stream, all in this process: the delay of each message and the bytes
 * received. Arguments: the number of clients, the subscriptions of each, the port.
 */
import { WebSocket } from 'ws';
import { address } from '../tests/support/build-transaction.ts';

/** Below the limit of open streams per account. */
const CLIENTS_PER_KEY = 90;
/** Connections are opened a few at a time, as in practice. */
const OPENING = 50;
const POOLS = 1_000;

export interface TopicClientFigures {
  readonly latenciesMs: readonly number[];
  readonly bytes: number;
  readonly closed: number;
}

const [clients = 1, subscriptions = 1, port = 0] = process.argv.slice(2).map(Number);
const latenciesMs: number[] = [];
let bytes = 0;
let closed = 0;
const pools = Array.from({ length: POOLS }, (_, index) => address(`stream pool ${index}`));

function open(client: number): Promise<void> {
  const key = `key-${Math.floor(client / CLIENTS_PER_KEY)}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/stream?api_key=${key}`);
  let acks = 0;
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('close', () => {
      closed++;
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1', 0, 300);
      const timestamp = /"timestamp":"([^"]+)"/.exec(text)?.[1];
      if (timestamp !== undefined) {
        latenciesMs.push(Date.now() - Date.parse(timestamp));
        bytes += data.length;
      } else if (text.startsWith('{"op":"ack"') && ++acks === subscriptions) resolve();
    });
    socket.once('open', () => {
      for (let id = 0; id < subscriptions; id++) {
        // Spread evenly over all pools.
        const pool = pools[(client * 7 + id * Math.floor(POOLS / subscriptions)) % POOLS];
        const params = { pair_address: pool };
        socket.send(JSON.stringify({ op: 'subscribe', id, topic: 'trades', params }));
      }
    });
  });
}

for (let first = 0; first < clients; first += OPENING) {
  const count = Math.min(OPENING, clients - first);
  await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)));
}
process.send?.('open');
process.on('message', () => {
  const figures = { latenciesMs, bytes, closed };
  process.send?.(figures satisfies TopicClientFigures, () => process.exit(0));
});
