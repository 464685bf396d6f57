import { describe, expect, test } from 'vitest';
import type { ChainEvent, TokenLock } from '../../src/model/chain-event.ts';
import { openPool } from '../../tests/support/pool-walk.ts';
import { expectConserved, expectExplained } from '../../tests/support/simulated-scene.ts';
import { planRaydiumCpmm } from '../venues/raydium-cpmm.ts';
import { inProgramOrder } from '../venues/raydium-cpmm-accounts.ts';
import { planRaydiumLock } from './raydium-lock.ts';
import { planStream } from './streamflow.ts';
import { burnTokens } from './token.ts';

const UNLOCK_TIME = 1_798_761_600;

function openCpmm() {
  return openPool((context, pair) => planRaydiumCpmm(context, pair));
}

function locksOf(events: readonly ChainEvent[]): TokenLock[] {
  return events.filter((event) => event.kind === 'tokenLock');
}

describe('locked and burned liquidity', () => {
  test('is locked with Streamflow until a given time', () => {
    const { scene, creator, pool } = openCpmm();
    const stream = planStream(scene.keyring, scene.tokenAccounts);
    const amountRaw = scene.held(creator, pool.lpMint);
    const lock = { sender: creator, mint: pool.lpMint, amountRaw, unlockTime: UNLOCK_TIME };
    const locked = scene.run({
      payer: creator,
      signers: stream.createSigners,
      build: (on) => stream.create(on, lock),
    });
    expectExplained(locked);
    expect(locksOf(locked.events)).toMatchObject([
      {
        ...{ locker: 'streamflow', escrow: stream.escrow, mint: pool.lpMint, owner: creator },
        escrowDelta: amountRaw,
        terms: {
          ...{ isPermanent: false, isRevocable: false },
          ...{ firstUnlockTimeMs: UNLOCK_TIME * 1_000, lastUnlockTimeMs: UNLOCK_TIME * 1_000 },
        },
      },
    ]);
    expect(scene.held(creator, pool.lpMint)).toBe(0n);
    expectConserved(scene.ledger);
  });

  test('is locked with Raydium permanently', () => {
    const { scene, creator, pool } = openCpmm();
    const { accounts } = pool;
    const [token0, token1] = inProgramOrder(accounts, accounts.base, accounts.quote);
    const lockable = {
      ...{ pool: pool.pool, lpMint: pool.lpMint, vault0: token0.vault, vault1: token1.vault },
    };
    const planned = planRaydiumLock(scene.keyring, scene.tokenAccounts);
    const locked = scene.run({
      payer: creator,
      signers: planned.createSigners,
      build: (on) => planned.lock(on, creator, lockable, 1_000_000n),
    });
    expectExplained(locked);
    expect(locksOf(locked.events)).toMatchObject([
      {
        ...{ locker: 'raydium_lock', mint: pool.lpMint, owner: creator, escrowDelta: 1_000_000n },
        terms: { isPermanent: true },
      },
    ]);
    expectConserved(scene.ledger);
  });

  test('is burned outside of any venue', () => {
    const { scene, creator, pool } = openCpmm();
    const amountRaw = scene.held(creator, pool.lpMint);
    const from = scene.tokenAccounts.of(creator, pool.lpMint);
    const burned = scene.run({
      payer: creator,
      build: (on) => burnTokens(on, { from, authority: creator, amountRaw }),
    });
    expectExplained(burned);
    expect(burned.events).toMatchObject([
      {
        ...{ kind: 'tokenTransfer', transferKind: 'burn', mint: pool.lpMint },
        ...{ amountGross: amountRaw, burnVenue: null },
      },
    ]);
    expectConserved(scene.ledger);
  });

  test('fails on chain when there is less of it', () => {
    const { scene, creator, pool } = openCpmm();
    const stream = planStream(scene.keyring, scene.tokenAccounts);
    const lock = { sender: creator, mint: pool.lpMint, unlockTime: UNLOCK_TIME };
    const amountRaw = scene.held(creator, pool.lpMint) + 1n;
    const { transaction } = scene.run({
      payer: creator,
      signers: stream.createSigners,
      build: (on) => stream.create(on, { ...lock, amountRaw }),
    });
    expect(transaction.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });
});
