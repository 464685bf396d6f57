/**
 * The process that `restart.ts` starts and kills. Arguments: the mode, the data folder.
 * `follow` continues the growing market as a followed chain until it is killed; `digest` opens the
 * folder and applies its log. Each prints lines of JSON.
 */
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { openService, type Service } from '../src/service/app.ts';
import { GrowingMarket } from './state/growing-market.ts';
import { MAINNET_MARKET } from './state/market-options.ts';
import { readProcessMemory } from './state/process-memory.ts';

const [mode = '', dataDir = ''] = process.argv.slice(2);
const TAIL_SLOTS = 32;
const REPORTED_EVERY = 5;

const config = readConfig({}, { dataDir, solUsdFallback: '150' });
const say = (report: object) => process.stdout.write(`${JSON.stringify(report)}\n`);
const startMs = performance.now();
let applied = 0;
const service = await openService(config, {
  onFold: () => applied++,
  onStateProblem: (problem) => say({ problem }),
});
say({ openedMs: performance.now() - startMs, applied });
if (mode === 'follow') {
  const source = { areBlocksFinal: false, [Symbol.asyncIterator]: () => followed(service) };
  await service.ingestion.ingest(source, { writeAfterMs: 300 });
} else {
  const { engine } = service.ingestion;
  say({ digest: engine.digest(), slot: engine.lastSlot });
}
await service.close();
say({ isClosed: true });

/** The slots after the stored ones; each is final when 32 have followed. */
async function* followed({ ingestion }: Service): AsyncGenerator<SourceItem> {
  const market = new GrowingMarket(MAINNET_MARKET);
  const { lastSlot } = ingestion.engine;
  while (lastSlot !== null && market.nextSlot <= lastSlot) market.next();
  const open: SlotFacts[] = [];
  for (;;) {
    const facts = market.next();
    yield { kind: 'facts', facts };
    open.push(facts);
    const final = open.length > TAIL_SLOTS ? open.shift() : undefined;
    if (final !== undefined) yield { kind: 'final', slot: final.slot };
    if (market.counters.slots % REPORTED_EVERY !== 0) continue;
    const { swaps } = market.counters;
    const checkpoint = ingestion.stateStatus?.checkpoints.newest?.slot ?? null;
    const [{ pool = null } = {}] = swapsOf(facts);
    say({ slot: facts.slot, swaps, checkpoint, pool, ...readProcessMemory() });
  }
}

function swapsOf({ transactions }: SlotFacts) {
  return transactions.flatMap(({ events }) => events.filter((event) => event.kind === 'swap'));
}
