import { expect, test } from 'vitest';
import type { FaultName } from '../../../simulator/faces/node/fault-settings.ts';
import {
  anchorAt,
  FollowedChain,
  followUntil,
  WatchedFaults,
} from '../../../tests/support/followed-chain.ts';
import { type Clock, monotonicClock } from '../../lib/clock.ts';
import { RPC_TUNING } from './nodes/rpc-options.ts';

const SLOT = 1_040;
const PROMISED_MS = 10_000;
const LOOK_MS_MAX = 25;

/**
 * Time as the source intends to spend it: its sleeps, plus the time between its clock readings,
 * capped at what a healthy machine needs. A stalled machine adds nothing.
 */
class MeantClock implements Clock {
  private passedMs = 0;
  private viewedMs = performance.now();

  nowMs(): number {
    const nowMs = performance.now();
    this.passedMs += Math.min(nowMs - this.viewedMs, LOOK_MS_MAX);
    this.viewedMs = nowMs;
    return this.passedMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const fromMs = this.nowMs();
    const startedMs = performance.now();
    await monotonicClock.sleep(ms, signal);
    const sleptMs = Math.min(performance.now() - startedMs, ms);
    this.passedMs = Math.max(this.passedMs, fromMs + sleptMs);
    this.viewedMs = performance.now();
  }
}

/** Records when the source first requested the slot that is denied. */
class TimedFaults extends WatchedFaults {
  askedMs: number | null = null;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    super({}, { slot: SLOT, fault: 'falseSkip' });
    this.clock = clock;
  }

  override strikes(fault: FaultName, key: string): boolean {
    if (key.startsWith(`getBlock [${SLOT},`)) this.askedMs ??= this.clock.nowMs();
    return super.strikes(fault, key);
  }
}

test('G6 a block that all nodes deny is reported missing within ten seconds, with production tuning', async () => {
  const clock = new MeantClock();
  const faults = new TimedFaults(clock);
  await using chain = await FollowedChain.start({ market: { skipRate: 0 }, nodes: [{ faults }] });
  chain.run(20);
  const { reader } = await followUntil(chain, (followed) => followed.reader.missing.length > 0, {
    anchor: anchorAt(chain.canonical.find(({ block }) => block.slot === SLOT - 10)),
    tuning: RPC_TUNING,
    clock,
  });
  const namedMs = clock.nowMs() - (faults.askedMs ?? Number.NaN);
  expect(reader.missing).toMatchObject([{ from: SLOT, to: SLOT }]);
  expect(namedMs).toBeGreaterThan(RPC_TUNING.giveUpAfterMs / 2);
  expect(namedMs).toBeLessThan(PROMISED_MS);
});
