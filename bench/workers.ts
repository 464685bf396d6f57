import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RawBlock, RawBlockDecoder } from '../src/chain/recorded/raw-block.ts';
import { createDecodePool } from '../src/chain/threads/decode-pool.ts';
import { decodeRawBlock } from '../src/chain/threads/decode-raw-block.ts';
import { Engine } from '../src/engine/engine.ts';
import { mapAhead } from '../src/lib/map-ahead.ts';
import { asPriceE18, asSlot } from '../src/model/units.ts';
import { encodeSlotFacts, receiveSlotFacts } from '../src/store/codecs/facts-codec.ts';
import { fixed, integer, printTable } from './table.ts';

const BLOCKS = [
  'chain/ai-nyan-bot+bot/block_326027759.json',
  'chain/helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
];
const WORKERS = [0, 1, 2];
const ROUNDS = 3;
/** Copies of each block, with their own slots. */
const COPIES = 40;
const FIRST_SLOT = 400_000_000;
/** Blocks before the clock starts, so that every thread runs compiled code. */
const WARMUP = 30;

/** Raw blocks decoded on the main thread, and on increasing numbers of worker threads. */
export async function benchWorkers(testData: string): Promise<void> {
  const files = BLOCKS.map((path) => join(testData, path)).filter((file) => existsSync(file));
  if (files.length < BLOCKS.length) {
    console.log(`SKIPPED the workers: the recorded blocks are not in ${testData}`);
    return;
  }
  await benchThreads(files.map((file) => readFileSync(file)));
  benchReplay(files.map((file) => readFileSync(file, 'utf8')));
}

interface Load {
  readonly wallMs: number;
  readonly mainCpuMs: number;
  readonly processCpuMs: number;
  readonly digest: string;
}

/** Bytes in memory → facts folded and encoded for the log, as with a live source. */
async function benchThreads(contents: readonly Uint8Array[]): Promise<void> {
  const best = new Map<number, Load>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of WORKERS) {
      const load = await foldBlocks(contents, workers);
      const known = best.get(workers);
      if (known !== undefined && known.digest !== load.digest) throw new Error('digests differ');
      if (known === undefined || load.wallMs < known.wallMs) best.set(workers, load);
    }
  }
  printTable(`raw blocks in memory → folded and encoded; ms a block, best of ${ROUNDS} rounds`, [
    ['workers', 'wall', 'CPU of the main thread', 'CPU of the process'],
    ...[...best].map(([workers, { wallMs, mainCpuMs, processCpuMs }]) => [
      String(workers),
      ...[wallMs, mainCpuMs, processCpuMs].map((ms) => fixed(ms, 1)),
    ]),
  ]);
}

async function foldBlocks(contents: readonly Uint8Array[], workers: number): Promise<Load> {
  const pool = createDecodePool(workers);
  const decoder: RawBlockDecoder = pool ?? { aheadMax: 1, decode: decodeHere };
  const engine = new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
  const count = COPIES * contents.length;
  let start = readClocks();
  let folded = 0;
  for await (const decoding of mapAhead(rawBlocks(contents), decoder.decode, decoder.aheadMax)) {
    if (decoding.status !== 'decoded') throw new Error('a recorded block cannot be decoded');
    engine.apply(decoding.facts);
    encodeSlotFacts(decoding.facts);
    if (++folded === WARMUP) start = readClocks();
  }
  const end = readClocks();
  await pool?.close();
  const perBlock = (clock: keyof typeof end) => (end[clock] - start[clock]) / count;
  return {
    wallMs: perBlock('wallMs'),
    mainCpuMs: perBlock('mainCpuMs'),
    processCpuMs: perBlock('processCpuMs'),
    digest: engine.digest(),
  };
}

async function decodeHere(raw: RawBlock) {
  const { encodedFacts } = decodeRawBlock(raw);
  if (encodedFacts === null) return { status: 'unreadable' } as const;
  return { status: 'decoded', facts: receiveSlotFacts(encodedFacts) } as const;
}

function readClocks() {
  const main = process.threadCpuUsage();
  const all = process.cpuUsage();
  return {
    wallMs: performance.now(),
    mainCpuMs: (main.user + main.system) / 1_000,
    processCpuMs: (all.user + all.system) / 1_000,
  };
}

async function* rawBlocks(contents: readonly Uint8Array[]): AsyncGenerator<RawBlock> {
  for (let index = 0; index < WARMUP + COPIES * contents.length; index++) {
    const content = contents[index % contents.length] as Uint8Array;
    yield { slot: asSlot(FIRST_SLOT + index), encoding: 'rpc-json', origin: 'memory', content };
  }
}

/** `replay` into a new data folder, from files written for it. */
function benchReplay(texts: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  try {
    for (const [slot, text] of copies(texts)) {
      writeFileSync(join(folder, `block_${slot}.json`), text);
    }
    benchFiles('a file for each block', join(folder, 'block_*.json'));
    const lines = join(folder, 'blocks.jsonl');
    for (const [, text] of copies(texts)) writeFileSync(lines, `${text}\n`, { flag: 'a' });
    benchFiles('a line for each block', lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Rounds are interleaved, so that changes of the machine's speed affect every number of workers
 * alike.
 */
function benchFiles(title: string, path: string): void {
  const best = new Map<number, Run>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of WORKERS) {
      const run = replay(path, workers);
      const known = best.get(workers);
      if (known !== undefined && known.digest !== run.digest) throw new Error('digests differ');
      if (known === undefined || run.seconds < known.seconds) best.set(workers, run);
    }
  }
  const alone = best.get(0)?.seconds ?? Number.NaN;
  printTable(
    `replay, whole process, ${COPIES * BLOCKS.length} blocks, ${title}; best of ${ROUNDS}`,
    [
      ['workers', 's', 'transactions/s', 'faster than none'],
      ...[...best].map(([workers, { seconds, transactions }]) => [
        String(workers),
        fixed(seconds, 2),
        integer(transactions / seconds),
        `${fixed(alone / seconds, 2)} ×`,
      ]),
    ],
  );
}

interface Run {
  readonly seconds: number;
  readonly transactions: number;
  readonly digest: string;
}

function replay(path: string, workers: number): Run {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const node = ['--disable-warning=ExperimentalWarning', resolve('src/main.ts')];
  const flags = ['--json', `--data-dir=${dataDir}`, `--decode-workers=${workers}`];
  const start = performance.now();
  const output = execFileSync(process.execPath, [...node, 'replay', path, ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const seconds = (performance.now() - start) / 1_000;
  rmSync(dataDir, { recursive: true, force: true });
  const { transactions, digest } = JSON.parse(output) as Run;
  return { seconds, transactions, digest };
}

/** The recorded text on one line, with a parent that assigns its own slot. */
function* copies(texts: readonly string[]): Generator<readonly [number, string]> {
  for (let copy = 0; copy < COPIES; copy++) {
    for (const [index, text] of texts.entries()) {
      const slot = FIRST_SLOT + copy * texts.length + index;
      const placed = text.trim().replace(/"parentSlot":\s*\d+/, `"parentSlot":${slot - 1}`);
      yield [slot, placed];
    }
  }
}
