import bs58 from 'bs58';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';

/** The parts used of a getBlock answer of encoding `json`, read directly from its text. */
export interface RawAnswer {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number;
  readonly transactions: readonly RawRecord[];
}

export interface RawRecord {
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly RawCall[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances: readonly RawTokenBalance[];
    readonly postTokenBalances: readonly RawTokenBalance[];
    readonly innerInstructions: readonly { readonly instructions: readonly RawCall[] }[];
    readonly loadedAddresses: {
      readonly writable: readonly string[];
      readonly readonly: readonly string[];
    };
  };
  readonly version: 'legacy' | number;
}

interface RawCall {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
}

export interface RawTokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string };
}

export function keysOfRecord({ transaction, meta }: RawRecord): string[] {
  const { writable, readonly } = meta.loadedAddresses;
  return [...transaction.message.accountKeys, ...writable, ...readonly];
}

export function programsOfRecord(record: RawRecord): Set<string> {
  const keys = keysOfRecord(record);
  return new Set(callsOf(record).map(({ programIdIndex }) => keys[programIdIndex] ?? ''));
}

function callsOf({ transaction, meta }: RawRecord): RawCall[] {
  return [
    ...transaction.message.instructions,
    ...meta.innerInstructions.flatMap(({ instructions }) => instructions),
  ];
}

/** Tags of the token programs' instructions, and the account position of their amount's mint. */
const MINT_TO = [7, 14];
const BURN = [8, 15];
const TRANSFER_CHECKED = 12;
const TRANSFER_FEE_EXTENSION = 26;
const BPS = 10_000n;

/**
 * Amounts of each mint that token program instructions create and destroy, including withheld
 * transfer fees as destroyed. `feeBps` holds the fees of the mints created so far.
 */
export function createdTokens(record: RawRecord, feeBps: Map<string, bigint>): Map<string, bigint> {
  const keys = keysOfRecord(record);
  const created = new Map<string, bigint>();
  for (const { programIdIndex, accounts, data } of callsOf(record)) {
    const program = keys[programIdIndex];
    if (program !== SPL_TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) continue;
    const bytes = Buffer.from(bs58.decode(data));
    const named = accounts.map((index) => keys[index] ?? '');
    if (bytes[0] === TRANSFER_FEE_EXTENSION) feeBps.set(named[0] ?? '', feeOfMint(bytes));
    const { mint, raw } = creationOf(bytes, named, feeBps);
    created.set(mint, (created.get(mint) ?? 0n) + raw);
  }
  return created;
}

/** The amount that one instruction creates or, negative, destroys. */
function creationOf(
  bytes: Buffer,
  [first = '', second = '', third = '']: readonly string[],
  feeBps: ReadonlyMap<string, bigint>,
): { readonly mint: string; readonly raw: bigint } {
  const tag = bytes[0] ?? -1;
  if (MINT_TO.includes(tag)) return { mint: first, raw: bytes.readBigUInt64LE(1) };
  if (BURN.includes(tag)) return { mint: second, raw: -bytes.readBigUInt64LE(1) };
  if (tag !== TRANSFER_CHECKED || first === third) return { mint: second, raw: 0n };
  const bps = feeBps.get(second) ?? 0n;
  return { mint: second, raw: -((bytes.readBigUInt64LE(1) * bps + BPS - 1n) / BPS) };
}

/** After both tags: two optional authorities, each a flag and 32 bytes when present. */
function feeOfMint(bytes: Buffer): bigint {
  if (bytes[1] !== 0) throw new Error('withdrawal of fees is not supported by this reader');
  const second = bytes[2] === 1 ? 35 : 3;
  const end = bytes[second] === 1 ? second + 33 : second + 1;
  return BigInt(bytes.readUInt16LE(end));
}
