import { describe, expect, it } from 'vitest';
import {
  anchorAt,
  expectCanonical,
  FollowedChain,
  followUntil,
  WatchedFaults,
} from '../../../tests/support/followed-chain.ts';

// Sequential: these tests measure when requests are sent.
describe('limits on requests to nodes', () => {
  it('keeps to the configured rate while it catches up and polls, counted at the node (F-11)', async () => {
    const faults = new WatchedFaults();
    await using chain = await FollowedChain.start({ slots: 120, nodes: [{ faults }] });
    const anchor = anchorAt(chain.canonical[10]);
    chain.run(50);
    const before = faults.arrivalsMs.length;
    const sinceMs = performance.now();
    await followUntil(chain, ({ reader }) => reader.blocks.length > 60, {
      anchor,
      tuning: { requestsPerSecond: 30 },
    });
    expect(faults.arrivalsMs.length - before).toBeGreaterThan(60);
    expect(faults.mostAbove(30, sinceMs)).toBeLessThanOrEqual(30);
  });

  it('pauses requests to a node for as long as Retry-After says (F-11)', async () => {
    const faults = new WatchedFaults();
    await using chain = await FollowedChain.start({ nodes: [{ faults }] });
    chain.run(10);
    let askedAgainMs = 0;
    let refusedMs = 0;
    await followUntil(chain, ({ reader }) => {
      if (reader.blocks.length < 40) return false;
      if (refusedMs === 0) {
        faults.change({ httpErrors: { 429: 1 }, retryAfterSeconds: 2 });
        faults.arrivalsMs.length = 0;
        refusedMs = performance.now();
        setTimeout(() => faults.calm(), 500);
      }
      const late = faults.arrivalsMs.find((ms) => ms > refusedMs + 500);
      if (late !== undefined) askedAgainMs ||= late;
      return askedAgainMs > 0;
    });
    expect(askedAgainMs - (faults.arrivalsMs[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  it('opens the circuit of a dead node after a few failures, follows the other, and comes back (F-11)', async () => {
    const faults = new WatchedFaults();
    await using chain = await FollowedChain.start({ nodes: [{ faults }, {}] });
    chain.run(10);
    let stage: 'well' | 'dead' | 'healed' = 'well';
    let diedAtMs = 0;
    const followed = await followUntil(
      chain,
      ({ reader, source }) => {
        const state = source.status?.nodes[0]?.state;
        if (stage === 'well' && reader.blocks.length > 20) {
          faults.change({ httpErrors: { 500: 1 } });
          diedAtMs = performance.now();
          stage = 'dead';
        }
        if (stage === 'dead' && state === 'left-alone' && performance.now() > diedAtMs + 800) {
          const requestCount = faults.arrivalsMs.filter((ms) => ms > diedAtMs).length;
          expect(requestCount).toBeLessThanOrEqual(16);
          faults.calm();
          stage = 'healed';
        }
        return stage === 'healed' && state === 'well' && reader.blocks.length > 120;
      },
      { tuning: { health: { circuitFailures: 5, backoffBaseMs: 20, backoffMaxMs: 400 } } },
    );
    expectCanonical(chain, followed);
  });
});
