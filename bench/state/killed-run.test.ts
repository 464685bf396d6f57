import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GrowingMarket } from './growing-market.ts';
import { restartAfter, runUntilKilled } from './killed-run.ts';
import { FIRST_SLOT, NEW_WALLETS_MARKET } from './market-options.ts';
import type { RunMeasures } from './run-order.ts';
import { UnboundedSubject } from './state-subject.ts';

/** One swap a slot, so that two checkpoints are begun after few of them. */
const OPTIONS = { ...NEW_WALLETS_MARKET, swapsPerSlot: 1 };
/** Processes start slowly where much else runs. */
const WITHIN_MS = 120_000;

test(
  'a process that was killed with a checkpoint nearly complete is continued by another one',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-killed-run-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const order = { options: OPTIONS, swaps: 100, stateMemoryBytes: 64 * 2 ** 20, folder };
    const reported: RunMeasures[] = [];
    const killedAt = await runUntilKilled(order, (measures) => reported.push(measures));
    expect(reported).toHaveLength(1);
    const [measures] = reported;
    expect(measures?.swaps).toBe(100);
    if (globalThis.gc !== undefined) {
      expect(measures?.collectedMiB).toBeLessThanOrEqual(measures?.residentMiB ?? 0);
    }
    expect(measures?.perWallet?.memory).toBeGreaterThan(0);
    expect(measures?.perWallet?.disk).toBeGreaterThan(0);
    expect(measures?.cost).toBeNull();
    // A checkpoint is begun where the number of a slot passes a multiple of 120, and there is one
    // of the end of the measured part.
    expect(killedAt.slot).toBeGreaterThan(FIRST_SLOT + 200);

    const restart = await restartAfter({ ...order, killedAt });
    expect(restart.slots).toBe(killedAt.slot - (FIRST_SLOT + 99));
    expect(restart.toEndMs).toBeGreaterThan(restart.restartMs);
    const market = new GrowingMarket(OPTIONS);
    const { engine } = new UnboundedSubject();
    while (market.nextSlot <= killedAt.slot) engine.apply(market.next());
    expect(restart.digest).toBe(engine.digest());
  },
  WITHIN_MS,
);
