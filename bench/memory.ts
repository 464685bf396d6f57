import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBlock } from '../src/chain/rpc-json/read-block.ts';
import { createDecodePool } from '../src/chain/threads/decode-pool.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { asPriceE18, asSlot } from '../src/model/units.ts';
import { encodeSlotFacts } from '../src/store/codecs/facts-codec.ts';
import { fixed, integer, printTable } from './table.ts';

const BLOCK = 'chain/helius-labs+photon/tests/data/blocks/index_block_metadata/254170887';
const REPEATS = 1_000;
const SAMPLE_EVERY = 50;
/** Repeats before the first sample, for compilation and caches of fixed size. */
const WARMUP = 100;
const KIB = 1_024;

/**
 * Checks whether memory grows when one block is decoded repeatedly. Needs --expose-gc, as `npm run
 * bench` sets it.
 */
export async function benchMemory(testData: string): Promise<void> {
  const file = join(testData, BLOCK);
  if (!existsSync(file)) {
    console.log(`SKIPPED the memory: ${BLOCK} is not in ${testData}`);
    return;
  }
  const bytes = readFileSync(file);
  const onMain = await sampleRepeats(async () => {
    encodeSlotFacts(decode(bytes));
  });
  printSlopes('decoded on the main thread', onMain);
  const pool = createDecodePool(1);
  if (pool === null) return;
  const raw = {
    slot: asSlot(254_170_887),
    encoding: 'recorded',
    origin: file,
    content: bytes,
  } as const;
  const onWorker = await sampleRepeats(async () => {
    const { status } = await pool.decode(raw);
    if (status !== 'decoded') throw new Error('the recorded block cannot be decoded');
  });
  await pool.close();
  printSlopes('decoded by a worker', onWorker);
  printSlopes('decoded and folded as slot after slot', await sampleRepeats(folding(bytes)));
}

const SLOT_MS = 400;

/** Decodes the block and applies it as the next slot, as if it were the chain. */
function folding(bytes: Buffer): () => Promise<void> {
  const engine = new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
  let index = 0;
  return async () => {
    const facts = decode(bytes);
    const blockTimeMs = (facts.blockTimeMs ?? 0) + Math.floor((index * SLOT_MS) / 1_000) * 1_000;
    engine.apply({ ...facts, slot: asSlot(facts.slot + index), blockTimeMs });
    index++;
  };
}

function decode(bytes: Buffer): SlotFacts {
  const reading = readBlock(JSON.parse(bytes.toString('utf8')));
  if (reading.status !== 'ok') throw new Error('the recorded block cannot be read');
  return decodeBlock(reading.value);
}

/** Memory after each forced collection. */
interface Sample {
  readonly repeat: number;
  readonly heapBytes: number;
  readonly outsideBytes: number;
  readonly rssBytes: number;
}

async function sampleRepeats(run: () => Promise<void>): Promise<Sample[]> {
  for (let warmup = 0; warmup < WARMUP; warmup++) await run();
  const samples: Sample[] = [];
  for (let repeat = 1; repeat <= REPEATS; repeat++) {
    await run();
    if (repeat % SAMPLE_EVERY === 0) samples.push(await takeSample(repeat));
  }
  return samples;
}

async function takeSample(repeat: number): Promise<Sample> {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  // Twice, with a turn in between: objects with finalisers are freed the second time.
  globalThis.gc();
  await new Promise((next) => setImmediate(next));
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { repeat, heapBytes: heapUsed, outsideBytes: external, rssBytes: rss };
}

function printSlopes(title: string, samples: readonly Sample[]): void {
  const kinds = [
    ['heap', (sample: Sample) => sample.heapBytes],
    ['buffers outside the heap', (sample: Sample) => sample.outsideBytes],
    ['resident set', (sample: Sample) => sample.rssBytes],
  ] as const;
  const rows = kinds.map(([name, bytesOf]) => {
    const values = samples.map(bytesOf);
    const { slope, margin } = fitSlope(
      samples.map(({ repeat }) => repeat),
      values,
    );
    return [
      name,
      integer((values[0] ?? Number.NaN) / KIB),
      integer((values.at(-1) ?? Number.NaN) / KIB),
      fixed(slope / KIB, 3),
      `± ${fixed(margin / KIB, 3)}`,
      `${fixed((100 * slope * REPEATS) / (values[0] ?? Number.NaN), 2)} %`,
    ];
  });
  printTable(
    `one block, ${integer(REPEATS)} times, ${title}; a sample every ${SAMPLE_EVERY}, KiB`,
    [['memory', 'first', 'last', 'slope a block', 'with 95 %', 'over all of them'], ...rows],
  );
}

/** Student's t at 97.5 % for the degrees of freedom of 20 samples. */
const T_18 = 2.101;

/** Ordinary least squares; `margin` is half of the 95 % confidence interval of the slope. */
function fitSlope(xs: readonly number[], ys: readonly number[]): { slope: number; margin: number } {
  const count = xs.length;
  const meanX = xs.reduce((sum, x) => sum + x, 0) / count;
  const meanY = ys.reduce((sum, y) => sum + y, 0) / count;
  let squareX = 0;
  let product = 0;
  for (const [index, x] of xs.entries()) {
    squareX += (x - meanX) ** 2;
    product += (x - meanX) * ((ys[index] as number) - meanY);
  }
  const slope = product / squareX;
  const residual = ys.reduce(
    (sum, y, index) => sum + (y - meanY - slope * ((xs[index] as number) - meanX)) ** 2,
    0,
  );
  return { slope, margin: T_18 * Math.sqrt(residual / (count - 2) / squareX) };
}
