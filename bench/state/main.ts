/**
 * Applies a market that grows as mainnet does and measures speed and memory; then drops what is in
 * memory as if killed, starts from the newest checkpoint, goes on to the same end, and compares the
 * digest with that of an engine that applied everything in one go.
 *
 *   npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB [--folder F]
 *     [--load mainnet|new-wallets|cold-mints|hot] [--seed N] [--no-reference]
 *
 * A progress line every ten seconds, a table, and a line of JSON at the end, in which null means
 * not measured. With a folder, a run goes on where the state in it ends. The default memory is a
 * third of the machine's, as that of the service.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../scripts/answer-help.ts';
import { parseByteSize } from '../../src/lib/byte-size.ts';
import type { Address } from '../../src/model/units.ts';
import { stateMemoryBytesOf } from '../../src/service/state-memory.ts';
import { fixed, integer, printTable } from '../table.ts';
import { GrowingMarket } from './growing-market.ts';
import {
  COLD_MINTS_MARKET,
  HOT_MARKET,
  MAINNET_MARKET,
  type MarketOptions,
  NEW_WALLETS_MARKET,
} from './market-options.ts';
import { type RunSample, runMarket } from './measured-run.ts';
import { readProcessMemory } from './process-memory.ts';
import { referenceDigest } from './reference-digest.ts';
import { StoredSubject } from './state-subject.ts';
import { StoredMarkets } from './stored-markets.ts';

answerHelp(`Applies a market that grows as mainnet does, kills and resumes it, and compares the digest.

  npm run -s bench:state -- [options]

  --swaps <number>         to apply
  --state-memory <size>    memory of the state, as 256MiB; a third of the machine's by default
  --folder <folder>        keeps the state there, and goes on where it ends
  --load <name>            mainnet, new-wallets, cold-mints or hot
  --seed <number>          what the market follows from
  --no-reference           without the run whose digest is compared

Example:
  npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB`);

const LOADS: Readonly<Record<string, MarketOptions>> = {
  mainnet: MAINNET_MARKET,
  'new-wallets': NEW_WALLETS_MARKET,
  'cold-mints': COLD_MINTS_MARKET,
  hot: HOT_MARKET,
};

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '2000000' },
    'state-memory': { type: 'string' },
    folder: { type: 'string' },
    load: { type: 'string', default: 'mainnet' },
    seed: { type: 'string' },
    'no-reference': { type: 'boolean', default: false },
  },
});
const load = LOADS[values.load];
if (load === undefined) {
  throw new RangeError(`there is no load "${values.load}", only ${Object.keys(LOADS).join(', ')}`);
}
const options = values.seed === undefined ? load : { ...load, seed: Number(values.seed) };
const swaps = Number(values.swaps);
const sizeText = values['state-memory'];
const stateMemoryBytes = stateMemoryBytesOf(sizeText === undefined ? null : sizeOf(sizeText));
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'mintscope-bench-state-'));
const stored = new StoredMarkets(join(folder, 'market'), options);
try {
  await measure();
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const subject = await StoredSubject.open({ stateMemoryBytes, folder });
  const samples = await run(subject);
  const { residentMiB } = readProcessMemory();
  printSamples(samples);
  console.log(`\ncontradictions ${JSON.stringify(subject.engine.contradictions)}`);
  await subject.kill();
  const { restartMs, digest } = await restart(subject.lastPool);
  const digestEqual = values['no-reference']
    ? null
    : digest === referenceDigest({ options, swaps, stateMemoryBytes: 2 * stateMemoryBytes });
  const result = {
    swaps: samples.at(-1)?.swaps ?? swaps,
    residentMiB: Math.round(residentMiB),
    foldedPerSecond: Math.round(samples.at(-1)?.swapsPerSecond ?? Number.NaN),
    restartMs,
    digestEqual,
  };
  console.log(JSON.stringify(result));
}

/** Applies the market from where the subject is to the end. */
async function run(subject: StoredSubject): Promise<RunSample[]> {
  const { lastSlot } = subject.engine;
  const market = lastSlot === null ? new GrowingMarket(options) : stored.open(lastSlot + 1);
  console.log(`Node ${process.version}, load ${values.load}, from slot ${market.nextSlot}`);
  const onProgress = (sample: RunSample) => console.log(toLine(sample));
  return runMarket({ market, subject, stored, swaps, onProgress });
}

/** Starts from the newest checkpoint, reads a pool, and goes on to the end. */
async function restart(
  pool: Address | null,
): Promise<{ readonly restartMs: number; readonly digest: string }> {
  const startedMs = performance.now();
  const subject = await StoredSubject.open({ stateMemoryBytes, folder });
  if (pool !== null) subject.engine.pool(pool);
  const restartMs = performance.now() - startedMs;
  await run(subject);
  console.log(`caught up ${fixed((performance.now() - startedMs) / 1_000, 1)} s after the start`);
  const digest = subject.engine.digest();
  await subject.kill();
  return { restartMs: Math.round(restartMs * 10) / 10, digest };
}

function sizeOf(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === null) throw new RangeError(`"${text}" is not a size such as 256MiB or 2GiB`);
  return bytes;
}

function toLine(sample: RunSample): string {
  return [
    `${integer(sample.swaps)} swaps`,
    `${integer(sample.swapsPerSecond)}/s`,
    `${integer(sample.swapsPerProcessorSecond)} per processor-second`,
    `${integer(sample.residentMiB)} MiB`,
  ].join(', ');
}

function printSamples(taken: readonly RunSample[]): void {
  printTable('after so many swaps, with the speed since the line before', [
    ['swaps', 'launches', 'wallets', 'swaps/s', 'per processor-s', 'VmRSS MiB', 'RssAnon MiB'],
    ...taken.map((sample) => [
      integer(sample.swaps),
      integer(sample.launches),
      integer(sample.wallets),
      integer(sample.swapsPerSecond),
      integer(sample.swapsPerProcessorSecond),
      integer(sample.residentMiB),
      integer(sample.anonymousMiB),
    ]),
  ]);
}
