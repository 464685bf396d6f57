import { describe, expect, it } from 'vitest';
import { HEALTH_DEFAULTS, NodeHealth } from './node-health.ts';

const OPTIONS = { circuitFailures: 5, backoffBaseMs: 100, backoffMaxMs: 1_000 };

describe('the health of a node', () => {
  it('waits for a random share of a bound that doubles up to a maximum', () => {
    const waits = [1, 0.5, 0].map((share) => {
      const health = new NodeHealth(OPTIONS, () => share);
      return [1, 2, 3, 4, 5, 6].map(() => {
        health.fail('fault', null, 0);
        return health.waitMs(0);
      });
    });
    expect(waits).toEqual([
      [100, 200, 400, 800, 1_000, 1_000],
      [50, 100, 200, 400, 500, 500],
      [0, 0, 0, 0, 0, 0],
    ]);
  });

  it('opens the circuit after at most ten failures, lets one probe through, and closes on a result', () => {
    expect(HEALTH_DEFAULTS.circuitFailures).toBeLessThanOrEqual(10);
    const health = new NodeHealth(OPTIONS, () => 0);
    for (let failure = 1; failure <= 4; failure++) health.fail('fault', null, 0);
    expect(health.isCircuitOpen).toBe(false);
    health.fail('fault', null, 0);
    expect(health.isCircuitOpen).toBe(true);
    expect([health.hasCapacity(0), health.hasCapacity(1)]).toEqual([true, false]);
    health.succeed();
    expect([health.isCircuitOpen, health.hasCapacity(9), health.waitMs(0)]).toEqual([
      false,
      true,
      0,
    ]);
  });

  it('waits as long as Retry-After says plus jitter, up to a maximum', () => {
    const health = new NodeHealth(OPTIONS, () => 0.5);
    health.fail('busy', 7_000, 1_000);
    expect(health.waitMs(1_000)).toBe(7_050);
    expect(health.waitMs(8_049)).toBe(1);
    const other = new NodeHealth(OPTIONS, () => 0);
    other.fail('busy', 1e12, 0);
    expect(other.waitMs(0)).toBe(300_000);
  });

  it('ignores answers that are not the fault of the node', () => {
    const health = new NodeHealth(OPTIONS, () => 1);
    for (let answer = 0; answer < 20; answer++) health.fail('none', null, 0);
    expect([health.isCircuitOpen, health.waitMs(0)]).toEqual([false, 0]);
  });
});
