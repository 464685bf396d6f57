/** Candles of a token, kept current: node candle-stream.ts <token address> */
import { MintscopeClient, type TopicData } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [token_address = ''] = process.argv.slice(2);
const candles = new Map<string, TopicData<'candles'>>();

/** What was traded before the stream began, or during a gap. */
async function readAgain(): Promise<void> {
  const query = { token_address, interval: '30s' } as const;
  const { data } = await client.get('/v1/market/ohlc', { query });
  for (const candle of data.timeframes['30s'] ?? []) candles.set(candle.timestamp, candle);
}

let left = Number(process.env.EVENTS ?? Number.POSITIVE_INFINITY);
for await (const event of client.stream({ topic: 'candles', params: { token_address } })) {
  // A read after this is of the slot of the stream or a later one: nothing lies between.
  if (event.type === 'ready' ? !event.isResumed : event.type === 'gap') await readAgain();
  if (event.type === 'undo') candles.delete(event.data.timestamp);
  if (event.type !== 'message') continue;
  candles.set(event.data.timestamp, event.data);
  const { timestamp, open, high, low, close, volume } = event.data;
  console.log(`${timestamp} ${open} ${high} ${low} ${close} ${volume} (${candles.size} candles)`);
  if (--left === 0) break;
}
