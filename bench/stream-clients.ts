/**
 * Clients of one kind, all in this process: the delay of each message, and the number that each
 * received. Arguments: `ws` or `grpc`, the number of clients, the port, the number of messages.
 */
import { WebSocket } from 'ws';
import { GrpcReader, grpcClient } from '../tests/support/grpc-client.ts';

/** Below the limit of open streams per key. */
const CLIENTS_PER_KEY = 90;
/** Connections are opened a few at a time, as in practice. */
const OPENING = 50;

export interface ClientFigures {
  readonly latenciesMs: readonly number[];
  readonly leastMessages: number;
  readonly closed: number;
}

const [kind = 'ws', count = '1', port = '0', awaited = '1'] = process.argv.slice(2);
const latenciesMs: number[] = [];
const received = new Array<number>(Number(count)).fill(0);
let closed = 0;

function took(client: number, timestampMs: number): void {
  latenciesMs.push(Date.now() - timestampMs);
  received[client] = (received[client] ?? 0) + 1;
}

function openWebSocket(client: number, key: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/market-data/ws?api_key=${key}`, {
    perMessageDeflate: false,
  });
  socket.on('message', (data: Buffer) => {
    // Parsed as a client would; only the time counts here.
    const text = data.toString('latin1', 0, 200);
    const timestamp = /"timestamp":"([^"]+)"/.exec(text)?.[1];
    if (timestamp !== undefined) took(client, Date.parse(timestamp));
  });
  socket.on('close', () => {
    closed++;
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
}

async function openCall(client: number, key: string): Promise<void> {
  const reader = new GrpcReader(
    grpcClient(
      Number(port),
      'guardis/marketdata/v1/market_data.proto',
      'guardis.marketdata.v1.MarketDataService',
    ),
    'StreamMarketData',
    { key },
  );
  reader.stream.on('data', ({ timestamp }: { timestamp: { seconds: string; nanos: number } }) => {
    took(client, Number(timestamp.seconds) * 1_000 + timestamp.nanos / 1e6);
    reader.messages.length = 0;
  });
  void reader.ended.then(() => {
    closed++;
  });
  await reader.admitted;
}

const open = kind === 'ws' ? openWebSocket : openCall;
for (let first = 0; first < Number(count); first += OPENING) {
  const some = Array.from({ length: Math.min(OPENING, Number(count) - first) }, (_, index) => {
    const client = first + index;
    return open(client, `${kind}-${Math.floor(client / CLIENTS_PER_KEY)}`);
  });
  await Promise.all(some);
}
process.send?.('open');
process.on('message', () => {
  const figures = { latenciesMs, leastMessages: Math.min(...received), closed };
  process.send?.(figures satisfies ClientFigures, () => process.exit(0));
});
// Clients that have all messages report early; others are asked at the end.
const whole = setInterval(() => {
  if (Math.min(...received) < Number(awaited)) return;
  clearInterval(whole);
  process.send?.('whole');
}, 100);
