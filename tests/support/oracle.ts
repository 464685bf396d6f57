import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AccountKeys } from '../../src/model/account-keys.ts';
import { Instruction } from '../../src/model/instruction.ts';
import type { ChainTransaction, TokenBalance } from '../../src/model/transaction.ts';
import type { Address, Signature } from '../../src/model/units.ts';
import { testData } from './test-data.ts';

/**
 * A program stored with the recorded data that shares no code with the project: it reads the same
 * records in many shapes and reports the movements between vaults under every swap instruction.
 */
export interface Oracle {
  walk(path: string): Iterable<string>;
  readRecords(file: string): readonly OracleRecord[];
  /** Null, or an error, for anything but a transaction record. */
  normalise(record: OracleRecord): OracleTransaction | null;
  analyse(transaction: OracleTransaction): OracleReport;
}

export interface OracleRecord {
  /** The record as in the file: `{transaction, meta, …}` in one of many shapes. */
  readonly tx: unknown;
  /** Unix seconds; that of the block for a record inside one. */
  readonly blockTime?: number | string | null;
}

export interface OracleTransaction {
  readonly signature: string;
  readonly failed: boolean;
  /** Some account keys are missing in the record. */
  readonly incomplete: boolean;
  readonly fee: bigint;
  readonly keys: readonly string[];
  readonly nSig: number;
  readonly ixs: readonly OracleInstruction[];
  readonly pre: readonly bigint[];
  readonly post: readonly bigint[];
  readonly preTok: ReadonlyMap<string, OracleBalance>;
  readonly postTok: ReadonlyMap<string, OracleBalance>;
  readonly logs: readonly string[];
}

interface OracleInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array | null;
  readonly outer: number;
  readonly inner: number | null;
  readonly height: number | null;
}

interface OracleBalance {
  readonly mint: string;
  readonly owner: string | null;
  readonly amount: bigint;
}

export interface OracleReport {
  readonly signature: string;
  readonly ok: boolean;
  readonly signers: readonly string[];
  /** It only calls the vote program. */
  readonly isVote: boolean;
  readonly vaultMoves: readonly OracleMove[];
  /** Crossing transfers below programs without a name in the oracle. */
  readonly otherMoves: readonly OracleMove[];
  /** Balance changes by owner and mint, from the record; zero changes are left out. */
  readonly ownerDeltas: readonly OracleDelta[];
  /** Lamport changes of each signer, including its token accounts and excluding the fee. */
  readonly signerSol: readonly Omit<OracleDelta, 'mint'>[];
}

export interface OracleDelta {
  readonly owner: string;
  readonly mint: string;
  /** Signed. */
  readonly delta: string;
}

export interface OracleMove {
  /** Position in execution order over all instructions. */
  readonly seq: number;
  readonly outerIx: number;
  readonly innerIx: number | null;
  /** Its name, or its address when the oracle knows none. */
  readonly program: string;
  readonly programId: string;
  /** One side was lamports of a curve, which no token transfer shows. */
  readonly native?: true;
  readonly pool: string | null;
  readonly vaultIn: string;
  readonly vaultOut: string;
  /** The authority of the payment into the pool. */
  readonly user: string | null;
  readonly mintIn: string;
  /** Received by the pool's vault. */
  readonly amountIn: string;
  /** Sent to the vault: more, where a transfer fee is withheld. */
  readonly amountInGross: string;
  readonly mintOut: string;
  /** Sent by the pool's vault. */
  readonly amountOut: string;
  /** Received from the vault: less, where a transfer fee is withheld. */
  readonly amountOutNet: string;
  /**
   * Paid and received by the trader's own accounts, including fees to others; null when unknown.
   */
  readonly userIn: string | null;
  readonly userOut: string | null;
}

const oraclePath = resolve(testData, '../tools/balance-oracle.mjs');

/** False where the oracle is absent; tests that need it are then skipped, with a message. */
export const hasOracle = existsSync(oraclePath);

export async function loadOracle(): Promise<Oracle> {
  return import(pathToFileURL(oraclePath).href);
}

/**
 * Records that the project's reader does not accept, such as stream updates, for the decoders only.
 */
export function chainTransactionOf(record: OracleTransaction): ChainTransaction {
  const keys = AccountKeys.ofTexts(record.keys as Address[]);
  const indexOf = new Map(record.keys.map((key, index) => [key, index]));
  return {
    signature: record.signature as Signature,
    txIndex: null,
    version: 'legacy',
    config: null,
    error: record.failed ? '"failed"' : null,
    feeLamports: record.fee,
    computeUnitsUsed: null,
    keys,
    signerCount: record.nSig,
    usesLookupTables: false,
    instructions: record.ixs.map((instruction, index) => {
      const { outer, inner, height, program, accounts, data } = instruction;
      const place = { index, outerIx: outer, innerIx: inner ?? -1, stackHeight: height ?? 0 };
      const accountIndexes = accounts.map((account) => indexOf.get(account) ?? -1);
      const programIndex = indexOf.get(program) ?? -1;
      return new Instruction(keys, place, programIndex, accountIndexes, data ?? new Uint8Array(0));
    }),
    lamportsBefore: record.pre,
    lamportsAfter: record.post,
    tokenBalances: balancesOf(record, indexOf),
    logMessages: record.logs,
  };
}

/** The oracle has no decimals; amounts do not depend on them. */
const SOME_DECIMALS = 6;

function balancesOf(
  { preTok, postTok }: OracleTransaction,
  indexOf: ReadonlyMap<string, number>,
): TokenBalance[] {
  const balances: TokenBalance[] = [];
  for (const account of new Set([...preTok.keys(), ...postTok.keys()])) {
    const before = preTok.get(account);
    const after = postTok.get(account);
    const { mint, owner } = after ?? before ?? { mint: '', owner: null };
    balances.push({
      accountIndex: indexOf.get(account) ?? -1,
      mint: mint as Address,
      owner: owner as Address | null,
      tokenProgram: null,
      decimals: SOME_DECIMALS,
      before: before?.amount ?? 0n,
      after: after?.amount ?? 0n,
    });
  }
  return balances;
}
