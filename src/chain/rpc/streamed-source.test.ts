import { describe, expect, it } from 'vitest';
import { CALM } from '../../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../../simulator/faces/node/faults.ts';
import {
  anchorAt,
  expectCanonical,
  type Followed,
  FollowedChain,
  finalFor,
  followUntil,
  quickStream,
  WatchedFaults,
} from '../../../tests/support/followed-chain.ts';
import type { Slot } from '../../model/units.ts';
import type { SourceStatus } from '../source-status.ts';
import { parseEndpoints } from './nodes/endpoint.ts';

/** Blocks requested from a node so far. */
class BlockCount extends WatchedFaults {
  blocks = 0;

  override strikes(...[fault, key]: Parameters<WatchedFaults['strikes']>): boolean {
    if (fault === 'falseSkip' && key.startsWith('getBlock [')) this.blocks++;
    return super.strikes(fault, key);
  }
}

/** Runs an action once, when the log has this many slots. */
function onceAfter(slots: number, act: () => void) {
  let isDone = false;
  return ({ reader }: Followed) => {
    const length = (reader.blocks.at(-1)?.slot ?? 0) - (reader.blocks[0]?.slot ?? 0);
    if (isDone || length < slots) return isDone;
    isDone = true;
    act();
    return true;
  };
}

describe.concurrent('a stream and RPC nodes', () => {
  it('yield one log, nearly all of it from the stream', async () => {
    const faults = new BlockCount();
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1, forkRate: 0.1 },
      nodes: [{ faults }],
      stream: {},
    });
    chain.run(15);
    const stream = quickStream(chain.stream.url, { silenceMs: 20_000 });
    // Long enough that a slow machine, which opens the stream later, has as many blocks from it.
    const isEnough = finalFor(180);
    let status: SourceStatus['stream'] = null;
    const followed = await followUntil(
      chain,
      (now) => {
        status = now.source.status?.stream ?? null;
        return isEnough(now);
      },
      { stream },
    );
    expectCanonical(chain, followed);
    expect(status).toMatchObject({ isStreaming: true, interruptions: 0, lastEnd: null });
    // The roughly 32 slots between the newest final one and the stream's first come from the node.
    expect(faults.blocks).toBeLessThan(60);
    expect(followed.source.status?.stream?.blocks).toBeGreaterThan(100);
  });

  it('catch up from an anchor that is further back than the server replays', async () => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      slots: 260,
      stream: { limits: { replaySlots: 20 } },
    });
    chain.run(20);
    const anchor = anchorAt(chain.canonical[2]);
    const stream = quickStream(chain.stream.url);
    const tip = chain.steps.at(-1)?.block.slot ?? 0;
    const isEnough = ({ reader }: Followed) => reader.finalSlot >= tip;
    const followed = await followUntil(chain, isEnough, { stream, anchor });
    expectCanonical(chain, followed);
    expect(followed.reader.blocks[0]?.parentSlot).toBe(anchor.slot);
  });

  it('lose nothing when the server leaves blocks out', async () => {
    const faults = new Faults({ ...CALM, listHoles: 0.3 });
    await using chain = await FollowedChain.start({ stream: { faults } });
    chain.run(15);
    const stream = quickStream(chain.stream.url);
    expectCanonical(chain, await followUntil(chain, finalFor(80), { stream }));
  });

  it('continue through the nodes while the stream is down, and through the stream again (F-03)', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 }, stream: {} });
    chain.run(20);
    const stall = onceAfter(60, () => chain.stream.proxy.stall());
    let stalledAt = 0;
    let blocksAtMend = -1;
    const notices: string[] = [];
    const followed = await followUntil(
      chain,
      (now) => {
        const head = now.reader.blocks.at(-1)?.slot ?? 0;
        if (stall(now) && stalledAt === 0) stalledAt = head;
        if (stalledAt > 0 && blocksAtMend < 0 && head > stalledAt + 60) {
          blocksAtMend = now.source.status?.stream?.blocks ?? 0;
          chain.stream.proxy.mend();
        }
        const isBack = (now.source.status?.stream?.blocks ?? 0) > blocksAtMend + 20;
        return blocksAtMend >= 0 && isBack;
      },
      { stream: quickStream(chain.stream.url), onNotice: (sentence) => notices.push(sentence) },
    );
    expectCanonical(chain, followed);
    expect(notices.join('\n')).toMatch(/nothing came for \d+ ms .*RPC nodes are used meanwhile/);
  });

  it('fetch from the nodes what a refused replay leaves out (F-04)', async () => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      stream: { limits: { replaySlots: 5 } },
    });
    const cut = onceAfter(50, () => {
      chain.stream.proxy.cut();
      for (let slots = 0; slots < 30; slots++) chain.advance();
      chain.stream.proxy.mend();
    });
    chain.run(20);
    const notices: string[] = [];
    const isEnough = finalFor(120);
    const followed = await followUntil(chain, (now) => cut(now) && isEnough(now), {
      stream: quickStream(chain.stream.url),
      onNotice: (sentence) => notices.push(sentence),
    });
    expectCanonical(chain, followed);
    expect(notices.join('\n')).toContain('No replay is available; RPC nodes are used meanwhile.');
  });

  it('begin without nodes when all are unreachable', async () => {
    await using chain = await FollowedChain.start({ stream: {} });
    chain.run(20);
    const parsed = parseEndpoints('http://127.0.0.1:1/,http://127.0.0.1:2/');
    const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
    const followed = await followUntil(chain, finalFor(40), {
      stream: quickStream(chain.stream.url),
      endpoints,
      tuning: { giveUpAfterMs: 500 },
    });
    expectCanonical(chain, followed);
  });

  it('continue through the nodes when the server denies the client, and report it once', async () => {
    await using chain = await FollowedChain.start({ stream: { token: 'right' } });
    chain.run(15);
    const stream = quickStream(chain.stream.url, {}, 'wrong-4711');
    const followed = await followUntil(chain, finalFor(40), { stream });
    expectCanonical(chain, followed);
    expect(followed.problems).toMatchObject([{ code: 'source-denied' }]);
    expect(JSON.stringify([followed.problems, followed.source.status])).not.toContain('4711');
  });
});

describe.concurrent('a stream alone', () => {
  const alone = { endpoints: [] };

  it('survives cuts shorter than the replay without a missing block (F-02)', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 }, stream: {} });
    const cuts = [40, 80, 120].map((slots) =>
      onceAfter(slots, () => {
        chain.stream.proxy.cut();
        for (let passed = 0; passed < 20; passed++) chain.advance();
        setTimeout(() => chain.stream.proxy.mend(), 100);
      }),
    );
    chain.run(15);
    const isEnough = finalFor(180);
    const followed = await followUntil(
      chain,
      (now) => cuts.map((cut) => cut(now)).every((isCut) => isCut) && isEnough(now),
      { ...alone, stream: quickStream(chain.stream.url), tuning: { giveUpAfterMs: 5_000 } },
    );
    expectCanonical(chain, followed);
    expect(followed.source.status?.stream?.interruptions).toBeGreaterThanOrEqual(3);
    expect(followed.source.status?.finality).toBe('confirmed + 32 slots');
  });

  it('reports what a refused replay leaves out, with both ends, and continues (F-04)', async () => {
    await using chain = await FollowedChain.start({ stream: { limits: { replaySlots: 20 } } });
    let before = 0;
    const cut = onceAfter(50, () => {
      chain.stream.proxy.cut();
      for (let slots = 0; slots < 40; slots++) chain.advance();
      setTimeout(() => chain.stream.proxy.mend(), 300);
    });
    chain.run(20);
    const followed = await followUntil(
      chain,
      (now) => {
        if (cut(now) && before === 0) before = now.reader.blocks.at(-1)?.slot ?? 0;
        return now.reader.missing.length > 0 && now.reader.finalSlot > before + 60;
      },
      { ...alone, stream: quickStream(chain.stream.url), tuning: { giveUpAfterMs: 200 } },
    );
    const [gap] = followed.reader.missing;
    const blocks = followed.reader.blocks.map(({ slot }) => slot);
    const last = blocks.findLast((slot) => slot < (gap?.from ?? 0));
    const next = chain.canonical.find(({ block }) => block.slot > (gap?.to ?? 0));
    expect(followed.reader.missing).toHaveLength(1);
    expect(gap).toMatchObject({
      from: (last ?? 0) + 1,
      to: next?.block.parentSlot,
      reason: 'the stream did not bring it, and there is no RPC node to ask',
    });
    expect(blocks).toContain(next?.block.slot);
  });

  it('ends with the reason when the server denies the client', async () => {
    await using chain = await FollowedChain.start({ stream: { token: 'right' } });
    const stream = quickStream(chain.stream.url, {}, 'wrong');
    const followed = await followUntil(chain, () => false, { ...alone, stream });
    expect(followed.items).toMatchObject([{ kind: 'problem', problem: { code: 'source-denied' } }]);
    expect(followed.problems[0]?.message).toContain('(code 16)');
  });

  it('waits for a late slot before it reports it missing', async () => {
    const faults = new Faults({ ...CALM, notificationSwap: 0.3, notificationDuplicate: 0.3 });
    await using chain = await FollowedChain.start({ stream: { faults } });
    chain.run(15);
    const followed = await followUntil(chain, finalFor(80), {
      ...alone,
      stream: quickStream(chain.stream.url),
    });
    const received = new Set<Slot | number>(followed.reader.blocks.map(({ slot }) => slot));
    const first = followed.reader.blocks[0]?.slot ?? 0;
    const expected = chain.canonical.filter(
      ({ block }) => block.slot >= first && block.slot <= followed.reader.finalSlot,
    );
    expect(expected.filter(({ block }) => !received.has(block.slot))).toEqual([]);
  });
});
