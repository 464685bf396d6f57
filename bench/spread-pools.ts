import type { ChainEvent } from '../src/model/chain-event.ts';
import type { SlotFacts, TransactionFacts } from '../src/model/slot-facts.ts';
import { address, signature } from '../tests/support/build-transaction.ts';

/** Of an address; enough to tell those of a market apart. */
const KEPT_LETTERS = 24;

/**
 * Spreads the trades of each token over as many tokens of the same life: simulated people meet in a
 * few pools, those of the main network in thousands. Each wallet trades in one of the copies, so
 * that their number of trades together is that of the token. Only creations are repeated.
 */
export class PoolSpread {
  private readonly copies: number;
  /** By mint, everything that belongs to it: its pools and token accounts, and itself. */
  private readonly parts = new Map<string, Set<string>>();
  private readonly renamed = new Map<string, string>();

  constructor(copies: number) {
    this.copies = copies;
  }

  /** The same slot with its trades spread. Slots must be given in order. */
  spread(facts: SlotFacts): SlotFacts {
    const transactions = facts.transactions.flatMap((transaction) => this.spreadOne(transaction));
    return {
      ...facts,
      transactions: transactions.map((transaction, txIndex) => ({ ...transaction, txIndex })),
    };
  }

  private spreadOne(transaction: TransactionFacts): readonly TransactionFacts[] {
    const { events, tokenBalances } = transaction;
    const created = events.some(({ kind }) => kind === 'mintCreated');
    for (const event of events) {
      if (event.kind === 'mintCreated') this.parts.set(event.mint, new Set([event.mint]));
    }
    const mints = new Set([...events.flatMap(mintsOf), ...tokenBalances.map(({ mint }) => mint)]);
    const own = [...mints].flatMap((mint) => this.parts.get(mint) ?? []);
    if (own.length === 0) return [transaction];
    for (const event of events) this.addPool(event);
    for (const { mint, account } of tokenBalances) this.parts.get(mint)?.add(account);
    if (!created) {
      return [this.copy(transaction, own, numberOf(transaction.feePayer) % this.copies)];
    }
    return Array.from({ length: this.copies }, (_, number) => this.copy(transaction, own, number));
  }

  private addPool(event: ChainEvent): void {
    if (!('pool' in event && 'baseMint' in event)) return;
    const { pool, baseMint } = event;
    if (typeof pool === 'string' && typeof baseMint === 'string') {
      this.parts.get(baseMint)?.add(pool);
    }
  }

  /** Copy 0 is the transaction itself. */
  private copy(
    transaction: TransactionFacts,
    own: readonly ReadonlySet<string>[],
    number: number,
  ): TransactionFacts {
    if (number === 0) return transaction;
    const renamed = (value: unknown): unknown => {
      if (typeof value === 'string') {
        return own.some((parts) => parts.has(value)) ? this.nameOf(value, number) : value;
      }
      if (Array.isArray(value)) return value.map(renamed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renamed(part)]));
    };
    const copied = renamed(transaction) as TransactionFacts;
    return { ...copied, signature: signature(`${number} ${transaction.signature}`) };
  }

  private nameOf(name: string, number: number): string {
    const key = `${number} ${name.slice(-KEPT_LETTERS)}`;
    const known = this.renamed.get(key) ?? address(key);
    this.renamed.set(key, known);
    return known;
  }
}

function mintsOf(event: ChainEvent): string[] {
  return ['mint' in event ? event.mint : null, 'baseMint' in event ? event.baseMint : null].filter(
    (mint) => typeof mint === 'string',
  );
}

/** The same for the same wallet. */
function numberOf(wallet: string): number {
  let sum = 0;
  for (const letter of wallet.slice(-6)) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return sum;
}
