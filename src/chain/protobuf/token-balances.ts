import type { Mutable } from '../../lib/mutable.ts';
import { SPL_TOKEN_PROGRAM } from '../../model/program.ts';
import type { TokenBalance } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { addressOf, RecordRefusal, unsigned } from '../rpc-json/json-value.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

const U32_MAX = 2 ** 32 - 1;
const DECIMALS_MAX = 255;

/** A `TokenBalance` message; texts as encoded, empty where the field is omitted. */
interface Entry {
  accountIndex: number;
  mint: string;
  owner: string;
  tokenProgram: string;
  decimals: number;
  amount: bigint;
}

/**
 * Merges the balances before and after a transaction as `mergeTokenBalances` of the JSON reader
 * does, from the locations of the `TokenBalance` messages (start and end alternately). Throws
 * RecordRefusal.
 */
export function readTokenBalances(
  reader: ProtobufReader,
  beforeSpans: readonly number[],
  afterSpans: readonly number[],
  keyCount: number,
): TokenBalance[] {
  const merged: Mutable<TokenBalance>[] = [];
  for (let at = 0; at < beforeSpans.length; at += 2) {
    const entry = readEntry(reader, beforeSpans, at);
    merged.push(toBalance(entry, keyCount, entry.amount, 0n));
  }
  const known = merged.length;
  for (let at = 0; at < afterSpans.length; at += 2) {
    const entry = readEntry(reader, afterSpans, at);
    const match = findBalance(merged, known, at / 2, entry);
    if (match === null) merged.push(toBalance(entry, keyCount, 0n, entry.amount));
    else match.after = entry.amount;
  }
  return merged;
}

function readEntry(reader: ProtobufReader, spans: readonly number[], at: number): Entry {
  const entry: Entry = {
    accountIndex: 0,
    mint: '',
    owner: '',
    tokenProgram: '',
    decimals: 0,
    amount: -1n,
  };
  reader.enter(spans[at] as number, spans[at + 1] as number);
  while (reader.next()) {
    if (reader.field === 1) entry.accountIndex = reader.count(U32_MAX, 'account index');
    else if (reader.field === 2) entry.mint = reader.address();
    else if (reader.field === 3) readAmount(reader, entry);
    else if (reader.field === 4) entry.owner = reader.address();
    else if (reader.field === 5) entry.tokenProgram = reader.address();
    else reader.skip();
  }
  if (entry.amount < 0n) entry.amount = unsigned('', 'token amount');
  return entry;
}

function readAmount(reader: ProtobufReader, entry: Entry): void {
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 2) entry.decimals = reader.count(U32_MAX, 'decimals');
    else if (reader.field === 3) entry.amount = readDigits(reader);
    else reader.skip();
  }
  reader.close(outer);
}

/** Digits that a number represents exactly. */
const SMALL_DIGITS = 15;
const ZERO = 48;

/** An amount in decimal digits; short ones, nearly all, are read without creating a string. */
function readDigits(reader: ProtobufReader): bigint {
  reader.span();
  const { bytes, start, end } = reader;
  if (end === start || end - start > SMALL_DIGITS) return readText(reader);
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return readText(reader);
    value = value * 10 + digit;
  }
  return BigInt(value);
}

function readText(reader: ProtobufReader): bigint {
  return unsigned(reader.textAt(reader.start, reader.end), 'token amount');
}

/** Both lists are nearly always in the same order, so the search starts at the expected index. */
function findBalance(
  merged: readonly Mutable<TokenBalance>[],
  known: number,
  start: number,
  entry: Entry,
): Mutable<TokenBalance> | null {
  for (let step = 0; step < known; step++) {
    const candidate = merged[(start + step) % known] as Mutable<TokenBalance>;
    if (candidate.accountIndex === entry.accountIndex && isSame(candidate, entry)) return candidate;
  }
  return null;
}

function isSame(balance: TokenBalance, { mint, owner, tokenProgram }: Entry): boolean {
  return (
    balance.mint === mint &&
    (balance.owner ?? '') === owner &&
    (balance.tokenProgram ?? '') === tokenProgram
  );
}

function toBalance(
  { accountIndex, mint, owner, tokenProgram, decimals }: Entry,
  keyCount: number,
  before: bigint,
  after: bigint,
): Mutable<TokenBalance> {
  if (accountIndex >= keyCount) {
    const message = `token balance of account ${accountIndex} of ${keyCount}`;
    throw new RecordRefusal('bad-transaction', message);
  }
  if (decimals > DECIMALS_MAX) throw new RecordRefusal('bad-transaction', `${decimals} decimals`);
  return {
    accountIndex,
    mint: addressOf(mint, 'mint'),
    owner: addressOrNull(owner, 'token account owner'),
    tokenProgram:
      tokenProgram === SPL_TOKEN_PROGRAM
        ? SPL_TOKEN_PROGRAM
        : addressOrNull(tokenProgram, 'token program'),
    decimals,
    before,
    after,
  };
}

/** Records from before owners were reported contain empty text. */
function addressOrNull(text: string, field: string): Address | null {
  return text === '' ? null : addressOf(text, field);
}
