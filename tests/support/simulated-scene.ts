import { expect } from 'vitest';
import { Execution } from '../../simulator/chain/execution.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import { Ledger } from '../../simulator/chain/ledger.ts';
import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import { runTransaction } from '../../simulator/chain/run-transaction.ts';
import type { SimulatedTransaction } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { commonLookupTables } from '../../simulator/market/common-accounts.ts';
import { createGenesis, type Genesis } from '../../simulator/market/genesis.ts';
import {
  ensureTokenAccount,
  TokenAccounts,
  wrapLamports,
} from '../../simulator/programs/associated-token.ts';
import { rentExemptLamports } from '../../simulator/programs/system.ts';
import { mintTokens, TOKEN_ACCOUNT_SPACE } from '../../simulator/programs/token.ts';
import { Random } from '../../simulator/random/random.ts';
import type { Market } from '../../simulator/venues/market.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';

export const LAMPORTS = 1_000_000_000n;
export const SOL_USD = 180;
const CLOCK = { slot: 400_000_000, unixTime: 1_767_225_600 };

export interface SceneOrder {
  readonly payer: Address;
  readonly signers?: readonly Address[];
  readonly version?: 'legacy' | 0;
  readonly build: (execution: Execution) => void;
}

export interface SceneResult {
  readonly transaction: SimulatedTransaction;
  readonly slotFacts: SlotFacts;
  readonly events: readonly ChainEvent[];
}

/** A simulated chain of single transactions: each is run, read like a source's, and decoded. */
export class Scene {
  readonly ledger = new Ledger();
  readonly keyring: Keyring;
  readonly tokenAccounts: TokenAccounts;
  readonly genesis: Genesis;
  private readonly tables;

  constructor(seed = 'scene') {
    this.keyring = new Keyring(new Random(seed));
    this.tokenAccounts = new TokenAccounts(this.keyring);
    this.tables = commonLookupTables(this.keyring);
    const { ledger, keyring, tokenAccounts, tables } = this;
    this.genesis = createGenesis({
      ...{ ledger, keyring, tokenAccounts, tables, clock: CLOCK, solUsd: SOL_USD },
    });
  }

  /** A wallet with lamports and wrapped SOL. */
  wallet(lamports: bigint, wrapped = 0n): Address {
    const wallet = this.keyring.wallet();
    const account = this.ledger.get(wallet);
    this.ledger.set(wallet, { ...account, lamports: lamports + wrapped });
    if (wrapped > 0n) wrapLamports(this.outside(), this.tokenAccounts, wallet, wrapped);
    return wallet;
  }

  /** Mints tokens to a wallet, without a transaction. */
  give(wallet: Address, mint: Address, amountRaw: bigint): void {
    const execution = this.outside();
    const to = ensureTokenAccount(execution, this.tokenAccounts, wallet, wallet, mint);
    mintTokens(execution, { mint, to, authority: wallet, amountRaw });
  }

  held(wallet: Address, mint: Address): bigint {
    return this.ledger.get(this.tokenAccounts.of(wallet, mint)).token?.amountRaw ?? 0n;
  }

  run({ payer, signers = [], version = 'legacy', build }: SceneOrder): SceneResult {
    const landed = runTransaction(this.ledger, CLOCK, {
      signatures: [payer, ...signers].map(() => this.keyring.signature()),
      feePayer: payer,
      recentBlockhash: this.keyring.blockhash(),
      computeBudget: null,
      tables: version === 0 ? this.tables : null,
      build,
    });
    if (landed === null) throw new Error('no block takes the transaction');
    const { transaction } = landed;
    const slotFacts = decodeBlock(
      toChainBlock({
        ...{ slot: CLOCK.slot, parentSlot: CLOCK.slot - 1, blockHeight: CLOCK.slot },
        ...{ blockhash: this.keyring.blockhash(), previousBlockhash: this.keyring.blockhash() },
        ...{ blockTime: CLOCK.unixTime, leader: payer, transactions: [transaction] },
      }),
    );
    return { transaction, slotFacts, events: slotFacts.transactions[0]?.events ?? [] };
  }

  private outside(): Execution {
    return new Execution(this.ledger, CLOCK);
  }
}

/**
 * Checks that all is decoded, balances reconcile, and the venues' facts equal the decoded events.
 */
export function expectExplained({ transaction, slotFacts, events }: SceneResult): void {
  expect(transaction.error).toBeNull();
  expect(slotFacts.problems).toEqual([]);
  for (const outcomes of Object.values(slotFacts.outcomes)) {
    expect(outcomes).toMatchObject({ unknown: 0, malformed: 0, quarantined: 0 });
  }
  expect(slotFacts.explainedCount).toBe(slotFacts.poolMovingCount);
  expect(factsOf(events)).toEqual(transaction.facts);
}

/** Events of pools, as facts of the simulator's venues. */
function factsOf(events: readonly ChainEvent[]): MarketFact[] {
  return events.flatMap((event) => {
    const toFact = FACT_OF[event.kind] as ((event: ChainEvent) => MarketFact) | undefined;
    return toFact === undefined ? [] : [toFact(event)];
  });
}

type FactOf = {
  readonly [Kind in ChainEvent['kind']]?: (
    event: Extract<ChainEvent, { readonly kind: Kind }>,
  ) => MarketFact;
};

/** By kind of event; other kinds have no venue facts. */
const FACT_OF: FactOf = {
  swap: tradeFactOf,
  liquidity: ({ pool, provider, poolBaseDelta: baseRaw, poolQuoteDelta: quoteRaw }) => ({
    ...{ kind: 'liquidity', pool, provider, baseRaw, quoteRaw },
  }),
  feeSweep: ({ venue, pool, mint, bucket, amountRaw, poolDelta: poolDeltaRaw }) => ({
    ...{ kind: 'feeSweep', venue, pool, mint, bucket, amountRaw, poolDeltaRaw },
  }),
  poolBoost: ({ venue, pool, mint, poolDelta: poolDeltaRaw }) => ({
    ...{ kind: 'poolBoost', venue, pool, mint, poolDeltaRaw },
  }),
  launch: ({ venue, mint, pool, creator }) => ({ kind: 'launch', venue, mint, pool, creator }),
  curveComplete: ({ mint, pool }) => ({ kind: 'curveComplete', mint, pool }),
  migrate: ({ mint, fromPool, toPool }) => ({ kind: 'migrate', mint, fromPool, toPool }),
  poolCreated: ({ venue, pool, baseMint, quoteMint, creator, baseRaw, quoteRaw }) => ({
    ...{ kind: 'poolCreated', venue, pool, baseMint, quoteMint, creator, baseRaw, quoteRaw },
  }),
};

function tradeFactOf(event: Swap): MarketFact {
  const { venue, pool, baseMint, quoteMint, trader, side } = event;
  const sign = side === 'buy' ? -1n : 1n;
  const [baseRaw, quoteRaw] = [event.poolBaseDelta * sign, event.poolQuoteDelta * -sign];
  const keptQuoteRaw = event.keptFees?.quote ?? 0n;
  return {
    ...{ kind: 'trade', venue, pool, baseMint, quoteMint, trader, side, baseRaw, quoteRaw },
    keptQuoteRaw,
  };
}

/** Checks that the reserves in an event equal the pool's vaults. */
export function expectReserves(scene: Scene, market: Market, { events }: SceneResult): void {
  const { baseRaw, quoteRaw } = market.reserves(scene.ledger);
  for (const event of events) {
    if (event.kind !== 'swap' && event.kind !== 'liquidity') continue;
    if (event.pool !== market.pool) continue;
    expect(event.reserves).toMatchObject({ base: baseRaw, quote: quoteRaw });
  }
}

/** Checks that lamports leave only as the transaction fee. */
export function expectLamportsKept({ transaction }: SceneResult): void {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const { lamportsBefore, lamportsAfter, feeLamports } = transaction;
  expect(sum(lamportsAfter) + feeLamports).toBe(sum(lamportsBefore));
}

/**
 * Checks the whole ledger: the accounts of a mint hold its supply, including withheld fees; wrapped
 * SOL is backed by lamports; nothing is negative.
 */
export function expectConserved(ledger: Ledger): void {
  const held = new Map<Address, bigint>();
  const rent = rentExemptLamports(TOKEN_ACCOUNT_SPACE);
  for (const [, { lamports, token }] of ledger.entries()) {
    expect(lamports >= 0n).toBe(true);
    if (token === null) continue;
    expect(token.amountRaw >= 0n && token.withheldRaw >= 0n).toBe(true);
    if (token.mint === WRAPPED_SOL) expect(lamports).toBe(token.amountRaw + rent);
    held.set(token.mint, (held.get(token.mint) ?? 0n) + token.amountRaw + token.withheldRaw);
  }
  for (const [mint, amountRaw] of held) {
    if (mint !== WRAPPED_SOL) expect(amountRaw).toBe(ledger.mint(mint).supplyRaw);
  }
}
