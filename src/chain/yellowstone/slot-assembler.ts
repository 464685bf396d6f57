import type { Slot } from '../../model/units.ts';
import type { BlockMeta } from '../protobuf/block-fields.ts';
import { encodeBlockUpdate } from '../protobuf/block-update.ts';
import type { LocatedTransaction } from '../protobuf/yellowstone-update.ts';

export type Assembled =
  /** `content` is the equivalent `SubscribeUpdateBlock`. */
  | { readonly kind: 'block'; readonly meta: BlockMeta; readonly content: Uint8Array }
  /** Dropped: the received parts of the slot do not make a whole block. */
  | { readonly kind: 'incomplete'; readonly slot: Slot; readonly reason: string };

export interface AssemblerLimits {
  /** Maximum number of open banks. */
  readonly banksMax: number;
  /** Bound on transactions and votes of all open banks together. */
  readonly transactionsMax: number;
  /** A block is dropped when more than this many newer blocks were completed or announced. */
  readonly newerBlocksMax: number;
}

const LIMITS: AssemblerLimits = { banksMax: 64, transactionsMax: 400_000, newerBlocksMax: 8 };

/** One execution of a slot. */
interface Bank {
  readonly slot: Slot;
  meta: BlockMeta | null;
  /** By position in the block, votes included. */
  readonly transactions: Map<number, Pick<LocatedTransaction, 'signature' | 'info'>>;
  /** Why the bank can no longer be completed. */
  fault: string | null;
  newerBlocks: number;
}

/**
 * Assembles blocks from transactions and block metas that arrive in any order. A block is whole
 * when each position below the count of executed transactions is present: nothing else proves that
 * the stream left none out. No clock: an incomplete block is dropped after a number of newer
 * blocks.
 */
export class SlotAssembler {
  private readonly limits: AssemblerLimits;
  private readonly banks = new Map<string, Bank>();
  private pendingTransactions = 0;

  constructor(limits: Partial<AssemblerLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** Transactions and votes that wait for the rest of their block. */
  get heldTransactions(): number {
    return this.pendingTransactions;
  }

  /** The lowest incomplete slot, null for none. */
  get lowestOpenSlot(): Slot | null {
    let lowest: Slot | null = null;
    for (const { slot } of this.banks.values()) {
      if (lowest === null || slot < lowest) lowest = slot;
    }
    return lowest;
  }

  /** Discards all incomplete slots: an ended stream will not complete them. */
  clear(): void {
    this.banks.clear();
    this.pendingTransactions = 0;
  }

  addTransaction(update: Omit<LocatedTransaction, 'kind'>): readonly Assembled[] {
    const { slot, txIndex, bankId, signature, info } = update;
    const bank = this.bankOf(slot, bankId);
    const known = bank.transactions.get(txIndex);
    if (known === undefined) {
      bank.transactions.set(txIndex, { signature, info });
      this.pendingTransactions++;
    } else if (known.signature !== signature) {
      bank.fault ??= `two transactions claim position ${txIndex}`;
    }
    return [...this.completed(bank, bankId), ...this.withinLimits()];
  }

  addMeta(meta: BlockMeta, bankId: bigint): readonly Assembled[] {
    const bank = this.bankOf(meta.slot, bankId);
    if (bank.meta !== null && bank.meta.blockhash !== meta.blockhash) {
      bank.fault ??= 'two different blocks in one bank';
    }
    if (bank.meta === null) this.countNewer(meta.slot);
    bank.meta ??= meta;
    return [...this.completed(bank, bankId), ...this.outdated(), ...this.withinLimits()];
  }

  private bankOf(slot: Slot, bankId: bigint): Bank {
    const key = keyOf(slot, bankId);
    const known = this.banks.get(key);
    if (known !== undefined) return known;
    const bank: Bank = { slot, meta: null, transactions: new Map(), fault: null, newerBlocks: 0 };
    this.banks.set(key, bank);
    return bank;
  }

  private completed(bank: Bank, bankId: bigint): readonly Assembled[] {
    const { meta, transactions, fault } = bank;
    if (meta === null || fault !== null) return [];
    if (transactions.size < meta.executedTransactionCount) return [];
    this.drop(keyOf(bank.slot, bankId), bank);
    const infos = infosInOrder(meta, transactions);
    if (infos !== null) return [{ kind: 'block', meta, content: encodeBlockUpdate(meta, infos) }];
    return [incomplete(bank, 'there are positions beyond the count')];
  }

  private countNewer(slot: Slot): void {
    for (const bank of this.banks.values()) if (bank.slot < slot) bank.newerBlocks++;
  }

  private outdated(): readonly Assembled[] {
    const dropped: Assembled[] = [];
    for (const [key, bank] of this.banks) {
      if (bank.newerBlocks <= this.limits.newerBlocksMax) continue;
      this.drop(key, bank);
      dropped.push(incomplete(bank, lackOf(bank)));
    }
    return dropped;
  }

  private withinLimits(): readonly Assembled[] {
    const dropped: Assembled[] = [];
    while (
      this.banks.size > this.limits.banksMax ||
      (this.pendingTransactions > this.limits.transactionsMax && this.banks.size > 0)
    ) {
      const lowest = this.lowestOpenSlot;
      for (const [key, bank] of this.banks) {
        if (bank.slot !== lowest) continue;
        this.drop(key, bank);
        dropped.push(incomplete(bank, `too many incomplete blocks: ${lackOf(bank)}`));
        break;
      }
    }
    return dropped;
  }

  private drop(key: string, { transactions }: Bank): void {
    this.banks.delete(key);
    this.pendingTransactions -= transactions.size;
  }
}

function keyOf(slot: Slot, bankId: bigint): string {
  return `${slot} ${bankId}`;
}

function incomplete({ slot, fault }: Bank, reason: string): Assembled {
  return { kind: 'incomplete', slot, reason: fault ?? reason };
}

function lackOf({ meta, transactions }: Bank): string {
  if (meta === null) return `${transactions.size} transactions and no block meta`;
  return `${transactions.size} of ${meta.executedTransactionCount} transactions`;
}

/** Null unless exactly the positions below the count are present. */
function infosInOrder(
  { executedTransactionCount }: BlockMeta,
  byPosition: Bank['transactions'],
): readonly Uint8Array[] | null {
  if (byPosition.size !== executedTransactionCount) return null;
  const infos: Uint8Array[] = [];
  for (let txIndex = 0; txIndex < executedTransactionCount; txIndex++) {
    const transaction = byPosition.get(txIndex);
    if (transaction === undefined) return null;
    infos.push(transaction.info);
  }
  return infos;
}
