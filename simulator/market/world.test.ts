import { describe, expect, test } from 'vitest';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { burnTokens } from '../programs/token.ts';

const FIRST_SLOT = 400_000_000;
const START_MS = Date.UTC(2026, 0, 1);

function quiet(options: { forkRate?: number; skipRate?: number } = {}): SmallMarket {
  return new SmallMarket({ seed: 'world', ordersPerSlot: 0, forkRate: 0, skipRate: 0, ...options });
}

describe('the world', () => {
  test('knows time and slot before the first slot', () => {
    const { world } = quiet();
    expect([world.nowMs, world.slot]).toEqual([START_MS, FIRST_SLOT - 1]);
  });

  test('includes an order that was sent before the first slot', () => {
    const { world, wallets } = quiet();
    const [from, to] = wallets;
    if (from === undefined || to === undefined) throw new Error('no wallets');
    const landed: number[] = [];
    world.send({
      feePayer: from,
      build: (execution) => transferLamports(execution, from, to, 1n),
      onLanded: ({ slot, isFailed }) => landed.push(isFailed ? -1 : slot),
    });
    world.step();
    expect(landed).toEqual([FIRST_SLOT]);
  });

  test('runs actions scheduled before the first slot at their time, in order', () => {
    const { world } = quiet();
    const done: [string, number][] = [];
    const note = (name: string) => () => done.push([name, world.nowMs - START_MS]);
    world.after(1_000, note('second'));
    world.after(500, note('first'));
    world.after(1_000, note('third'));
    for (let slot = 0; slot < 5; slot++) world.step();
    expect(done).toEqual([
      ['first', 500],
      ['second', 1_000],
      ['third', 1_000],
    ]);
  });

  test('reports the outcome of each order once, for canonical blocks', () => {
    const market = quiet({ forkRate: 0.3, skipRate: 0.1 });
    const { world, wallets } = market;
    const [from, to] = wallets;
    if (from === undefined || to === undefined) throw new Error('no wallets');
    const reported: string[][] = [];
    const kept = new Map<number, readonly (string | undefined)[]>();
    for (let slot = 0; slot < 310; slot++) {
      if (slot < 300) {
        const outcomes: string[] = [];
        reported.push(outcomes);
        world.send({
          feePayer: from,
          build: (execution) => transferLamports(execution, from, to, 1n),
          onLanded: ({ slot: landed, txIndex, signature }) => {
            outcomes.push(`${landed}/${txIndex}/${signature}`);
          },
          onDropped: () => outcomes.push('dropped'),
        });
      }
      const step = world.step();
      if (step?.isCanonical !== true) continue;
      kept.set(
        step.block.slot,
        step.block.transactions.map(({ signatures }) => signatures[0]),
      );
    }
    for (const outcomes of reported) {
      expect(outcomes.length).toBe(1);
      const [slot, txIndex, signature] = (outcomes[0] ?? '').split('/');
      expect(kept.get(Number(slot))?.[Number(txIndex)]).toBe(signature);
    }
  });

  test('drops an order with an instruction for an account that does not exist', () => {
    const { world, wallets, mints } = quiet();
    const [owner] = wallets;
    const [mint] = mints;
    if (owner === undefined || mint === undefined) throw new Error('no wallet or mint');
    const stranger = world.keyring.wallet();
    const outcomes: string[] = [];
    world.send({
      feePayer: owner,
      build: (execution) => {
        ensureTokenAccount(execution, world.tokenAccounts, owner, stranger, mint);
        burnTokens(execution, { from: world.keyring.account(), authority: owner, amountRaw: 1n });
      },
      onLanded: () => outcomes.push('landed'),
      onDropped: () => outcomes.push('dropped'),
    });
    world.step();
    expect(outcomes).toEqual(['dropped']);
  });

  test('drops an order that was not included for 150 slots', () => {
    const { world, wallets } = quiet();
    const [from, to] = wallets;
    if (from === undefined || to === undefined) throw new Error('no wallets');
    const outcomes: string[] = [];
    const pay = {
      feePayer: from,
      build: (execution: Parameters<typeof transferLamports>[0]) =>
        transferLamports(execution, from, to, 0n),
    };
    const tooMany = Array.from({ length: 61 }, () => ({ ...pay }));
    const [first, ...rest] = tooMany;
    if (first === undefined) throw new Error('no order');
    world.sendBundle([{ ...first, onDropped: () => outcomes.push('dropped') }, ...rest]);
    for (let slot = 0; slot < 150; slot++) world.step();
    expect(outcomes).toEqual([]);
    world.step();
    expect(outcomes).toEqual(['dropped']);
  });
});
