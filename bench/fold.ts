import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBlock } from '../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { asPriceE18, asSlot } from '../src/model/units.ts';
import { timeInRounds } from './rounds.ts';
import { fixed, integer, printTable } from './table.ts';

const BLOCK = 'chain/ai-nyan-bot+bot/block_326027759.json';
const SLOTS_A_ROUND = 100;
const ROUNDS = 20;
const SLOT_MS = 400;
/** Slots that the chain may still revert: the number until finality. */
const UNDO_SLOTS = 64;
const MEMORY_SWAPS = 500;
const MIB = 2 ** 20;

/** Only the fold: one recorded block's facts, applied repeatedly as if they were the chain. */
export function benchFold(testData: string): void {
  const file = join(testData, BLOCK);
  if (!existsSync(file)) {
    console.log(`SKIPPED the fold: ${BLOCK} is not in ${testData}`);
    return;
  }
  const reading = readBlock(JSON.parse(readFileSync(file, 'utf8')));
  if (reading.status !== 'ok') throw new Error('the recorded block cannot be read');
  const facts = decodeBlock(reading.value);
  benchSpeed(facts);
  benchUndoMemory(facts);
}

/** Final slots, revertible slots, and reverting itself, measured in turns. */
function benchSpeed(facts: SlotFacts): void {
  const [final, watched, forking] = [new Chain(facts), new Chain(facts), new Chain(facts)];
  const timings = timeInRounds(
    [
      { name: 'final', run: () => final.grow(SLOTS_A_ROUND) },
      { name: 'that can be taken back', run: () => watched.growWatched(SLOTS_A_ROUND) },
      { name: 'folded and taken back', run: () => forking.fork(UNDO_SLOTS) },
    ],
    ROUNDS,
  );
  printTable(`Engine.apply of the recorded block ${facts.slot}, one engine for each kind of slot`, [
    ['slots', 'swaps/s, median', 'swaps/s, best', 'ms per slot'],
    ...timings.map(({ name, unitsPerSecond, medianMs, bestMs }) => [
      name,
      integer(unitsPerSecond),
      integer((unitsPerSecond * medianMs) / bestMs),
      fixed((1_000 * swapsOf(facts)) / unitsPerSecond, 3),
    ]),
  ]);
}

/** Memory of the records that revert slots, after a warm state: the heap with and without them. */
function benchUndoMemory(facts: SlotFacts): void {
  const { gc } = globalThis;
  if (gc === undefined) {
    console.log('SKIPPED the memory of undo: run with --expose-gc');
    return;
  }
  const heldBytes = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const chain = new Chain(facts);
  chain.grow(2 * UNDO_SLOTS);
  chain.growUnfinished(UNDO_SLOTS);
  const withRecords = heldBytes();
  chain.finish();
  const bytes = withRecords - heldBytes();
  const perSwap = bytes / (UNDO_SLOTS * swapsOf(facts));
  printTable(`memory of ${UNDO_SLOTS} slots that can be taken back`, [
    ['measure', 'value'],
    ['swaps a slot, of the block', integer(swapsOf(facts))],
    ['MiB', fixed(bytes / MIB, 1)],
    ['bytes a swap', integer(perSwap)],
    [`MiB at ${MEMORY_SWAPS} swaps a slot`, fixed((perSwap * MEMORY_SWAPS * UNDO_SLOTS) / MIB, 1)],
  ]);
}

/** An engine that applies the same block as slot after slot. */
class Chain {
  private readonly engine = new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
  private readonly facts: SlotFacts;
  private index = 0;

  constructor(facts: SlotFacts) {
    this.facts = facts;
  }

  /** Swaps in the slots. */
  grow(slots: number): number {
    for (let count = 0; count < slots; count++) this.apply(true);
    return slots * swapsOf(this.facts);
  }

  /** As in live operation: a slot becomes final after UNDO_SLOTS more. */
  growWatched(slots: number): number {
    for (let count = 0; count < slots; count++) {
      this.apply(false);
      this.engine.forget(asSlot(this.facts.slot + this.index - UNDO_SLOTS));
    }
    return slots * swapsOf(this.facts);
  }

  growUnfinished(slots: number): void {
    for (let count = 0; count < slots; count++) this.apply(false);
  }

  fork(slots: number): number {
    this.growUnfinished(slots);
    for (let count = 0; count < slots; count++) this.engine.undo();
    this.index -= slots;
    // One slot stays, so that the chain differs each time.
    this.grow(1);
    return slots * swapsOf(this.facts);
  }

  finish(): void {
    this.engine.forget(asSlot(this.facts.slot + this.index));
  }

  private apply(isFinal: boolean): void {
    const { facts, index } = this;
    const blockTimeMs = (facts.blockTimeMs ?? 0) + Math.floor((index * SLOT_MS) / 1_000) * 1_000;
    this.engine.apply({ ...facts, slot: asSlot(facts.slot + index), blockTimeMs }, { isFinal });
    this.index++;
  }
}

function swapsOf({ transactions }: SlotFacts): number {
  let swaps = 0;
  for (const { error, events } of transactions) {
    if (error === null) swaps += events.filter(({ kind }) => kind === 'swap').length;
  }
  return swaps;
}
