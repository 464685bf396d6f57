import type { TokenBalance } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import {
  addressOf,
  arrayOf,
  count,
  countOrNull,
  isObject,
  type JsonObject,
  objectOf,
  RecordRefusal,
  unsigned,
} from './json-value.ts';

/** What the runtime recorded of one transaction, as far as it does not depend on its keys. */
export interface TransactionMeta {
  readonly error: string | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number | null;
  readonly innerInstructions: readonly unknown[];
  readonly logMessages: readonly string[];
  readonly tokenBalances: readonly TokenBalance[];
  readonly lamportsBefore: readonly bigint[];
  readonly lamportsAfter: readonly bigint[];
}

/**
 * The ledger holds inner instructions of mainnet from before this slot on (October 2020); a null
 * after it only says that the node did not keep them, and then nothing about the record is sure.
 */
const RECORDED_SINCE_SLOT = 43_200_000;
const NOTHING: readonly unknown[] = [];

/** Whether null may mean that nothing was there to record. */
interface RecordAge {
  readonly slot: number | null;
  readonly isLegacy: boolean;
}

export function readMeta(meta: JsonObject, keyCount: number, age: RecordAge): TransactionMeta {
  const error = errorText(meta.err);
  const mayLack =
    error !== null || (age.isLegacy && age.slot !== null && age.slot < RECORDED_SINCE_SLOT);
  const recorded = (field: string) => recordedArray(meta, field, mayLack);
  return {
    error,
    feeLamports: unsigned(meta.fee, 'fee'),
    computeUnitsUsed: countOrNull(meta.computeUnitsConsumed, 'computeUnitsConsumed'),
    innerInstructions: recorded('innerInstructions'),
    logMessages: readLogs(meta.logMessages),
    tokenBalances: mergeTokenBalances(
      recorded('preTokenBalances'),
      recorded('postTokenBalances'),
      keyCount,
    ),
    lamportsBefore: readLamports(meta.preBalances, 'preBalances', keyCount),
    lamportsAfter: readLamports(meta.postBalances, 'postBalances', keyCount),
  };
}

/** Keys that lookup tables added: writable ones first. Refuses counts that the message denies. */
export function readLoadedKeys(
  meta: JsonObject,
  writableLookups: number,
  readonlyLookups: number,
): readonly string[] {
  if (writableLookups + readonlyLookups === 0) return [];
  const loaded = meta.loadedAddresses;
  if (!isObject(loaded)) {
    throw new RecordRefusal('missing-loaded-addresses', 'loadedAddresses is missing');
  }
  const writable = arrayOf(loaded.writable, 'loadedAddresses.writable');
  const readable = arrayOf(loaded.readonly, 'loadedAddresses.readonly');
  if (writable.length !== writableLookups || readable.length !== readonlyLookups) {
    const [found, asked] = [writable.length + readable.length, writableLookups + readonlyLookups];
    throw new RecordRefusal('missing-loaded-addresses', `${found} of ${asked} loaded addresses`);
  }
  return writable.concat(readable).map((key) => addressOf(key, 'loaded address'));
}

/** JSON text of the runtime's error; some writers put nothing or `{}` for success. */
function errorText(err: unknown): string | null {
  if (err === undefined || err === null || err === '') return null;
  if (isObject(err) && Object.keys(err).length === 0) return null;
  return JSON.stringify(err);
}

function recordedArray(meta: JsonObject, field: string, mayLack: boolean): readonly unknown[] {
  const value = meta[field];
  if (Array.isArray(value)) return value;
  if (value !== undefined && value !== null) {
    throw new RecordRefusal('bad-transaction', `${field} is not an array`);
  }
  if (mayLack) return NOTHING;
  throw new RecordRefusal('missing-meta', `${field} is missing`);
}

function readLogs(logs: unknown): readonly string[] {
  if (logs === undefined || logs === null) return [];
  const lines = arrayOf(logs, 'logMessages');
  if (lines.every((line) => typeof line === 'string')) return lines;
  throw new RecordRefusal('bad-transaction', 'logMessages holds something else than text');
}

function readLamports(balances: unknown, field: string, keyCount: number): bigint[] {
  const values = arrayOf(balances, field);
  if (values.length !== keyCount) {
    throw new RecordRefusal('bad-transaction', `${field} has ${values.length} of ${keyCount}`);
  }
  const lamports = new Array<bigint>(keyCount);
  for (let index = 0; index < keyCount; index++) lamports[index] = unsigned(values[index], field);
  return lamports;
}

/**
 * One entry an account, 0 where one side is missing. An account that changed its mint or its owner
 * within the transaction gives two: the old holder's balance went, the new one's came.
 */
function mergeTokenBalances(
  before: readonly unknown[],
  after: readonly unknown[],
  keyCount: number,
): TokenBalance[] {
  if (before.length === 0 && after.length === 0) return [];
  const merged: Mutable<TokenBalance>[] = [];
  for (const entry of before) merged.push(readTokenBalance(entry, 'before', keyCount));
  const known = merged.length;
  for (let at = 0; at < after.length; at++) {
    const balance = readTokenBalance(after[at], 'after', keyCount);
    const match = findHolding(merged, balance, at, known);
    if (match === null) merged.push(balance);
    else {
      match.after = balance.after;
      match.owner ??= balance.owner;
      match.tokenProgram ??= balance.tokenProgram;
    }
  }
  return merged;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Both lists are nearly always in one order, so the search starts where it should end. */
function findHolding(
  merged: readonly Mutable<TokenBalance>[],
  balance: TokenBalance,
  start: number,
  known: number,
): Mutable<TokenBalance> | null {
  for (let step = 0; step < known; step++) {
    const candidate = merged[(start + step) % known] as Mutable<TokenBalance>;
    if (isSameHolding(candidate, balance)) return candidate;
  }
  return null;
}

function isSameHolding(one: TokenBalance, other: TokenBalance): boolean {
  if (one.accountIndex !== other.accountIndex || one.mint !== other.mint) return false;
  return one.owner === other.owner || one.owner === null || other.owner === null;
}

function readTokenBalance(
  value: unknown,
  side: 'before' | 'after',
  keyCount: number,
): Mutable<TokenBalance> {
  const entry = objectOf(value, 'token balance');
  const accountIndex = count(entry.accountIndex, 'token balance account index');
  if (accountIndex >= keyCount) {
    throw new RecordRefusal(
      'bad-transaction',
      `token balance of account ${accountIndex} of ${keyCount}`,
    );
  }
  const amount = objectOf(entry.uiTokenAmount, 'uiTokenAmount');
  const raw = unsigned(amount.amount, 'token amount');
  return {
    accountIndex,
    mint: addressOf(entry.mint, 'mint') as Address,
    owner: addressOrNull(entry.owner, 'token account owner'),
    tokenProgram: addressOrNull(entry.programId, 'token program'),
    decimals: decimalsOf(amount.decimals),
    before: side === 'before' ? raw : 0n,
    after: side === 'after' ? raw : 0n,
  };
}

const DECIMALS_MAX = 255;

function decimalsOf(value: unknown): number {
  const decimals = count(value, 'decimals');
  if (decimals <= DECIMALS_MAX) return decimals;
  throw new RecordRefusal('bad-transaction', `${decimals} decimals`);
}

/** Records from before owners were reported lack the field or hold empty text. */
function addressOrNull(value: unknown, field: string): Address | null {
  if (value === undefined || value === null || value === '') return null;
  return addressOf(value, field) as Address;
}
