/**
 * Memory of the engine's state, in total and by book, while a tape is folded as if it were
 * followed: how many bytes a new wallet, token or pool adds.
 *
 *   node --expose-gc --max-old-space-size=8192 bench/state-memory.ts <tape> [blocks] [samples]
 *
 * A book's part is the memory that is free after its removal from the state. Address texts that
 * several books share count for the last of them, which is the table of address numbers.
 */

import { readBlock } from '../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { asSlot } from '../src/model/units.ts';
import { encodeSlotFacts, receiveSlotFacts } from '../src/store/codecs/facts-codec.ts';
import { bytesByBook, partsOf, sizeOf, usedBytes } from './book-memory.ts';
import { readTape, readTapeBlock, type Tape, type TapeBlock } from './live-tape.ts';
import { fixed, integer, printTable } from './table.ts';

/** Slots that may be reverted, on a chain that finalises within 13 s. */
const TAIL_SLOTS = 32;
const MIB = 2 ** 20;

/** Entries by kind, and bytes, after garbage collection. */
interface Sample {
  readonly blocks: number;
  readonly bytes: number;
  readonly entries: Readonly<Record<string, number>>;
}

/** Facts as a decode thread delivers them: parsed from the log's text. */
async function factsOf(tape: Tape, block: TapeBlock): Promise<SlotFacts> {
  const text = await readTapeBlock(tape, block, 0);
  const answer: { readonly result?: unknown } = JSON.parse(text.toString());
  const reading = readBlock(answer.result ?? answer, asSlot(block.slot));
  if (reading.status !== 'ok') throw new Error(`block ${block.slot} cannot be read`);
  return receiveSlotFacts(encodeSlotFacts(decodeBlock(reading.value)));
}

async function fold(engine: Engine, tape: Tape, blocks: number, every: number): Promise<Sample[]> {
  const ids = partsOf(engine).find(({ name }) => name === 'ids');
  const take = (done: number): Sample => ({
    blocks: done,
    bytes: usedBytes(),
    entries: { ...engine.stateSize, addresses: sizeOf(ids?.holder.ids) },
  });
  const samples = [take(0)];
  for (const [index, block] of tape.blocks.slice(0, blocks).entries()) {
    engine.apply(await factsOf(tape, block), { isFinal: false });
    engine.forget(asSlot(block.slot - TAIL_SLOTS));
    if ((index + 1) % every === 0) samples.push(take(index + 1));
  }
  return samples;
}

const [, , folder = '', blocksText, samplesText] = process.argv;
const tape = await readTape(folder);
if (tape === null) throw new Error(`there is no tape in "${folder}"`);
const blocks = Math.min(Number(blocksText ?? tape.blocks.length), tape.blocks.length);
const engine = new Engine({ fallbackSolUsd: null });
const samples = await fold(engine, tape, blocks, Math.floor(blocks / Number(samplesText ?? 6)));
const kinds = Object.keys(samples[0]?.entries ?? {});
printTable(`state after so many blocks of ${folder}`, [
  ['blocks', 'MiB', ...kinds],
  ...samples.map(({ blocks: done, bytes, entries }) => [
    integer(done),
    fixed(bytes / MIB, 1),
    ...kinds.map((kind) => integer(entries[kind] ?? 0)),
  ]),
]);
if (engine.lastSlot !== null) engine.forget(engine.lastSlot);
printTable('by book', [
  ['book', 'entries', 'MiB', 'bytes an entry'],
  ...bytesByBook(engine).map(({ name, entries, bytes }) => [
    name,
    entries === null ? '' : integer(entries),
    fixed(bytes / MIB, 2),
    entries === null ? '' : fixed(bytes / entries, 0),
  ]),
]);
