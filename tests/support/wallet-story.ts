import { isAddress, isOffCurveAddress, address as kitAddress } from '@solana/kit';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address, Lamports, RawAmount, Slot } from '../../src/model/units.ts';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from './build-facts.ts';
import { address, signature } from './build-transaction.ts';
import { SOL, START_MS, SUPPLY } from './master-fixture.ts';

export type StoryMint = 'T' | 'U' | 'F';
export type StoryPool = keyof typeof POOLS;

export interface StorySwap {
  readonly who: string;
  readonly side: 'buy' | 'sell';
  readonly base: bigint;
  readonly quote: bigint;
  readonly pool?: StoryPool;
  readonly flags?: Partial<Swap>;
}

/** Tokens that one owner sends to another; the fee goes to no wallet. */
export interface StorySend {
  readonly mint: StoryMint;
  readonly from: string;
  readonly to: string;
  readonly raw: bigint;
  readonly feeRaw?: bigint;
}

export interface StoryTransaction {
  /** The fee payer comes first. */
  readonly signers: readonly string[];
  readonly pays?: readonly {
    readonly from: string;
    readonly to: string;
    readonly lamports: bigint;
  }[];
  readonly swaps?: readonly StorySwap[];
  readonly sends?: readonly StorySend[];
  readonly hasFailed?: boolean;
  readonly programIds?: readonly Address[];
  readonly terminal?: TransactionFacts['terminal'];
}

export const MINTS: Readonly<Record<StoryMint, Address>> = {
  T: address('token-t'),
  U: address('token-u'),
  F: address('token-f'),
};

export const POOLS = {
  't-sol': { base: 'T', quoteMint: WRAPPED_SOL, quoteDecimals: 9 },
  't-usdc': { base: 'T', quoteMint: USDC, quoteDecimals: 6 },
  'u-sol': { base: 'U', quoteMint: WRAPPED_SOL, quoteDecimals: 9 },
  'u-t': { base: 'U', quoteMint: MINTS.T, quoteDecimals: 6 },
  'f-sol': { base: 'F', quoteMint: WRAPPED_SOL, quoteDecimals: 9 },
} as const;

const people = new Map<string, Address>();

/** The address of a person, which is on the curve. Addresses are returned unchanged. */
export function person(name: string): Address {
  const known = people.get(name);
  if (known !== undefined) return known;
  if (isAddress(name)) return name as string as Address;
  let found = address(name);
  for (let at = 0; isOffCurveAddress(kitAddress(found)); at++) found = address(`${name} ${at}`);
  people.set(name, found);
  return found;
}

/** An account of a program, without a private key. */
export function programOwned(name: string): Address {
  let found = address(name);
  for (let at = 0; !isOffCurveAddress(kitAddress(found)); at++) found = address(`${name} ${at}`);
  people.set(name, found);
  return found;
}

/**
 * A scripted market in which balances always chain: three mints, one of them with a transfer fee,
 * and five pools, one of which is quoted in another token.
 */
export class WalletStory {
  readonly slots: SlotFacts[] = [];
  private readonly held = new Map<string, bigint>();
  private transactions: TransactionFacts[] = [];
  private slot = 1_000;
  private timeMs: number | null = START_MS;
  private lastMs = START_MS;

  /**
   * `creators` of the mints, where they matter; all mints and pools are created in the first slot.
   */
  constructor(creators: Partial<Record<StoryMint, string>> = {}) {
    const mints = Object.entries(MINTS) as [StoryMint, Address][];
    for (const [name, mint] of mints) {
      const creator = creators[name] ?? 'creator';
      const pools = Object.entries(POOLS).filter(([, { base }]) => base === name);
      const events: ChainEvent[] = [
        mintCreated(mint),
        supplyChange('mintTo', mint, SUPPLY * BigInt(pools.length), 1),
        ...pools.map(([pool, { quoteMint, quoteDecimals }], at) => {
          const identity = { pool: person(pool), baseMint: mint, quoteMint, quoteDecimals };
          const rest = { creator: person(creator), outerIx: 2 + at };
          return poolCreated(SUPPLY, 500n * SOL, { ...identity, ...rest });
        }),
      ];
      const tokenBalances = pools.map(([pool]) => this.move(name, pool, SUPPLY));
      this.push({ signers: [person(creator)], events, tokenBalances });
    }
  }

  /** Moves to a later slot, `seconds` later; null leaves its time unknown. */
  wait(seconds: number | null, slots = slotsIn(seconds ?? 0)): this {
    this.slots.push(this.close());
    this.slot += slots;
    if (seconds === null) this.timeMs = null;
    else {
      this.lastMs += seconds * 1_000;
      this.timeMs = this.lastMs;
    }
    this.transactions = [];
    return this;
  }

  /** All slots, ending with the open one. */
  end(): SlotFacts[] {
    return [...this.slots, this.close()];
  }

  balance(mint: StoryMint, who: string): bigint {
    return this.held.get(`${mint} ${who}`) ?? 0n;
  }

  buy(who: string, quote: bigint, base: bigint, pool: StoryPool = 't-sol'): this {
    return this.add({ signers: [who], swaps: [{ who, side: 'buy', base, quote, pool }] });
  }

  sell(who: string, quote: bigint, base: bigint, pool: StoryPool = 't-sol'): this {
    return this.add({ signers: [who], swaps: [{ who, side: 'sell', base, quote, pool }] });
  }

  add(given: StoryTransaction): this {
    const events: ChainEvent[] = [];
    const before = new Map(this.held);
    const at = () => ({ outerIx: events.length, innerIx: -1 });
    for (const { from, to, lamports } of given.pays ?? []) {
      const sides = { from: person(from), to: person(to), lamports: lamports as Lamports };
      events.push({ kind: 'solTransfer', transferKind: 'transfer', ...at(), ...sides });
    }
    for (const swap of given.swaps ?? []) events.push(this.swap(swap, at().outerIx));
    for (const send of given.sends ?? []) {
      const amounts = {
        amountGross: send.raw as RawAmount,
        feeWithheld: (send.feeRaw ?? 0n) as RawAmount,
      };
      const owners = { fromOwner: person(send.from), toOwner: person(send.to) };
      const mint = MINTS[send.mint];
      events.push({
        kind: 'tokenTransfer',
        transferKind: 'transfer',
        ...at(),
        mint,
        ...owners,
        ...amounts,
      });
      this.move(send.mint, send.from, -send.raw);
      this.move(send.mint, send.to, send.raw - (send.feeRaw ?? 0n));
    }
    const draft = {
      signers: given.signers.map(person),
      programIds: given.programIds ?? [],
      terminal: given.terminal ?? null,
    };
    if (given.hasFailed === true) {
      for (const [key, raw] of before) this.held.set(key, raw);
      return this.push({ ...draft, error: '{"Custom":1}' });
    }
    return this.push({ ...draft, events, tokenBalances: this.changesSince(before) });
  }

  private swap({ who, side, base, quote, pool = 't-sol', flags = {} }: StorySwap, outerIx: number) {
    const identity = POOLS[pool];
    const sign = side === 'buy' ? 1n : -1n;
    this.move(identity.base, who, sign * base);
    this.move(identity.base, pool, -sign * base);
    if (identity.quoteMint === MINTS.T) {
      this.move('T', who, -sign * quote);
      this.move('T', pool, sign * quote);
    }
    return swapEvent(
      { trader: person(who), side, baseRaw: base, quoteRaw: quote },
      {
        ...{ outerIx, pool: person(pool), baseMint: MINTS[identity.base] },
        ...{ quoteMint: identity.quoteMint, quoteDecimals: identity.quoteDecimals, ...flags },
      },
    );
  }

  private changesSince(before: ReadonlyMap<string, bigint>): TransactionFacts['tokenBalances'] {
    const changed = [...this.held].filter(([key, raw]) => raw !== (before.get(key) ?? 0n));
    return changed.map(([key, raw]) => {
      const [mint = '', ...name] = key.split(' ');
      const identity = { mint: MINTS[mint as StoryMint], account: address(key) };
      return balanceChange(person(name.join(' ')), before.get(key) ?? 0n, raw, identity);
    });
  }

  private move(mint: StoryMint, who: string, delta: bigint) {
    const key = `${mint} ${who}`;
    const before = this.held.get(key) ?? 0n;
    this.held.set(key, before + delta);
    const identity = { mint: MINTS[mint], account: address(key) };
    return balanceChange(person(who), before, before + delta, identity);
  }

  private push(draft: Partial<TransactionFacts>): this {
    const txIndex = this.transactions.length;
    const name = signature(`${this.slot} ${txIndex}`);
    this.transactions.push(transactionFacts({ ...draft, txIndex, signature: name }));
    return this;
  }

  private close(): SlotFacts {
    return { ...slotFacts(this.slot as Slot, this.timeMs, this.transactions) };
  }
}

function slotsIn(seconds: number): number {
  return Math.max(1, Math.round(seconds / 0.4));
}

const EPISODES = 12;

/**
 * Lets wallets trade U with unusual success: twelve times each turns $1,000 into $2,000, hours
 * apart and manually. That is a score of about 66.
 */
export function makeSmart(story: WalletStory, wallets: readonly string[]): WalletStory {
  const base = 1_000_000_000n;
  for (let episode = 0; episode < EPISODES; episode++) {
    story.wait(600 + episode * 97);
    for (const wallet of wallets) story.buy(wallet, 5n * SOL, base, 'u-sol');
    story.wait(61 + episode * 31);
    for (const wallet of wallets) story.sell(wallet, 10n * SOL, base, 'u-sol');
  }
  return story.wait(3_000);
}
