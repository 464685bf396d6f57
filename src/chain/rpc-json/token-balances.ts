import type { Mutable } from '../../lib/mutable.ts';
import { SPL_TOKEN_PROGRAM } from '../../model/program.ts';
import type { TokenBalance } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import {
  addressOf,
  count,
  type JsonObject,
  objectOf,
  RecordRefusal,
  unsigned,
} from './json-value.ts';

/**
 * Merges the balances before and after a transaction: one entry per account, 0 where one side is
 * missing. An account that changed its mint or its owner within the transaction yields two: the old
 * holder's balance goes to 0, the new holder's starts from 0.
 */
export function mergeTokenBalances(
  before: readonly unknown[],
  after: readonly unknown[],
  keyCount: number,
): TokenBalance[] {
  const merged: Mutable<TokenBalance>[] = [];
  for (const value of before) {
    const entry = objectOf(value, 'token balance');
    merged.push(readHolding(entry, keyCount, amountOf(entry), 0n));
  }
  const known = merged.length;
  for (let at = 0; at < after.length; at++) {
    const entry = objectOf(after[at], 'token balance');
    const match = findHolding(merged, known, at, entry);
    if (match === null) merged.push(readHolding(entry, keyCount, 0n, amountOf(entry)));
    else match.after = amountOf(entry);
  }
  return merged;
}

/** Both lists are nearly always in the same order, so the search starts at the expected index. */
function findHolding(
  merged: readonly Mutable<TokenBalance>[],
  known: number,
  start: number,
  entry: JsonObject,
): Mutable<TokenBalance> | null {
  for (let step = 0; step < known; step++) {
    const candidate = merged[(start + step) % known] as Mutable<TokenBalance>;
    if (candidate.accountIndex === entry.accountIndex && isSameHolding(candidate, entry)) {
      return candidate;
    }
  }
  return null;
}

/** Fields equal to validated ones need no validation. */
function isSameHolding(holding: TokenBalance, { mint, owner, programId }: JsonObject): boolean {
  return (
    holding.mint === mint &&
    holding.owner === (owner || null) &&
    holding.tokenProgram === (programId || null)
  );
}

function readHolding(
  entry: JsonObject,
  keyCount: number,
  before: bigint,
  after: bigint,
): Mutable<TokenBalance> {
  const accountIndex = count(entry.accountIndex, 'token balance account index');
  if (accountIndex >= keyCount) {
    const message = `token balance of account ${accountIndex} of ${keyCount}`;
    throw new RecordRefusal('bad-transaction', message);
  }
  return {
    accountIndex,
    mint: addressOf(entry.mint, 'mint'),
    owner: addressOrNull(entry.owner, 'token account owner'),
    tokenProgram: tokenProgramOf(entry.programId),
    decimals: decimalsOf(entry),
    before,
    after,
  };
}

function amountOf(entry: JsonObject): bigint {
  return unsigned(objectOf(entry.uiTokenAmount, 'uiTokenAmount').amount, 'token amount');
}

const DECIMALS_MAX = 255;

function decimalsOf(entry: JsonObject): number {
  const decimals = count(objectOf(entry.uiTokenAmount, 'uiTokenAmount').decimals, 'decimals');
  if (decimals <= DECIMALS_MAX) return decimals;
  throw new RecordRefusal('bad-transaction', `${decimals} decimals`);
}

function tokenProgramOf(programId: unknown): Address | null {
  if (programId === SPL_TOKEN_PROGRAM) return SPL_TOKEN_PROGRAM;
  return addressOrNull(programId, 'token program');
}

/** Records from before owners were reported lack the field or contain empty text. */
function addressOrNull(value: unknown, field: string): Address | null {
  if (value === undefined || value === null || value === '') return null;
  return addressOf(value, field);
}
