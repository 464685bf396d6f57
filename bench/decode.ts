import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import type { ChainBlock } from '../src/model/transaction.ts';
import { readConfirmedBlock } from '../src/sources/protobuf/confirmed-block.ts';
import { type ByteReading, type Reading, readBlock } from '../src/sources/rpc-json/read-block.ts';
import { type RpcBlock, toConfirmedBlock } from '../tests/support/protobuf-blocks.ts';
import { runPeerEndToEnd } from './peer.ts';
import { timeInRounds } from './rounds.ts';
import { fixed, integer, printTable } from './table.ts';

/** The two whole recorded blocks, by encoding. */
const BLOCKS = [
  { encoding: 'base58', path: 'chain/ai-nyan-bot+bot/block_326027759.json' },
  {
    encoding: 'base64',
    path: 'chain/helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
  },
];

/**
 * Block text in memory → canonical events, beside JSON.parse alone, the same block in protocol
 * buffers, and the peer, in one run.
 */
export function benchDecode(testData: string, rounds: number): void {
  for (const { encoding, path } of BLOCKS) {
    const file = join(testData, path);
    if (!existsSync(file)) {
      console.log(`SKIPPED ${path}: not in ${testData}`);
      continue;
    }
    benchBlock(`${path.split('/').at(-1)} (${encoding})`, readFileSync(file, 'utf8'), rounds);
  }
}

function benchBlock(title: string, text: string, rounds: number): void {
  const count = (JSON.parse(text) as { transactions: unknown[] }).transactions.length;
  const parsed = JSON.parse(text) as unknown;
  const stored = toConfirmedBlock(parsed as RpcBlock);
  const timings = timeInRounds(
    [
      { name: 'JSON.parse alone', run: () => parseOnly(text) },
      { name: 'parsed JSON → transactions', run: () => readOnly(parsed, count) },
      { name: 'text → canonical events', run: () => decodeText(text, count) },
      { name: 'protobuf → transactions', run: () => readStored(stored, count) },
      { name: 'protobuf → canonical events', run: () => decodeStored(stored, count) },
      { name: 'solana-dex-parser, text → trades', run: () => runPeerEndToEnd(text) },
    ],
    rounds,
  );
  const [json, peer] = [timings[0], timings.at(-1)];
  if (json === undefined || peer === undefined) return;
  const rows = timings.map((timing) => [
    timing.name,
    fixed(timing.medianMs, 1),
    integer(timing.unitsPerSecond),
    fixed(timing.medianMs / json.medianMs, 2),
    fixed(peer.medianMs / timing.medianMs, 1),
  ]);
  printTable(
    `${title}: ${integer(count)} transactions, ${integer(text.length)} bytes, ${integer(stored.length)} in protobuf`,
    [['task', 'median ms', 'transactions/s', '× JSON.parse', 'faster than the peer'], ...rows],
  );
}

function parseOnly(text: string): number {
  return (JSON.parse(text) as { transactions: unknown[] }).transactions.length;
}

function readOnly(value: unknown, count: number): number {
  blockOf(value);
  return count;
}

function decodeText(text: string, count: number): number {
  return decodeAll(blockOf(JSON.parse(text)), count);
}

function readStored(stored: Uint8Array, count: number): number {
  blockIn(readConfirmedBlock(stored));
  return count;
}

function decodeStored(stored: Uint8Array, count: number): number {
  return decodeAll(blockIn(readConfirmedBlock(stored)), count);
}

function decodeAll(block: ChainBlock, count: number): number {
  const facts = decodeBlock(block);
  if (facts.transactions.length === 0) throw new Error('nothing decoded');
  return count;
}

function blockOf(value: unknown): ChainBlock {
  return blockIn(readBlock(value));
}

function blockIn(reading: Reading<ChainBlock> | ByteReading<ChainBlock>): ChainBlock {
  if (reading.status === 'ok') return reading.value;
  throw new Error(`the block cannot be read: ${JSON.stringify(reading)}`);
}
