/**
 * Applies a market that grows as mainnet does and measures speed and memory.
 *
 *   npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB [--folder F]
 *     [--load mainnet|new-wallets|cold-mints|hot] [--seed N] [--books]
 *
 * A progress line every ten seconds, a table, and a line of JSON at the end, in which null means
 * not measured. With a folder, a run goes on where the state in it ends. `--books` adds the memory
 * of each book, after which nothing else can be measured.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseByteSize } from '../../src/lib/byte-size.ts';
import { bytesByBook } from '../book-memory.ts';
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
import { createSubject, type StateSubject } from './state-subject.ts';
import { StoredMarkets } from './stored-markets.ts';

const LOADS: Readonly<Record<string, MarketOptions>> = {
  mainnet: MAINNET_MARKET,
  'new-wallets': NEW_WALLETS_MARKET,
  'cold-mints': COLD_MINTS_MARKET,
  hot: HOT_MARKET,
};
const MIB = 2 ** 20;

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '2000000' },
    'state-memory': { type: 'string' },
    folder: { type: 'string' },
    load: { type: 'string', default: 'mainnet' },
    seed: { type: 'string' },
    books: { type: 'boolean', default: false },
  },
});
const load = LOADS[values.load];
if (load === undefined) {
  throw new RangeError(`there is no load "${values.load}", only ${Object.keys(LOADS).join(', ')}`);
}
const options = values.seed === undefined ? load : { ...load, seed: Number(values.seed) };
const sizeText = values['state-memory'];
const subject = createSubject({
  stateMemoryBytes: sizeText === undefined ? null : sizeOf(sizeText),
  folder: values.folder ?? null,
});
const stored =
  values.folder === undefined ? null : new StoredMarkets(join(values.folder, 'market'), options);
const market = openMarket(subject);
console.log(`Node ${process.version}, load ${values.load}, from slot ${market.nextSlot}`);
const samples = runMarket({
  market,
  subject,
  stored,
  swaps: Number(values.swaps),
  onProgress: (sample) => console.log(toLine(sample)),
});
printSamples(samples);
await printResult();
subject.close();

function sizeOf(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === null) throw new RangeError(`"${text}" is not a size such as 256MiB or 2GiB`);
  return bytes;
}

/** The market after the last slot that the subject has applied. */
function openMarket({ engine }: StateSubject): GrowingMarket {
  if (engine.lastSlot === null || stored === null) return new GrowingMarket(options);
  return stored.open(engine.lastSlot + 1);
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

async function printResult(): Promise<void> {
  const { engine } = subject;
  console.log(
    `\nof the memory, the market's state: ${fixed(market.toBytes().length / MIB, 0)} MiB`,
  );
  console.log(`contradictions ${JSON.stringify(engine.contradictions)}`);
  const { residentMiB } = readProcessMemory();
  const restartMs = await subject.restart();
  const digestEqual = await subject.isDigestEqual();
  if (values.books) printBooks(subject);
  const { swaps } = market.counters;
  const foldedPerSecond = Math.round(samples.at(-1)?.swapsPerSecond ?? Number.NaN);
  console.log(
    JSON.stringify({
      swaps,
      residentMiB: Math.round(residentMiB),
      foldedPerSecond,
      restartMs,
      digestEqual,
    }),
  );
}

function printBooks({ engine }: StateSubject): void {
  printTable('by book', [
    ['book', 'entries', 'MiB', 'bytes an entry'],
    ...bytesByBook(engine).map(({ name, entries, bytes }) => [
      name,
      entries === null ? '' : integer(entries),
      fixed(bytes / MIB, 2),
      entries === null ? '' : fixed(bytes / entries, 0),
    ]),
  ]);
}
