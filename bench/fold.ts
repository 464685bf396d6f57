import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import type { PriceE18, Slot } from '../src/model/units.ts';
import { readBlock } from '../src/sources/rpc-json/read-block.ts';
import { fixed, integer, printTable } from './table.ts';

const BLOCK = 'chain/ai-nyan-bot+bot/block_326027759.json';
const SLOTS = 2_000;
const SLOT_MS = 400;

/** The fold alone: one recorded block's facts, applied again and again as if it were the chain. */
export function benchFold(testData: string): void {
  const file = join(testData, BLOCK);
  if (!existsSync(file)) {
    console.log(`SKIPPED the fold: ${BLOCK} is not in ${testData}`);
    return;
  }
  const reading = readBlock(JSON.parse(readFileSync(file, 'utf8')));
  if (reading.status !== 'ok') throw new Error('the recorded block cannot be read');
  const facts = decodeBlock(reading.value);
  const engine = new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 });
  const startMs = facts.blockTimeMs ?? 0;
  const apply = (index: number) =>
    engine.apply({
      ...facts,
      slot: (facts.slot + index) as Slot,
      blockTimeMs: startMs + Math.floor((index * SLOT_MS) / 1_000) * 1_000,
    });
  for (let index = 0; index < 200; index++) apply(index);
  const start = performance.now();
  for (let index = 200; index < 200 + SLOTS; index++) apply(index);
  const seconds = (performance.now() - start) / 1_000;
  const { swap, tokenTransfer } = engine.counters.events;
  const share = SLOTS / (SLOTS + 200);
  printTable(`Engine.apply, ${integer(SLOTS)} slots of the recorded block ${facts.slot}`, [
    ['measure', 'value'],
    ['swaps/s', integer((swap * share) / seconds)],
    ['transfers/s beside them', integer((tokenTransfer * share) / seconds)],
    ['ms per slot', fixed((seconds * 1_000) / SLOTS, 3)],
  ]);
}
