import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { EXCHANGE_WALLETS } from '../../simulator/market/common-accounts.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { Liquidity } from '../../src/model/chain-event.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { ScenarioRun } from './scenario-stage.ts';

/** A swap with its position on the chain. */
export interface RecordedSwap {
  readonly slot: number;
  readonly timeMs: number;
  readonly transaction: TransactionFacts;
  readonly trader: Address;
  readonly side: Swap['side'];
  readonly pool: Address;
  /** Amounts that left or entered the pool, without sign. */
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface Payment {
  readonly slot: number;
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
}

const EXCHANGES: ReadonlySet<Address> = new Set(EXCHANGE_WALLETS);

/** The visible record of a scenario without labels: decoded raw blocks, and sums over them. */
export class ScenarioRecord {
  readonly slots: readonly SlotFacts[];

  constructor({ blocks }: Pick<ScenarioRun, 'blocks'>) {
    this.slots = blocks.map((block) => decodeBlock(toChainBlock(block)));
  }

  get problems() {
    return this.slots.flatMap(({ problems }) => problems);
  }

  get transactions(): TransactionFacts[] {
    return this.slots.flatMap(({ transactions }) => transactions);
  }

  /** Slot of the launch of a mint, or of its creation where there is no launchpad. */
  launchSlot(mint: Address): number {
    for (const { slot, transactions } of this.slots) {
      for (const { events } of transactions) {
        if (events.some((event) => event.kind === 'mintCreated' && event.mint === mint))
          return slot;
      }
    }
    throw new Error(`${mint} was never made`);
  }

  timeOf(slot: number): number {
    return this.slots.find((facts) => facts.slot >= slot)?.blockTimeMs ?? 0;
  }

  swaps(mint: Address): RecordedSwap[] {
    return this.slots.flatMap(({ slot, blockTimeMs, transactions }) =>
      transactions.flatMap((transaction) =>
        transaction.events.flatMap((event) =>
          event.kind === 'swap' && event.baseMint === mint
            ? [{ ...swapOf(event), slot, timeMs: blockTimeMs ?? 0, transaction }]
            : [],
        ),
      ),
    );
  }

  liquidity(pool: Address): (Liquidity & { readonly slot: number })[] {
    return this.slots.flatMap(({ slot, transactions }) =>
      transactions.flatMap(({ events }) =>
        events.flatMap((event) =>
          event.kind === 'liquidity' && event.pool === pool ? [{ ...event, slot }] : [],
        ),
      ),
    );
  }

  /** Transfers of at least a thousandth of a SOL, until a slot. */
  payments(toSlot = Number.POSITIVE_INFINITY): Payment[] {
    return this.slots
      .filter(({ slot }) => slot <= toSlot)
      .flatMap(({ slot, transactions }) =>
        transactions.flatMap(({ events }) =>
          events.flatMap((event) =>
            event.kind === 'solTransfer' &&
            event.transferKind === 'transfer' &&
            event.lamports >= 1_000_000n
              ? [{ slot, from: event.from, to: event.to, lamports: event.lamports }]
              : [],
          ),
        ),
      );
  }

  tokenTransfers(mint: Address) {
    return this.slots.flatMap(({ slot, transactions }) =>
      transactions.flatMap(({ events, signers }) =>
        events.flatMap((event) =>
          event.kind === 'tokenTransfer' && event.mint === mint
            ? [{ ...event, slot, signers }]
            : [],
        ),
      ),
    );
  }

  /** Sum of raw units of owners after a slot, from the balances in the blocks. */
  held(owners: ReadonlySet<Address>, mint: Address, slot: number): bigint {
    const balances = new Map<Address, bigint>();
    for (const facts of this.slots) {
      if (facts.slot > slot) break;
      for (const { tokenBalances } of facts.transactions) {
        for (const { account, owner, mint: of, after } of tokenBalances) {
          if (of === mint && owner !== null && owners.has(owner)) balances.set(account, after);
        }
      }
    }
    return [...balances.values()].reduce((sum, raw) => sum + raw, 0n);
  }

  /** Every address that a transaction of the chain contains or pays. */
  get addresses(): ReadonlySet<Address> {
    const seen = new Set<Address>();
    for (const { signers, events, tokenBalances } of this.transactions) {
      for (const signer of signers) seen.add(signer);
      for (const { owner } of tokenBalances) if (owner !== null) seen.add(owner);
      for (const event of events) if (event.kind === 'solTransfer') seen.add(event.to);
    }
    return seen;
  }

  /** Private payers upstream of a wallet with their distance; the search ends at exchanges. */
  funders(wallet: Address, toSlot: number): ReadonlyMap<Address, number> {
    const payments = this.payments(toSlot);
    const found = new Map<Address, number>();
    let edge: Address[] = [wallet];
    for (let hops = 1; edge.length > 0 && hops < 8; hops++) {
      const next: Address[] = [];
      for (const { from, to } of payments) {
        if (!edge.includes(to) || found.has(from) || from === wallet) continue;
        found.set(from, hops);
        if (!EXCHANGES.has(from)) next.push(from);
      }
      edge = next;
    }
    return found;
  }

  isPaidByExchange(wallet: Address, toSlot: number): boolean {
    return this.payments(toSlot).some(({ from, to }) => to === wallet && EXCHANGES.has(from));
  }
}

export function jitoTips({ tips }: TransactionFacts): number {
  return tips.filter(({ provider }) => provider === 'jito').length;
}

export function sumOf<Item>(items: readonly Item[], amount: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}

/** The mean price of swaps, raw quote per raw base. */
export function meanPrice(swaps: readonly RecordedSwap[]): number {
  return (
    Number(sumOf(swaps, ({ quoteRaw }) => quoteRaw)) /
    Number(sumOf(swaps, ({ baseRaw }) => baseRaw))
  );
}

function swapOf(event: Swap) {
  const { trader, side, pool, poolBaseDelta, poolQuoteDelta } = event;
  if (trader === null) throw new Error(`the swap of ${pool} has no trader`);
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  return { trader, side, pool, baseRaw: size(poolBaseDelta), quoteRaw: size(poolQuoteDelta) };
}
