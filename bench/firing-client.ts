/**
 * A client of `firings.ts` in its own process: reads a WebSocket of triggers and sends its parent
 * the arrival time of each firing. Arguments: the port, the key, the number of messages.
 */
import { WebSocket } from 'ws';

/** A firing at the client, by a clock that all processes share. */
export interface Arrival {
  readonly slot: number;
  readonly atMs: number;
}

const [port = '0', key = '', awaited = '1'] = process.argv.slice(2);
const arrivals: Arrival[] = [];
const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/triggers/ws`, {
  headers: { 'x-api-key': key },
});
socket.on('message', (data) => {
  const atMs = performance.timeOrigin + performance.now();
  const message = JSON.parse(String(data)) as { readonly type: string; readonly slot: number };
  if (message.type === 'connected') process.send?.('connected');
  if (message.type !== 'trigger_fired') return;
  arrivals.push({ slot: message.slot, atMs });
  if (arrivals.length === Number(awaited)) process.send?.(arrivals, () => socket.close());
});
