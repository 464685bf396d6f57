import { Engine } from '../../src/engine/engine.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type {
  SlotFacts,
  TokenBalanceChange,
  TransactionFacts,
} from '../../src/model/slot-facts.ts';
import type { Address, PriceE18 } from '../../src/model/units.ts';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from './build-facts.ts';
import { address } from './build-transaction.ts';

/** Raw units: lamports, six decimals of a token, nano-dollars. */
export const SOL = 1_000_000_000n;
export const TOKEN = 1_000_000n;
export const DOLLAR = 1_000_000_000n;
export const SUPPLY = 1_000_000_000n * TOKEN;
/** 2025-01-01T00:00:00Z, the start of a candle of every interval. */
export const START_MS = 1_735_689_600_000;
export const mint = address('token-t');
export const pool = address('pool-t');
export const fallbackSolUsd = (200n * 10n ** 18n) as PriceE18;

/** The slot of second `t`; slot numbers leave space before it. */
export function second(t: number, ...transactions: TransactionFacts[]): SlotFacts {
  return slotFacts(1_000 + t, START_MS + t * 1_000, transactions);
}

/** The creation of `token-t`: a billion tokens, all in a pool with 500 SOL. */
export function launch(): TransactionFacts {
  return transactionFacts({
    txIndex: 0,
    signers: [address('creator')],
    events: [
      mintCreated(mint),
      supplyChange('mintTo', mint, SUPPLY, 1),
      poolCreated(SUPPLY, 500n * SOL),
    ],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY)],
  });
}

/** Balances of wallets and the pool, as the trades of a test change them. */
export function createTrader() {
  const balances = new Map<Address, bigint>([[pool, SUPPLY]]);
  const move = (owner: Address, delta: bigint): TokenBalanceChange => {
    const before = balances.get(owner) ?? 0n;
    balances.set(owner, before + delta);
    return balanceChange(owner, before, before + delta);
  };
  return (who: string, side: 'buy' | 'sell', sol: bigint, tokens: bigint, txIndex = 0) => {
    const trader = address(who);
    const gained = side === 'buy' ? tokens * TOKEN : -tokens * TOKEN;
    return transactionFacts({
      txIndex,
      signers: [trader],
      events: [swapEvent({ trader, side, baseRaw: tokens * TOKEN, quoteRaw: sol })],
      tokenBalances: [move(trader, gained), move(pool, -gained)],
    });
  };
}

function roundTrip(who: string): TransactionFacts {
  const trader = address(who);
  const flag = { isAtomicRoundTrip: true };
  const tokens = { trader, baseRaw: 100_000n * TOKEN };
  return transactionFacts({
    txIndex: 0,
    signers: [trader],
    events: [
      swapEvent({ ...tokens, side: 'buy', quoteRaw: (2n * SOL) / 10n }, flag),
      swapEvent({ ...tokens, side: 'sell', quoteRaw: (19n * SOL) / 100n }, { ...flag, outerIx: 1 }),
    ],
  });
}

/** METHODS §0.10, fixture F1. */
export function f1(): SlotFacts[] {
  const trade = createTrader();
  return [
    second(0, launch()),
    second(10, trade('A', 'buy', SOL, 1_000_000n)),
    second(20, trade('B', 'buy', (3n * SOL) / 2n, 1_000_000n)),
    second(30, trade('A', 'sell', SOL, 500_000n)),
    second(70, trade('C', 'buy', SOL, 500_000n)),
    ...[80, 90, 100].map((t) => second(t, roundTrip('X'))),
    second(110, trade('B', 'sell', SOL, 1_000_000n)),
    second(130),
  ];
}

/** Applies the slots and returns the changes of each. */
export function fold(slots: readonly SlotFacts[], engine = new Engine({ fallbackSolUsd })) {
  const changes: SlotChanges[] = [];
  for (const facts of slots) changes.push(engine.apply(facts));
  return { engine, changes };
}
