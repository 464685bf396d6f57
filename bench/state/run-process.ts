/**
 * The process of a run: continues state and market in the folder of its order up to the swaps of it,
 * reports what it measured, and goes on until a checkpoint is nearly complete. Then it kills itself
 * with SIGKILL. Started by `killed-run.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integer } from '../table.ts';
import { bytesPerWallet, type Footprint } from './footprint.ts';
import { GrowingMarket } from './growing-market.ts';
import { measuredPartOf } from './measured-part.ts';
import { type RunSample, runMarket } from './measured-run.ts';
import { readProcessMemory } from './process-memory.ts';
import { ProgressLines } from './progress-lines.ts';
import { orderOf, report } from './reporting-process.ts';
import { FOLLOWED_SLOT_MS, type RunMeasures, type RunOrder, type RunReport } from './run-order.ts';
import { StoredSubject } from './state-subject.ts';
import { StoredMarkets } from './stored-markets.ts';

const BYTES_PER_MIB = 2 ** 20;

const order = orderOf<RunOrder>();
const { options, folder } = order;
const stored = new StoredMarkets(join(folder, 'market'), options);
const subject = await StoredSubject.open(order);
const { lastSlot } = subject.engine;
const market = lastSlot === null ? new GrowingMarket(options) : openMarket(lastSlot + 1);
console.log(`Node ${process.version}, from slot ${market.nextSlot}`);
await report<RunReport>({ kind: 'measured', measures: await measure() });
await goOnUntilKilled();

function openMarket(slot: number): GrowingMarket {
  const progress = new ProgressLines();
  return stored.open(slot, (nextSlot) =>
    progress.step(() => `${integer(slot - nextSlot)} slots of the market to be made`),
  );
}

async function measure(): Promise<RunMeasures> {
  const first = market.counters.swaps;
  const writtenBefore = writtenBytes();
  const footprints: Footprint[] = [];
  const half = first + (order.swaps - first) / 2;
  const hasSingleSwaps = options.newWalletShare >= 1;
  const onSample = async () => {
    const { swaps, wallets } = market.counters;
    const isNext = footprints.length === 0 ? swaps >= half : swaps >= order.swaps;
    if (hasSingleSwaps && isNext) footprints.push(await subject.footprint(wallets));
  };
  const samples = await runMarket({ ...order, market, subject, stored, onProgress, onSample });
  const [halfway, end] = footprints;
  const { swaps } = market.counters;
  const written = (writtenBytes() - writtenBefore) / BYTES_PER_MIB;
  return {
    samples,
    part: measuredPartOf(samples, options),
    swaps,
    residentMiB: readProcessMemory().residentMiB,
    collectedMiB: collectedMiB(),
    // Footprints store the state themselves, which would be left out.
    cost: hasSingleSwaps ? null : subject.times.costAt(FOLLOWED_SLOT_MS),
    perWallet: halfway && end ? bytesPerWallet(halfway, end) : null,
    writtenMiBPerMillionSwaps: swaps > first ? (written * 1_000_000) / (swaps - first) : null,
    contradictions: subject.engine.contradictions,
  };
}

async function goOnUntilKilled(): Promise<void> {
  const progress = new ProgressLines();
  progress.say('on to the worst time for a kill: when the next checkpoint is nearly complete');
  let slots = 0;
  while (!subject.isNearlyStored) {
    const facts = market.next();
    stored.store(market);
    await subject.apply(facts);
    slots++;
    progress.step(() => `on to the kill: ${integer(slots)} slots, ${integer(swapsNow())} swaps`);
  }
  const at = { slot: market.nextSlot - 1, swaps: swapsNow(), pool: subject.firstPool };
  await report<RunReport>({ kind: 'killing', at });
  process.kill(process.pid, 'SIGKILL');
}

/** Resident memory after a full collection; null where Node has no `--expose-gc`. */
function collectedMiB(): number | null {
  if (globalThis.gc === undefined) return null;
  // Unlike others, this one gives memory back.
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return readProcessMemory().residentMiB;
}

/** Bytes that this process has written, without those of the market. */
function writtenBytes(): number {
  const found = /^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'));
  return Number(found?.[1]) - stored.writtenBytes;
}

function onProgress(sample: RunSample): void {
  const parts = [
    `${integer(sample.swaps)} swaps`,
    `${integer(sample.swapsPerSecond)}/s`,
    `${integer(sample.swapsPerProcessorSecond)} per processor-second`,
    `${integer(sample.residentMiB)} MiB`,
  ];
  console.error(parts.join(', '));
}

function swapsNow(): number {
  return market.counters.swaps;
}
