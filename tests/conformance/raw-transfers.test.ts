import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { Swap } from '../../src/model/chain-event.ts';
import { readBlock } from '../../src/sources/rpc-json/read-block.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/**
 * Decoded swaps against the raw JSON, by other means than the decoders': no account layout is known
 * here. A pool's legs are what the owner of its vaults gained and lost below the instruction.
 */
interface RawRecord {
  readonly transaction: readonly [string, 'base58' | 'base64'];
  readonly meta: {
    readonly innerInstructions: readonly { index: number; instructions: RawInstruction[] }[];
    readonly preTokenBalances: readonly RawBalance[];
    readonly postTokenBalances: readonly RawBalance[];
    readonly loadedAddresses: { writable: string[]; readonly: string[] };
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
  };
}

interface RawInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight: number;
}

interface RawBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
}

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** Programs whose pools' vaults one authority owns. The other programs' pools own theirs. */
const VAULT_OWNERS: Readonly<Record<string, string>> = {
  raydium_amm_v4: '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
  raydium_cpmm: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
};

describe.skipIf(!hasTestData)('decoded legs are the raw transfers below each swap', () => {
  test.each([
    { path: 'ai-nyan-bot+bot/block_326027759.json', tokenLegs: 80 * 2 + 14, curves: 14 },
    {
      path: 'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
      tokenLegs: 26 * 2,
      curves: 0,
    },
  ])('in $path', ({ path, tokenLegs, curves }) => {
    const { records, transactions } = readBoth(path);
    const checked = { tokenLegs: 0, curves: 0 };
    for (const { events, txIndex, signature } of transactions) {
      const swaps = events.filter((event) => event.kind === 'swap');
      const record = records[txIndex];
      if (swaps.length === 0 || record === undefined) continue;
      const keys = keysOf(record);
      for (const swap of swaps) checked.tokenLegs += checkTokenLegs(swap, record, keys, signature);
      checked.curves += checkCurves(swaps, record, keys, signature);
    }
    process.stdout.write(`held against raw transfers, ${path}: ${JSON.stringify(checked)}\n`);
    expect(checked).toEqual({ tokenLegs, curves });
  });
});

function readBoth(path: string) {
  const answer = JSON.parse(readFileSync(resolve(testData, 'chain', path), 'utf8'));
  const reading = readBlock(answer);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  const records: readonly RawRecord[] = (answer.result ?? answer).transactions;
  return { records, transactions: decodeBlock(reading.value).transactions };
}

/** Compares the legs that are tokens and says how many there are: a curve's SOL is not. */
function checkTokenLegs(swap: Swap, record: RawRecord, keys: readonly string[], signature: string) {
  const gains = gainsOf(record, keys, swap, VAULT_OWNERS[swap.venue] ?? swap.pool);
  expect(gains.get(swap.baseMint), signature).toBe(swap.poolBaseDelta);
  if (swap.venue === 'pump') return 1;
  expect(gains.get(swap.quoteMint), signature).toBe(swap.poolQuoteDelta);
  return 2;
}

/** Compares the SOL legs on each curve with the lamports it gained and says how many there are. */
function checkCurves(
  swaps: readonly Swap[],
  record: RawRecord,
  keys: readonly string[],
  signature: string,
): number {
  const curveSwaps = swaps.filter(({ venue }) => venue === 'pump');
  for (const pool of new Set(curveSwaps.map((swap) => swap.pool))) {
    const legs = curveSwaps.filter((swap) => swap.pool === pool);
    const gained = legs.reduce((sum, { poolQuoteDelta }) => sum + poolQuoteDelta, 0n);
    expect(gained, signature).toBe(lamportsGained(record, keys.indexOf(pool)));
  }
  return curveSwaps.length;
}

/** What `owner`'s token accounts gained by mint, from the transfers below the swap's instruction. */
function gainsOf(record: RawRecord, keys: readonly string[], swap: Swap, owner: string) {
  const { innerInstructions, preTokenBalances, postTokenBalances } = record.meta;
  const balances = [...preTokenBalances, ...postTokenBalances];
  const mintOf = (index: number | undefined) =>
    balances.find((b) => b.accountIndex === index && b.owner === owner)?.mint;
  const gains = new Map<string, bigint>();
  const add = (mint: string | undefined, amount: bigint) => {
    if (mint !== undefined) gains.set(mint, (gains.get(mint) ?? 0n) + amount);
  };
  const inner = innerInstructions.find(({ index }) => index === swap.outerIx)?.instructions ?? [];
  const height = inner[swap.innerIx]?.stackHeight ?? 1;
  for (const instruction of inner.slice(swap.innerIx + 1)) {
    if (instruction.stackHeight <= height) break;
    if (keys[instruction.programIdIndex] !== TOKEN) continue;
    const data = Buffer.from(bs58.decode(instruction.data));
    if (data[0] !== 3 && data[0] !== 12) continue;
    const amount = data.readBigUInt64LE(1);
    add(mintOf(instruction.accounts[0]), -amount);
    add(mintOf(instruction.accounts[data[0] === 3 ? 1 : 2]), amount);
  }
  return gains;
}

/** Rent of a new curve account of 49 bytes: 128 bytes of overhead, 2 years of 3,480 lamports. */
const CURVE_RENT = (128n + 49n) * 3_480n * 2n;

function lamportsGained({ meta }: RawRecord, index: number): bigint {
  const before = meta.preBalances[index];
  const gained = BigInt(meta.postBalances[index] ?? 0) - BigInt(before ?? 0);
  return before === 0 ? gained - CURVE_RENT : gained;
}

/** Static keys follow the signatures and the header in the bytes; loaded ones are in the record. */
function keysOf({ transaction: [text, encoding], meta }: RawRecord): string[] {
  const bytes =
    encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(bs58.decode(text));
  const message = bytes.subarray(1 + 64 * (bytes[0] ?? 0));
  const header = (message[0] ?? 0) >= 128 ? message.subarray(1) : message;
  const keys: string[] = [];
  for (let key = 0; key < (header[3] ?? 0); key++) {
    keys.push(bs58.encode(header.subarray(4 + 32 * key, 36 + 32 * key)));
  }
  return [...keys, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
}
