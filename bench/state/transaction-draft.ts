import type { ChainEvent, SolTransferKind } from '../../src/model/chain-event.ts';
import { COMPUTE_BUDGET_PROGRAM, SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import type { Tip, TokenBalanceChange, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Terminal } from '../../src/model/terminal-accounts.ts';
import type { Address, Lamports, RawAmount, Signature } from '../../src/model/units.ts';

/** Of every transaction: that of a common tool. */
const SKELETON = '0123456789abcdef';

/** Rent of a token account. */
export const ACCOUNT_RENT_LAMPORTS = 2_039_280;

/** Amounts are whole numbers below 2^53 until they become facts. */
export function toRaw(amount: number): RawAmount {
  return BigInt(amount) as RawAmount;
}

export function toLamports(lamports: number): Lamports {
  return BigInt(lamports) as Lamports;
}

/** A balance of a token account before and after a transaction. */
export interface DraftBalance {
  readonly account: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly decimals: number;
  readonly before: number;
  readonly after: number;
}

/** A transaction while its parts are collected. */
export class TransactionDraft {
  readonly payer: Address;
  readonly events: ChainEvent[] = [];
  /** Position of the next event; its first instruction sets the price of computing. */
  outerIx = 1;
  terminal: Terminal | null = null;
  private readonly balances: TokenBalanceChange[] = [];
  private readonly tips: Tip[] = [];
  private readonly programId: Address;

  constructor(payer: Address, programId: Address) {
    this.payer = payer;
    this.programId = programId;
  }

  /** An outer instruction's payment of SOL. */
  pay(transferKind: SolTransferKind, from: Address, to: Address, lamports: number): void {
    this.events.push({
      kind: 'solTransfer',
      outerIx: this.outerIx++,
      innerIx: -1,
      transferKind,
      from,
      to,
      lamports: toLamports(lamports),
    });
  }

  tip(to: Address, lamports: number): void {
    this.pay('transfer', this.payer, to, lamports);
    this.tips.push({ lamports: toLamports(lamports), to, provider: 'jito' });
  }

  /** The creation of a token account at its payer's cost. */
  openAccount(account: Address): void {
    this.pay('createAccount', this.payer, account, ACCOUNT_RENT_LAMPORTS);
  }

  /** The end of an empty token account, whose rent returns to its payer. */
  closeAccount(account: Address): void {
    this.pay('closeRefund', account, this.payer, ACCOUNT_RENT_LAMPORTS);
  }

  balance({ account, owner, mint, decimals, before, after }: DraftBalance): void {
    this.balances.push({
      account,
      owner,
      mint,
      decimals,
      before: toRaw(before),
      after: toRaw(after),
    });
  }

  /** `units` is the compute units used, `error` the runtime's error or null. */
  toFacts(
    txIndex: number,
    signature: Signature,
    { units, error }: { readonly units: number; readonly error: string | null },
  ): TransactionFacts {
    const { payer, terminal, balances, tips, events } = this;
    return {
      signature,
      txIndex,
      isIndexKnown: true,
      feePayer: payer,
      signers: [payer],
      error,
      feeLamports: toLamports(5_000 + units),
      computeUnitLimit: 200_000,
      computeUnitPriceMicroLamports: 50_000n,
      computeUnitsUsed: units,
      tips,
      programIds: [COMPUTE_BUDGET_PROGRAM, this.programId, SPL_TOKEN_PROGRAM],
      usesLookupTables: false,
      tokenBalances: balances,
      events,
      terminal,
      skeleton: SKELETON,
    };
  }
}
