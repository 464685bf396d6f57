import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  supplyChange,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  fold,
  launch,
  mint,
  pool,
  SOL,
  START_MS,
  second,
  TOKEN,
} from '../../tests/support/master-fixture.ts';
import type { ChainEvent, TokenLock } from '../model/chain-event.ts';
import type { Venue } from '../model/program.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import { type Address, asAddress, asRawAmount } from '../model/units.ts';

const LP = address('lp mint');
const DAY_MS = 86_400_000;
const INCINERATOR = asAddress('1nc1nerator11111111111111111111111111111111');

/** The example of METHODS §1.1: 100 LP tokens, of which 92 are burned and 3 locked. */
describe('the locked share of a pool', () => {
  test('includes burned tokens and tokens locked for sixty days', () => {
    const { engine } = fold([
      second(0, createdPool()),
      second(1, events(burn(92n, null))),
      second(2, events(lock(3n, 60))),
    ]);
    expect(engine.lockedLiquidity(pool)).toEqual({ issuedRaw: 100n, lockedRaw: 95n });
    expect(engine.lockedSupply(LP)).toBe(3n);
  });

  test('includes only burned tokens when the rest unlocks in seven days', () => {
    const { engine } = fold([
      second(0, createdPool()),
      second(1, events(burn(92n, null), lock(3n, 7))),
    ]);
    expect(engine.lockedLiquidity(pool)).toEqual({ issuedRaw: 100n, lockedRaw: 92n });
  });

  test('falls when a lock pays out', () => {
    const { engine } = fold([
      second(0, createdPool()),
      second(1, events(burn(92n, null), lock(3n, 60))),
      second(2, events(lock(-2n, null))),
    ]);
    expect(engine.lockedLiquidity(pool)?.lockedRaw).toBe(93n);
  });

  test('is relative to the tokens not withdrawn', () => {
    const { engine } = fold([
      second(0, createdPool()),
      second(1, events(burn(40n, 'raydium_cpmm'))),
      second(2, events(burn(30n, null))),
    ]);
    expect(engine.lockedLiquidity(pool)).toEqual({ issuedRaw: 60n, lockedRaw: 30n });
  });

  test('includes tokens at burn addresses', () => {
    const { engine } = fold([second(0, createdPool()), second(1, sentToIncinerator(25n))]);
    expect(engine.lockedLiquidity(pool)).toEqual({ issuedRaw: 100n, lockedRaw: 25n });
  });

  test('is never more than the whole', () => {
    const feesPaid = burn(10n, 'raydium_cpmm');
    const { engine } = fold([
      second(0, createdPool()),
      second(1, events(lockForever(100n))),
      second(2, events(feesPaid)),
    ]);
    expect(engine.lockedLiquidity(pool)).toEqual({ issuedRaw: 90n, lockedRaw: 90n });
  });

  test('is unknown without LP tokens, and if their creation was not seen', () => {
    const { engine } = fold([second(0, launch())]);
    expect(engine.lockedLiquidity(pool)).toBeNull();
    const unseen = poolCreated(TOKEN, SOL, { pool: address('pool-u'), lpMint: LP });
    fold([second(1, events(unseen, burn(92n, null)))], engine);
    expect(engine.lockedLiquidity(address('pool-u'))).toBeNull();
    expect(engine.lockedLiquidity(address('no pool'))).toBeNull();
  });

  test.each([
    ['a burn', events(burn(92n, null))],
    ['a lock', events(lock(3n, 60))],
    ['a lock at the pool', events(lockForever(3n))],
    ['a transfer to a burn address', sentToIncinerator(3n)],
  ])('is published for the pool in the slot of %s', (_, transaction) => {
    const { engine, changes } = fold([second(0, createdPool()), second(1, transaction)]);
    expect(changes[1]?.pools).toEqual([engine.pool(pool)]);
    expect(engine.pool(pool)?.lockedLiquidity).toEqual(engine.lockedLiquidity(pool));
    expect(engine.lockedLiquidity(pool)?.lockedRaw).not.toBe(0n);
  });

  test('is in the digest', () => {
    const digests = [60, 61].map((days) =>
      fold([second(0, createdPool()), second(1, events(lock(3n, days)))]).engine.digest(),
    );
    expect(new Set(digests).size).toBe(2);
  });
});

test('a token held by a locker is locked supply, not liquidity', () => {
  const { engine } = fold([second(0, launch()), second(1, events(lock(7n, 60, mint)))]);
  expect(engine.lockedSupply(mint)).toBe(7n);
  expect(engine.stateSize.locks).toBe(1);
});

/** The pool with 100 LP tokens, as a venue creates it. */
function createdPool(): TransactionFacts {
  return transactionFacts({
    txIndex: 0,
    events: [
      poolCreated(TOKEN, SOL, { outerIx: 0, lpMint: LP, lpRaw: asRawAmount(100n) }),
      { ...mintCreated(LP), innerIx: 0 },
      { ...supplyChange('mintTo', LP, 100n), innerIx: 1 },
    ],
  });
}

function events(...list: readonly ChainEvent[]): TransactionFacts {
  return transactionFacts({
    txIndex: 0,
    events: list.map((event, index) => ({ ...event, outerIx: index })),
  });
}

function sentToIncinerator(amount: bigint): TransactionFacts {
  const sent = { ...balanceChange(INCINERATOR, 0n, amount), mint: LP };
  return transactionFacts({ txIndex: 0, tokenBalances: [sent] });
}

function lockForever(amount: bigint): ChainEvent {
  return {
    kind: 'lpLock',
    outerIx: 0,
    innerIx: -1,
    pool,
    provider: address('creator'),
    amountRaw: asRawAmount(amount),
    lockKind: 'permanent',
    unlockTimeMs: null,
  };
}

function burn(amount: bigint, burnVenue: Venue | null): ChainEvent {
  return { ...supplyChange('burn', LP, amount), burnVenue };
}

/** A lock of this many days from the start; null for a change without terms. */
function lock(escrowDelta: bigint, days: number | null, locked: Address = LP): TokenLock {
  const time = days === null ? null : START_MS + days * DAY_MS + 10_000;
  return {
    kind: 'tokenLock',
    outerIx: 0,
    innerIx: -1,
    locker: 'streamflow',
    escrow: address('escrow'),
    mint: locked,
    owner: null,
    escrowDelta: asRawAmount(escrowDelta),
    terms:
      time === null
        ? null
        : {
            isPermanent: false,
            firstUnlockTimeMs: time,
            lastUnlockTimeMs: time,
            isRevocable: false,
          },
  };
}
