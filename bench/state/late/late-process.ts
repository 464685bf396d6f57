/**
 * The service that gets a slot late: its store, its state and its API as they are, and a market as
 * the chain that it follows. Started by `late.ts`.
 */
import { ApiThread } from '../../../src/bridge/api-thread.ts';
import { readConfig } from '../../../src/config/config.ts';
import { byteSizeText } from '../../../src/lib/byte-size.ts';
import { WRAPPED_SOL } from '../../../src/model/program.ts';
import type { SlotFacts } from '../../../src/model/slot-facts.ts';
import { openService } from '../../../src/service/app.ts';
import { integer } from '../../table.ts';
import { GrowingMarket } from '../growing-market.ts';
import { endReports, orderOf, report } from '../reporting-process.ts';
import { lateChain } from './late-chain.ts';
import { type LateOrder, type LateReport, slotsOf } from './late-order.ts';
import { RefoldWatch } from './refold-watch.ts';

const KEY = 'late-bench-key-0123456789';
/** Pools that are read, of those that trade first. */
const POOLS = 100;
const PROGRESS_EVERY_SLOTS = 1_000;

const order = orderOf<LateOrder>();
const dataDir = order.folder;
const stateMemory = byteSizeText(order.stateMemoryBytes);
const settings = { dataDir, stateMemory, port: '0', logLevel: 'silent', solUsdFallback: '150' };
const service = await openService(readConfig({}, settings));
service.store.keys.installBootstrap(KEY);
const market = new GrowingMarket(order.options);
const watch = new RefoldWatch(service);
const pools = new Map<string, { readonly pool: string; readonly mint: string }>();
const startMs = performance.now();
const apis: ApiThread[] = [];
let isDone = false;

const chain = lateChain({
  market,
  ...slotsOf(order),
  onSlot: noteSlot,
  onHistory: serve,
  onDelivery: deliver,
  onDelay: (ms) => watch.noteDelay(ms),
  isDone: () => isDone,
});
const source = { areBlocksFinal: false, [Symbol.asyncIterator]: () => chain };
await service.ingestion.ingest(source, {
  writeAfterMs: 300,
  onFold: () => watch.noteFold(),
  onStateProblem: (sentence) => console.log(sentence),
});
const digest = service.ingestion.engine.digest();
await report<LateReport>({ kind: 'ended', digest, swaps: market.counters.swaps });
for (const api of apis) await api.close(1_000);
await service.close();
endReports();

function noteSlot({ transactions }: SlotFacts): void {
  const { slots, swaps } = market.counters;
  watch.noteSlot(swaps);
  if (slots % PROGRESS_EVERY_SLOTS === 0) {
    console.log(`${integer(slots)} slots, ${integer(swaps)} swaps stored`);
  }
  if (pools.size >= POOLS) return;
  for (const event of transactions.flatMap(({ events }) => events)) {
    if (event.kind !== 'swap' || event.baseMint === WRAPPED_SOL) continue;
    pools.set(event.pool, { pool: event.pool, mint: event.baseMint });
  }
}

async function serve(): Promise<void> {
  const seconds = (performance.now() - startMs) / 1_000;
  const limits = { rateLimitPerMinute: 9_999_999, rateLimitBurst: 999_999, openOps: false };
  const api = await ApiThread.start(service, {
    settings: {
      ...{ ...limits, host: '127.0.0.1', port: 0, dataDir, simulation: null },
      logLevel: 'silent',
    },
    lagMaxMs: 600_000,
  });
  apis.push(api);
  const { slots, swaps } = market.counters;
  const checkpoints = service.ingestion.stateStatus?.checkpoints.count ?? 0;
  const { port } = api;
  const read = { port, key: KEY, pools: [...pools.values()] };
  await report<LateReport>({
    kind: 'stored',
    history: { slots, swaps, seconds, checkpoints, ...read },
  });
}

async function deliver(): Promise<void> {
  await report<LateReport>({ kind: 'delivered' });
  const applied = watch.applied(() => report<LateReport>({ kind: 'visible' }));
  void applied.then(async (figures) => {
    await report<LateReport>({ kind: 'applied', figures });
    isDone = true;
  });
}
