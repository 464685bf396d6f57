/**
 * The process that `restart.ts` starts. Arguments: the mode, the data folder, a number of swaps.
 * `follow` continues the growing market as a followed chain and kills itself with SIGKILL when it
 * has these swaps and a checkpoint is nearly complete; `digest` opens the folder and applies its
 * log. Each prints lines of JSON; one with a problem says why it ended.
 */
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import { CHECKPOINT_PACE } from '../src/ingestion/checkpoint-pace.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { openService, type Service } from '../src/service/app.ts';
import { GrowingMarket } from './state/growing-market.ts';
import { MAINNET_MARKET } from './state/market-options.ts';
import { readProcessMemory } from './state/process-memory.ts';

const [mode = '', dataDir = '', swapsWanted = '0'] = process.argv.slice(2);
const TAIL_SLOTS = 32;
const REPORTED_EVERY = 5;
const { everySlots } = CHECKPOINT_PACE;
/** From the newest checkpoint to the last slot before that of the next one is final. */
const SLOTS_AFTER_CHECKPOINT = everySlots + TAIL_SLOTS - 1;
/** A kill that is not possible within so many slots never is. */
const SLOTS_TO_KILL_MAX = 5 * everySlots;

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
  let slotsWithSwaps = 0;
  for (;;) {
    const facts = market.next();
    yield { kind: 'facts', facts };
    open.push(facts);
    const final = open.length > TAIL_SLOTS ? open.shift() : undefined;
    if (final !== undefined) yield { kind: 'final', slot: final.slot };
    report(ingestion, market, facts);
    if (market.counters.swaps >= Number(swapsWanted)) slotsWithSwaps++;
    if (slotsWithSwaps > SLOTS_TO_KILL_MAX) endWithoutKill(ingestion);
  }
}

/** Prints where it is after some of the slots, and before this process is killed. */
function report(ingestion: Service['ingestion'], market: GrowingMarket, facts: SlotFacts): void {
  const { swaps, slots } = market.counters;
  const isKilled = swaps >= Number(swapsWanted) && isNearlyStored(ingestion);
  if (isKilled || slots % REPORTED_EVERY === 0) {
    const [{ pool = null } = {}] = swapsOf(facts);
    const { lastSlot: slot } = ingestion.engine;
    const checkpoint = newestSlotOf(ingestion);
    say({ slot, swaps, checkpoint, pool, isKilled, ...readProcessMemory() });
  }
  if (isKilled) process.kill(process.pid, 'SIGKILL');
}

/** Whether a kill now leaves most to apply: the next checkpoint is written, but its slot not final. */
function isNearlyStored(ingestion: Service['ingestion']): boolean {
  const { lastSlot } = ingestion.engine;
  const checkpoint = newestSlotOf(ingestion);
  if (lastSlot === null || checkpoint === null) return false;
  const isWritten = ingestion.stateStatus?.checkpoints.isNextWritten === true;
  return isWritten && lastSlot - checkpoint >= SLOTS_AFTER_CHECKPOINT;
}

function newestSlotOf({ stateStatus }: Service['ingestion']): number | null {
  return stateStatus?.checkpoints.newest?.slot ?? null;
}

function endWithoutKill(ingestion: Service['ingestion']): never {
  const checkpoint = newestSlotOf(ingestion);
  const newest = checkpoint === null ? 'there is none' : `the newest is of slot ${checkpoint}`;
  const problem =
    `There was no time for a kill: in ${SLOTS_TO_KILL_MAX} slots after the first ${swapsWanted} ` +
    `swaps no checkpoint was nearly complete, ${newest}.`;
  say({ problem });
  process.exit(1);
}

function swapsOf({ transactions }: SlotFacts) {
  return transactions.flatMap(({ events }) => events.filter((event) => event.kind === 'swap'));
}
