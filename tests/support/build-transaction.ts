import { encodeBase58 } from '../../src/lib/base58.ts';
import { AccountKeys } from '../../src/model/account-keys.ts';
import { Instruction } from '../../src/model/instruction.ts';
import type { ChainTransaction, TokenBalance } from '../../src/model/transaction.ts';
import type { Address, Signature } from '../../src/model/units.ts';

/** An instruction as a test writes it: accounts by address, inner instructions nested. */
export interface InstructionDraft {
  readonly program: string;
  readonly accounts?: readonly string[];
  readonly data?: Uint8Array;
  readonly inner?: readonly InstructionDraft[];
}

export interface TokenBalanceDraft {
  readonly account: string;
  readonly mint: string;
  readonly owner?: string;
  readonly decimals?: number;
  readonly before?: bigint;
  readonly after?: bigint;
}

export interface TransactionDraft {
  /** The first signer pays the fee. */
  readonly signers: readonly string[];
  readonly instructions: readonly InstructionDraft[];
  readonly tokenBalances?: readonly TokenBalanceDraft[];
  /** Lamports by account, before and after; other accounts hold 0. */
  readonly lamports?: Readonly<Record<string, readonly [bigint, bigint]>>;
  readonly signature?: string;
  readonly txIndex?: number | null;
  readonly error?: string | null;
  readonly feeLamports?: bigint;
  readonly logMessages?: readonly string[];
  /** False builds a record without call depths, as older nodes recorded it. */
  readonly hasStackHeights?: boolean;
}

/** A valid address for a word: its letters, padded to 32 bytes. */
export function address(word: string): Address {
  const bytes = new Uint8Array(32).fill(7);
  bytes.set(new TextEncoder().encode(word).subarray(0, 32));
  return encodeBase58(bytes) as Address;
}

/** A valid signature for a word. */
export function signature(word: string): Signature {
  const bytes = new Uint8Array(64).fill(9);
  bytes.set(new TextEncoder().encode(word).subarray(0, 64));
  return encodeBase58(bytes) as Signature;
}

/** Builds a transaction in the shape that sources yield, from a readable draft. */
export function buildTransaction(draft: TransactionDraft): ChainTransaction {
  const texts = collectKeys(draft);
  const keys = AccountKeys.ofTexts(texts as Address[]);
  const indexOf = new Map(texts.map((text, index) => [text, index]));
  const instructions = flatten(draft, keys, indexOf);
  const lamports = (side: 0 | 1) => texts.map((text) => draft.lamports?.[text]?.[side] ?? 0n);
  return {
    signature: (draft.signature ?? signature('test')) as Signature,
    txIndex: draft.txIndex === undefined ? 0 : draft.txIndex,
    version: 'legacy',
    config: null,
    error: draft.error ?? null,
    feeLamports: draft.feeLamports ?? 5_000n,
    computeUnitsUsed: null,
    keys,
    signerCount: draft.signers.length,
    usesLookupTables: false,
    instructions,
    lamportsBefore: lamports(0),
    lamportsAfter: lamports(1),
    tokenBalances: (draft.tokenBalances ?? []).map((balance) => toBalance(balance, indexOf)),
    logMessages: draft.logMessages ?? [],
  };
}

function collectKeys(draft: TransactionDraft): string[] {
  const keys = new Set<string>(draft.signers);
  const visit = (instruction: InstructionDraft): void => {
    keys.add(instruction.program);
    for (const account of instruction.accounts ?? []) keys.add(account);
    instruction.inner?.forEach(visit);
  };
  draft.instructions.forEach(visit);
  for (const { account } of draft.tokenBalances ?? []) keys.add(account);
  for (const account of Object.keys(draft.lamports ?? {})) keys.add(account);
  return [...keys];
}

function flatten(
  draft: TransactionDraft,
  keys: AccountKeys,
  indexOf: ReadonlyMap<string, number>,
): Instruction[] {
  const flat: Instruction[] = [];
  draft.instructions.forEach((outer, outerIx) => {
    let innerIx = 0;
    const visit = (instruction: InstructionDraft, depth: number): void => {
      const place = {
        index: flat.length,
        outerIx,
        innerIx: depth === 1 ? -1 : innerIx++,
        stackHeight: draft.hasStackHeights === false && depth > 1 ? 0 : depth,
      };
      const accounts = (instruction.accounts ?? []).map((text) => indexOf.get(text) ?? -1);
      const program = indexOf.get(instruction.program) ?? -1;
      flat.push(
        new Instruction(keys, place, program, accounts, instruction.data ?? new Uint8Array(0)),
      );
      for (const inner of instruction.inner ?? []) visit(inner, depth + 1);
    };
    visit(outer, 1);
  });
  return flat;
}

function toBalance(draft: TokenBalanceDraft, indexOf: ReadonlyMap<string, number>): TokenBalance {
  return {
    accountIndex: indexOf.get(draft.account) ?? -1,
    mint: draft.mint as Address,
    owner: (draft.owner ?? null) as Address | null,
    tokenProgram: null,
    decimals: draft.decimals ?? 6,
    before: draft.before ?? 0n,
    after: draft.after ?? 0n,
  };
}
