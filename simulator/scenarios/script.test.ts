import { describe, expect, it } from 'vitest';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { transferLamports } from '../programs/system.ts';
import { pause, startScript, together, waitUntil } from './script.ts';
import { land, landBundle } from './sending.ts';

function quiet() {
  const options = { seed: 'scripts', ordersPerSlot: 0, forkRate: 0, skipRate: 0, votes: 0 };
  const { world, wallets } = new SmallMarket(options);
  const [from, to] = wallets;
  if (from === undefined || to === undefined) throw new Error('no wallets');
  const startMs = world.nowMs;
  const run = (slots: number): void => {
    for (let slot = 0; slot < slots; slot++) world.step();
  };
  const pay = (lamports: bigint) => ({
    feePayer: from,
    build: (execution: Parameters<typeof transferLamports>[0]) =>
      transferLamports(execution, from, to, lamports),
  });
  return { world, run, pay, since: () => world.nowMs - startMs };
}

describe('a script', () => {
  it('waits by the clock of the world and continues after the last of several', () => {
    const { world, run, since } = quiet();
    const done: [string, number][] = [];
    startScript(
      (function* () {
        yield* together([
          (function* () {
            yield* pause(world, 900);
            done.push(['short', since()]);
          })(),
          (function* () {
            yield* pause(world, 1_700);
            done.push(['long', since()]);
          })(),
        ]);
        done.push(['both', since()]);
      })(),
    );
    run(10);
    expect(done).toEqual([
      ['short', 900],
      ['long', 1_700],
      ['both', 1_700],
    ]);
  });

  it('receives the outcome of orders: landed, failed, or dropped with a failed bundle', () => {
    const { world, run, pay } = quiet();
    const seen: unknown[] = [];
    startScript(
      (function* () {
        seen.push((yield* land(world, pay(5n)))?.isFailed);
        seen.push((yield* land(world, pay(10n ** 15n)))?.isFailed);
        seen.push(yield* landBundle(world, [pay(5n), pay(10n ** 15n)]));
      })(),
    );
    run(10);
    expect(seen).toEqual([false, true, [null, null]]);
  });

  it('stops waiting after the time limit', () => {
    const { world, run } = quiet();
    const seen: boolean[] = [];
    startScript(
      (function* () {
        const limits = { everyMs: 300, atMostMs: 2_000 };
        seen.push(yield* waitUntil(world, () => world.nowMs > 0, limits));
        seen.push(yield* waitUntil(world, () => false, limits));
      })(),
    );
    run(12);
    expect(seen).toEqual([true, false]);
  });
});
