import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { Swap } from '../../src/model/swap.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/**
 * Compares decoded swaps with the raw JSON independently of the decoders: no account layout is
 * used. A pool's legs are the gains and losses of its vaults' owners below the instruction.
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
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
/**
 * Programs where one authority owns the vaults of all pools. In most others each pool owns its own.
 */
const VAULT_OWNERS: Readonly<Record<string, string>> = {
  raydium_amm_v4: '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
  raydium_cpmm: 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
  invariant: 'J4uBbeoWpZE8fH58PM1Fp9n9K6f1aThyeVCyRdJbaXqt',
};
/** Programs whose curves hold native SOL, so only their token leg is a token transfer. */
const NATIVE_CURVES: ReadonlySet<string> = new Set(['pump', 'moonshot']);
/** Programs with one authority per pool: it signs the payment that ends the swap. */
const SIGNING_AUTHORITIES: ReadonlySet<string> = new Set([
  'fluxbeam',
  'lifinity_v2',
  'mercurial',
  'orca_v1',
  'orca_v2',
  'saber',
  'saros',
]);
/** Holds the tokens of DAMM v1 pools: a mint's vault is the first account of the call. */
const METEORA_VAULT = '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi';

describe.skipIf(!hasTestData)('decoded legs are the raw transfers below each swap', () => {
  test.each([
    { path: 'ai-nyan-bot+bot/block_326027759.json', tokenLegs: (80 + 5) * 2 + 15, curves: 15 },
    {
      path: 'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
      tokenLegs: (26 + 11 + 30 + 4) * 2,
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
    process.stdout.write(`compared with raw transfers, ${path}: ${JSON.stringify(checked)}\n`);
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

/** Compares the token legs and returns their number: a curve's SOL is not one. */
function checkTokenLegs(swap: Swap, record: RawRecord, keys: readonly string[], signature: string) {
  const gains = gainsOf(record, keys, swap, vaultOwnersOf(swap, record, keys));
  expect(gains.get(swap.baseMint), signature).toBe(swap.poolBaseDelta);
  if (NATIVE_CURVES.has(swap.venue)) return 1;
  expect(gains.get(swap.quoteMint), signature).toBe(swap.poolQuoteDelta);
  return 2;
}

/** Compares the SOL legs of each curve with the lamports it gained; returns their number. */
function checkCurves(
  swaps: readonly Swap[],
  record: RawRecord,
  keys: readonly string[],
  signature: string,
): number {
  const curveSwaps = swaps.filter(({ venue }) => NATIVE_CURVES.has(venue));
  for (const pool of new Set(curveSwaps.map((swap) => swap.pool))) {
    const legs = curveSwaps.filter((swap) => swap.pool === pool);
    const gained = legs.reduce((sum, { poolQuoteDelta }) => sum + poolQuoteDelta, 0n);
    expect(gained, signature).toBe(lamportsGained(record, keys.indexOf(pool)));
  }
  return curveSwaps.length;
}

function vaultOwnersOf(
  swap: Swap,
  record: RawRecord,
  keys: readonly string[],
): ReadonlySet<string | undefined> {
  const { venue, pool, outerIx } = swap;
  if (SIGNING_AUTHORITIES.has(venue)) {
    return new Set([keys[transfersBelow(record, keys, swap).at(-1)?.authority ?? -1]]);
  }
  if (venue === 'phoenix') return ownOwners(record, keys);
  if (venue !== 'meteora_damm_v1') return new Set([VAULT_OWNERS[venue] ?? pool]);
  const calls = innerOf(record, outerIx).filter(
    ({ programIdIndex }) => keys[programIdIndex] === METEORA_VAULT,
  );
  return new Set(calls.map(({ accounts }) => keys[accounts[0] ?? -1]));
}

/** Phoenix's vaults sign for themselves: each is its own owner. */
function ownOwners({ meta }: RawRecord, keys: readonly string[]): ReadonlySet<string> {
  const isOwn = ({ accountIndex, owner }: RawBalance) => keys[accountIndex] === owner;
  return new Set(meta.preTokenBalances.filter(isOwn).map(({ owner }) => owner));
}

/** Gains of the owners' token accounts by mint, from the transfers below the swap's instruction. */
function gainsOf(
  record: RawRecord,
  keys: readonly string[],
  swap: Swap,
  owners: ReadonlySet<string | undefined>,
) {
  const { preTokenBalances, postTokenBalances } = record.meta;
  const balances = [...preTokenBalances, ...postTokenBalances];
  const mintOf = (index: number | undefined) =>
    balances.find((b) => b.accountIndex === index && owners.has(b.owner))?.mint;
  const gains = new Map<string, bigint>();
  const add = (mint: string | undefined, amount: bigint) => {
    if (mint !== undefined) gains.set(mint, (gains.get(mint) ?? 0n) + amount);
  };
  for (const { source, destination, amount } of transfersBelow(record, keys, swap)) {
    add(mintOf(source), -amount);
    add(mintOf(destination), amount);
  }
  return gains;
}

/** Accounts are key indices. `transferChecked` names the mint between its two accounts. */
function transfersBelow(record: RawRecord, keys: readonly string[], swap: Swap) {
  const inner = innerOf(record, swap.outerIx);
  const height = inner[swap.innerIx]?.stackHeight ?? 1;
  const transfers = [];
  for (const { stackHeight, programIdIndex, accounts, data } of inner.slice(swap.innerIx + 1)) {
    if (stackHeight <= height) break;
    const program = keys[programIdIndex];
    if (program !== TOKEN && program !== TOKEN_2022) continue;
    const bytes = Buffer.from(bs58.decode(data));
    if (bytes[0] !== 3 && bytes[0] !== 12) continue;
    const [source, destination, authority] =
      bytes[0] === 3 ? accounts : [accounts[0], accounts[2], accounts[3]];
    transfers.push({ source, destination, authority, amount: bytes.readBigUInt64LE(1) });
  }
  return transfers;
}

function innerOf({ meta }: RawRecord, outerIx: number): readonly RawInstruction[] {
  return meta.innerInstructions.find(({ index }) => index === outerIx)?.instructions ?? [];
}

/** Rent of a new curve account of 49 bytes: 128 bytes of overhead, 2 years of 3,480 lamports. */
const CURVE_RENT = (128n + 49n) * 3_480n * 2n;

function lamportsGained({ meta }: RawRecord, index: number): bigint {
  const before = meta.preBalances[index];
  const gained = BigInt(meta.postBalances[index] ?? 0) - BigInt(before ?? 0);
  return before === 0 ? gained - CURVE_RENT : gained;
}

/** Static keys follow the signatures and the header in the bytes; loaded keys are in the record. */
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
