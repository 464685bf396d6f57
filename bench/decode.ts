import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfirmedBlock } from '../src/chain/protobuf/confirmed-block.ts';
import { type ByteReading, type Reading, readBlock } from '../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import type { ChainBlock } from '../src/model/transaction.ts';
import { type RpcBlock, toConfirmedBlock } from '../tests/support/protobuf-blocks.ts';
import { runPeerEndToEnd, runPeerLikeForLike } from './peer.ts';
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
 * Block text in memory → canonical events, compared with JSON.parse alone, the same block in
 * protocol buffers, and the peer, in one run. The peer runs twice: over everything, as a user would
 * call it, and like for like, with only the records that can have trades (no votes, no failed
 * transactions) and a fast base58, while ours still reads every transaction.
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
  const block = blockOf(parsed);
  const nonVotes = block.transactions.length;
  const succeeded = positionsOf(parsed as RpcBlock, block);
  const timings = timeInRounds(
    [
      { name: 'JSON.parse alone', run: () => parseOnly(text) },
      { name: 'parsed JSON → transactions', run: () => readOnly(parsed, count) },
      { name: 'text → canonical events', run: () => decodeText(text, count) },
      { name: 'protobuf → transactions', run: () => readStored(stored, count) },
      { name: 'protobuf → canonical events', run: () => decodeStored(stored, count) },
      { name: PEER_LIKE_FOR_LIKE, run: () => runPeerLikeForLike(text, succeeded) },
      { name: PEER, run: () => runPeerEndToEnd(text) },
    ],
    rounds,
  );
  const medianOf = (wanted: string) =>
    timings.find(({ name }) => name === wanted)?.medianMs ?? Number.NaN;
  const rows = timings.map(({ name, medianMs, unitsPerSecond }) => [
    name,
    fixed(medianMs, 1),
    integer(unitsPerSecond),
    fixed((medianMs * 1_000) / nonVotes, 1),
    fixed(medianMs / medianOf('JSON.parse alone'), 2),
    fixed(medianOf(PEER_LIKE_FOR_LIKE) / medianMs, 1),
    fixed(medianOf(PEER) / medianMs, 1),
  ]);
  printTable(
    `${title}: ${integer(count)} transactions, ${integer(nonVotes)} without votes, ${integer(succeeded.length)} of them succeeded, ${integer(text.length)} bytes, ${integer(stored.length)} in protobuf`,
    [HEAD, ...rows],
  );
}

const PEER = 'solana-dex-parser, text → trades';
const PEER_LIKE_FOR_LIKE = 'solana-dex-parser, like for like';
const HEAD = [
  'task',
  'median ms',
  'transactions/s',
  'µs/non-vote',
  '× JSON.parse',
  'faster like for like',
  'faster than the peer',
];

/** Positions in the text of the transactions that are not votes and succeeded. */
function positionsOf({ transactions }: RpcBlock, block: ChainBlock): number[] {
  const wanted = new Set<number | null>(
    block.transactions.filter(({ error }) => error === null).map(({ txIndex }) => txIndex),
  );
  return [...transactions.keys()].filter((position) => wanted.has(position));
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
