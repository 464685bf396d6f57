import { ACCOUNT_OBSERVATION } from './account-observation.ts';
import { EXACT_BUNDLE } from './bundle-oracle.ts';
import { CHAIN_EVENT } from './chain-event.ts';
import {
  added,
  type Described,
  integer,
  interned,
  list,
  nullable,
  optional,
  plain,
  record,
  text,
} from './codec.ts';
import type { ProgramName } from './program.ts';
import { RULE_CHANGE } from './rule-change.ts';
import type { Terminal } from './terminal-accounts.ts';
import type { Slot } from './units.ts';
import { address, amount, lamports, maybeAddress, signature } from './value-codecs.ts';

export const TIP = record({
  lamports,
  to: address,
  /** 'jito' means a bundle; any other landing service means only faster landing. */
  provider: plain<'jito' | 'other'>(),
});

export interface Tip extends Described<typeof TIP> {}

export const TOKEN_BALANCE_CHANGE = record({
  account: address,
  owner: maybeAddress,
  mint: address,
  decimals: plain<number>(),
  before: amount,
  after: amount,
});

export interface TokenBalanceChange extends Described<typeof TOKEN_BALANCE_CHANGE> {}

export const TRANSACTION_FACTS = record({
  signature,
  /** Position in the block; for loose transactions the rank by signature within the slot. */
  txIndex: plain<number>(),
  /** False when `txIndex` is only a rank: such transactions have no known neighbours. */
  isIndexKnown: plain<boolean>(),
  feePayer: address,
  /** The fee payer first. */
  signers: list(address),
  /** The runtime's error (JSON text), null for success. Failed transactions carry no events. */
  error: plain<string | null>(),
  feeLamports: lamports,
  computeUnitLimit: plain<number | null>(),
  /** Null for v1 transactions: they state a total instead of a price per unit. */
  computeUnitPriceMicroLamports: nullable(integer<bigint>()),
  computeUnitsUsed: plain<number | null>(),
  tips: list(TIP),
  /** Outer programs, each once, in order. */
  programIds: list(address),
  usesLookupTables: plain<boolean>(),
  /** Token accounts whose balance or existence changed. */
  tokenBalances: list(TOKEN_BALANCE_CHANGE),
  events: list(CHAIN_EVENT),
  /**
   * Priority fee that a v1 transaction offers on top of the base fee. Other versions state a price
   * per unit.
   */
  priorityFeeLamports: optional(lamports),
  /**
   * The trading terminal it was sent through, recognised by its program or a fee; null when none is
   * known.
   */
  terminal: added(nullable(interned<Terminal>()), null),
  /**
   * What transactions of one tool have in common, as a hash of 16 hexadecimal digits
   * (decoders/transaction/skeleton.ts); null without a swap.
   */
  skeleton: added(nullable(interned<string>()), null),
});

/**
 * What the decoders derive from one transaction: the `Tx` event and the events of its instructions.
 */
export interface TransactionFacts extends Described<typeof TRANSACTION_FACTS> {}

/** Results of decoding the instructions of one program. `event` counts instructions, not events. */
export interface ProgramOutcomes {
  event: number;
  ignored: number;
  unknown: number;
  malformed: number;
  /** Swaps whose legs contradict the vaults. */
  quarantined: number;
}

export type OutcomeCounts = Readonly<Partial<Record<ProgramName, ProgramOutcomes>>>;

/**
 * `unexplained`: tokens were exchanged below an instruction as in a swap, but no event accounts for
 * it. `failed`: the instruction or transaction could not be read at all.
 */
export type DecodeProblemKind = 'unknown' | 'malformed' | 'quarantined' | 'unexplained' | 'failed';

export const DECODE_PROBLEM = record({
  signature,
  outerIx: plain<number>(),
  innerIx: plain<number>(),
  /** Null when it concerns the transaction as a whole. */
  program: plain<ProgramName | null>(),
  problem: plain<DecodeProblemKind>(),
  reason: plain<string>(),
});

/** Something in a transaction that is inconsistent or could not be decoded. */
export interface DecodeProblem extends Described<typeof DECODE_PROBLEM> {}

export const SLOT_FACTS = record({
  slot: plain<Slot>(),
  parentSlot: plain<Slot | null>(),
  blockhash: plain<string | null>(),
  previousBlockhash: plain<string | null>(),
  blockTimeMs: plain<number | null>(),
  isWhole: plain<boolean>(),
  /**
   * Version of the decoders that read the slot; a later version may decode more of the same record.
   */
  decoderVersion: plain<number>(),
  voteCount: plain<number>(),
  /** Non-vote transactions by txIndex, failed ones included. */
  transactions: list(TRANSACTION_FACTS),
  outcomes: plain<OutcomeCounts>(),
  /**
   * Transactions that moved tokens through a pool, and those of them that events explain
   * completely.
   */
  poolMovingCount: plain<number>(),
  explainedCount: plain<number>(),
  problems: list(DECODE_PROBLEM),
  /**
   * Accounts read separately from the blocks, as of the end of this slot or earlier, in the order
   * of `compareObservations`. They are applied after the slot's transactions. Absent when there are
   * none.
   */
  observations: optional(list(ACCOUNT_OBSERVATION)),
  /**
   * Exact bundles of this slot's transactions from an external source; no transaction is in two of
   * them. Absent when there are none or they are unknown.
   */
  exactBundles: optional(list(EXACT_BUNDLE)),
  /**
   * Ids of findings that reviews called false or archived by the time the slot was applied. They
   * count from this slot on. Absent when there are none.
   */
  refusedFindings: optional(list(text)),
  /**
   * Rules that were published or withdrawn by the time the slot was applied. They count from the end
   * of the minutes after this slot. Absent when there are none.
   */
  ruleChanges: optional(list(RULE_CHANGE)),
});

/** One decoded slot: the entry of the canonical log that the engine folds and the store keeps. */
export interface SlotFacts extends Described<typeof SLOT_FACTS> {}
