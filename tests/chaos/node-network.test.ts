import { describe, expect, it } from 'vitest';
import {
  expectCanonical,
  FollowedChain,
  finalFor,
  followUntil,
} from '../support/followed-chain.ts';

/** When a fault of the network begins or ends, in blocks of the log. */
const AT = 30;

describe.concurrent('following nodes over a failing network', () => {
  it('survives cuts of HTTP and WebSocket without a missing block (F-02, F-06)', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 } });
    chain.run(15);
    const [node] = chain.nodes;
    let cuts = 0;
    const isEnough = finalFor(160);
    const followed = await followUntil(chain, (now) => {
      if (cuts < 3 && now.reader.blocks.length > AT * (cuts + 1)) {
        cuts++;
        node?.proxy.cut();
        setTimeout(() => node?.proxy.mend(), 400);
      }
      return cuts === 3 && isEnough(now);
    });
    expectCanonical(chain, followed);
    expect(followed.source.status?.nodes[0]?.failures.connection).toBeGreaterThan(0);
  });

  it('switches from a silent node to the next one, and loses nothing (F-03)', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 }, nodes: [{}, {}] });
    chain.run(15);
    const [first] = chain.nodes;
    let isStalled = false;
    let most = 0;
    let lastMs = performance.now();
    const isEnough = finalFor(160);
    const tuning = { limits: { deadlineMs: 300, answerBytesMax: 2 ** 24 } };
    const followed = await followUntil(
      chain,
      (now) => {
        if (!isStalled && now.reader.blocks.length > AT) {
          isStalled = true;
          first?.proxy.stall();
        }
        if (isStalled) most = Math.max(most, performance.now() - lastMs);
        lastMs = performance.now();
        return isEnough(now);
      },
      { tuning },
    );
    expectCanonical(chain, followed);
    expect(followed.source.status?.nodes[0]?.failures['time-out']).toBeGreaterThan(0);
    // Some requests reach their deadline; the log never waits much longer than that.
    expect(most).toBeLessThan(5_000);
  });

  it('continues at its position when the only node answers again (F-03)', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 } });
    chain.run(20);
    const [node] = chain.nodes;
    let isStalled = false;
    const isEnough = finalFor(120);
    const tuning = { limits: { deadlineMs: 300, answerBytesMax: 2 ** 24 } };
    const followed = await followUntil(
      chain,
      (now) => {
        if (!isStalled && now.reader.blocks.length > AT) {
          isStalled = true;
          node?.proxy.stall();
          // Silent connections stay silent until they are dropped.
          setTimeout(() => node?.proxy.mend(), 800);
        }
        return isStalled && isEnough(now);
      },
      { tuning },
    );
    expectCanonical(chain, followed);
  });
});
