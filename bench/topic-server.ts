/**
 * The API that `topics.ts` loads, in its own process: takes five slots a second of trades, each with
 * the time of its application, and reports the cost. Ends with its parent.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../src/api/logger.ts';
import { createApi } from '../src/bridge/create-api.ts';
import type { SlotItem } from '../src/model/slot-frame.ts';
import { asSlot } from '../src/model/units.ts';
import { buildTrade } from '../tests/support/build-trade.ts';
import { address } from '../tests/support/build-transaction.ts';

const SLOT_MS = 200;
/** Pools that clients choose from. */
const POOLS = 1_000;

export interface TopicServerFigures {
  readonly processorShare: number;
  readonly peakBytes: number;
}

const keys = {
  authenticate: (keyId: string) => ({
    keyId,
    accountId: keyId,
    label: '',
    expiresAtMs: null,
    scopes: ['read'] as const,
  }),
};
const settings = {
  rateLimitPerMinute: 10_000_000,
  rateLimitBurst: 1_000_000,
  openOps: false,
  simulation: null,
};
const api = createApi(
  (message) => {
    if (message.kind !== 'interest') return;
    setImmediate(() =>
      api.take({ kind: 'interested', id: message.id, isReady: true, position: null }),
    );
  },
  { keys },
  settings,
  createLogger({ level: 'silent' }),
);
await api.app.listen({ host: '127.0.0.1', port: 0 });
const pools = Array.from({ length: POOLS }, (_, index) => address(`stream pool ${index}`));

process.on('message', ({ slots, pools }: { slots: number; pools: number }) => {
  void publish(slots, pools);
});
process.send?.({ port: (api.app.server.address() as AddressInfo).port });

async function publish(slots: number, count: number): Promise<void> {
  const startUsage = process.cpuUsage();
  const startMs = performance.now();
  let peakBytes = 0;
  for (let slot = 1; slot <= slots; slot++) {
    const timeMs = Date.now();
    const context = { slot: asSlot(slot), timeMs, solUsd: null, finalSlot: null };
    api.take({
      kind: 'frame',
      frame: { ...context, isUndone: false, items: itemsOf(slot, count, timeMs) },
    });
    await delay(Math.max(0, startMs + slot * SLOT_MS - performance.now()));
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }
  const { user, system } = process.cpuUsage(startUsage);
  const processorShare = (user + system) / 1_000 / (performance.now() - startMs);
  process.send?.({ processorShare, peakBytes } satisfies TopicServerFigures);
}

/** A trade in each of `count` pools, other ones in each slot. */
function itemsOf(slot: number, count: number, timeMs: number): SlotItem[] {
  return Array.from({ length: count }, (_, index) => {
    const pool = pools[(slot * count + index) % POOLS] as (typeof pools)[number];
    return {
      topic: 'trades',
      trade: buildTrade({ slot: asSlot(slot), txIndex: index, pool, timeMs }),
    };
  });
}
