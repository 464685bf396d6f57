import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { MintscopeClient } from '../clients/typescript/src/client.ts';
import { TradeItem } from '../src/api/present/trade-body.ts';
import { buildTrade } from '../tests/support/build-trade.ts';
import { fixed, printTable } from './table.ts';

const MESSAGES = 200_000;
/** Messages that are sent before the next ones wait for the socket. */
const PORTION = 500;

/**
 * Messages that the TypeScript client decodes in a second, from a server in the same process, whose
 * share of the time is included.
 */
export async function benchClient(): Promise<void> {
  const data = JSON.stringify(TradeItem.present(buildTrade({})));
  const message = (seq: number) =>
    `{"id":"trades","topic":"trades","seq":${seq},"slot":${seq},"data":${data}}`;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    socket.send('{"op":"hello","seq":0,"limits":{}}');
    socket.once('message', async () => {
      socket.send('{"op":"ack","id":"trades","seq":0,"slot":0}');
      for (let seq = 1; seq <= MESSAGES; seq++) {
        if (seq % PORTION > 0) socket.send(message(seq));
        else await new Promise((resolve) => socket.send(message(seq), resolve));
      }
    });
  });
  const body = '{"ticket":"t","expires_at":"2025-01-15T14:32:08.000Z"}';
  const client = new MintscopeClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
  });
  let startMs = 0;
  let received = 0;
  for await (const event of client.stream({ topic: 'trades' }, { waitingMax: MESSAGES })) {
    if (event.type === 'ready') startMs = performance.now();
    if (event.type === 'message' && ++received === MESSAGES) break;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  server.close();
  printTable('TypeScript client, trades of one subscription, server included', [
    ['messages', 'bytes each', 'messages/s'],
    [String(MESSAGES), String(message(MESSAGES).length), fixed(MESSAGES / seconds, 0)],
  ]);
}
