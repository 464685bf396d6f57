import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts, TransactionFacts } from '../src/model/slot-facts.ts';
import { asPriceE18, asSlot } from '../src/model/units.ts';
import { Snapshots } from '../src/store/snapshots/snapshots.ts';
import { numberedPurchase } from './numbered-purchase.ts';
import { fixed, integer, printTable } from './table.ts';

const OPTIONS = { fallbackSolUsd: asPriceE18(150n * 10n ** 18n) };
const TRADES_A_SLOT = 500;
const SLOT_MS = 400;
/** Wallets per token and its pool. */
const WALLETS_A_TOKEN = 200;
/** Slots folded before and after, to compare the speed of a restored engine. */
const COMPARED_SLOTS = 200;
const MIB = 2 ** 20;

/** Writes and reads the state of one trade of each of `wallets` wallets, as a service does. */
export async function benchSnapshot(wallets: number): Promise<void> {
  const engine = new Engine(OPTIONS);
  const slots = Math.ceil(wallets / TRADES_A_SLOT);
  for (let slot = 0; slot < slots; slot++) engine.apply(slotOf(slot));
  globalThis.gc?.();
  const heapMib = process.memoryUsage().heapUsed / MIB;
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  try {
    const snapshots = new Snapshots(folder);
    const { lastSlot, lastBlockhash: blockhash } = engine;
    const slot = asSlot(lastSlot ?? 0);
    const head = { rules: 'bench', epoch: 1, slot, blockhash, olderSlots: 0 };
    const writing = await watched(() => snapshots.write(head, engine.writeState()));
    const name = snapshots.names()[0] ?? '';
    const startCpu = process.cpuUsage();
    const startMs = performance.now();
    const restored = new Engine(OPTIONS, snapshots.open(name).chunks);
    const readMs = performance.now() - startMs;
    const readCpuMs = cpuMsSince(startCpu);
    const rates = [engine, restored].map((each) => foldRate(each, slots));
    if (restored.digest() !== engine.digest()) throw new Error('the digests differ');
    printTable(`snapshot of ${integer(wallets)} wallets with a swap each`, [
      ['measure', 'value'],
      ['pools, token accounts', `${engine.stateSize.pools}, ${engine.stateSize.holderAccounts}`],
      ['heap with the state, MiB', fixed(heapMib, 0)],
      ['file, MiB', fixed(statSync(join(folder, name)).size / MIB, 1)],
      ['writing, ms', integer(writing.ms)],
      ['writing, ms of processor', integer(writing.cpuMs)],
      ['longest time without a turn for others while writing, ms', fixed(writing.longestMs, 1)],
      ['reading, ms', integer(readMs)],
      ['reading, ms of processor', integer(readCpuMs)],
      ['slots/s folded by the engine', integer(rates[0] ?? 0)],
      ['slots/s folded by the restored one', integer(rates[1] ?? 0)],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Writing {
  readonly ms: number;
  readonly cpuMs: number;
  readonly longestMs: number;
}

async function watched(run: () => Promise<unknown>): Promise<Writing> {
  let longestMs = 0;
  let lastMs = performance.now();
  const ticking = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 0);
  const startCpu = process.cpuUsage();
  const startMs = performance.now();
  await run();
  clearInterval(ticking);
  return { ms: performance.now() - startMs, cpuMs: cpuMsSince(startCpu), longestMs };
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function timed(run: () => unknown): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

function foldRate(engine: Engine, from: number): number {
  const slots = Array.from({ length: COMPARED_SLOTS }, (_, index) => slotOf(from + index));
  const ms = timed(() => {
    for (const facts of slots) engine.apply(facts);
  });
  return (COMPARED_SLOTS * 1_000) / ms;
}

function slotOf(index: number): SlotFacts {
  const transactions = Array.from({ length: TRADES_A_SLOT }, (_, txIndex) =>
    purchase(index * TRADES_A_SLOT + txIndex, txIndex),
  );
  return {
    slot: asSlot(1_000 + index),
    parentSlot: asSlot(999 + index),
    blockhash: `block ${index}`,
    previousBlockhash: `block ${index - 1}`,
    blockTimeMs: Date.UTC(2026, 0, 1) + index * SLOT_MS,
    isWhole: true,
    decoderVersion: 1,
    voteCount: 0,
    transactions,
    outcomes: {},
    poolMovingCount: TRADES_A_SLOT,
    explainedCount: TRADES_A_SLOT,
    problems: [],
  };
}

/** One wallet's only purchase, of a token that it then holds. */
function purchase(wallet: number, txIndex: number): TransactionFacts {
  const token = Math.floor(wallet / WALLETS_A_TOKEN);
  return numberedPurchase({ number: wallet, txIndex, wallet, token, quoteRaw: 10_000_000n });
}
