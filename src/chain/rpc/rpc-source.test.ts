import { describe, expect, it } from 'vitest';
import {
  anchorAt,
  expectCanonical,
  FollowedChain,
  finalFor,
  followUntil,
  WatchedFaults,
} from '../../../tests/support/followed-chain.ts';
import { asSlot } from '../../model/units.ts';
import { confirmedPlus } from '../finality.ts';
import type { NodeStatus } from '../source-status.ts';
import { DecodePool } from '../threads/decode-pool.ts';
import { parseEndpoints } from './nodes/endpoint.ts';

// Not beside others: branches must be seen before they are dropped.
describe('following the branches of a chain', () => {
  it('follows losing branches that nodes confirmed, and second blocks of a slot, to the chain that wins (F-07, F-13)', async () => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.05, forkRate: 0.1, forkSlotsMax: 8 },
      nodes: [{ settings: { confirmsDropped: true, equivocation: 0.1, equivocationSlots: 4 } }],
    });
    chain.run(10, 3);
    const followed = await followUntil(chain, finalFor(100), { finality: confirmedPlus(40) });
    expectCanonical(chain, followed);
    expect(followed.reader.undos).toBeGreaterThan(2);
  });
});

describe.concurrent('following a chain through RPC nodes', () => {
  it('begins at the newest final slot and yields the chain as it grows', async () => {
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 } });
    chain.run(10);
    const followed = await followUntil(chain, finalFor(60));
    expectCanonical(chain, followed);
    expect(followed.reader.blocks[0]?.slot).toBeGreaterThan(1_010);
    expect(followed.problems).toEqual([]);
    expect(followed.source.status?.finality).toBe('confirmed + 32 slots');
  });

  it('fetches from the second node what the first one has pruned (F-04)', async () => {
    await using chain = await FollowedChain.start({
      slots: 250,
      nodes: [{ options: { windowSlots: 45 } }, {}],
    });
    const [anchor] = chain.canonical;
    const followed = await followUntil(
      chain,
      ({ reader }) => reader.finalSlot >= (chain.canonical.at(-60)?.block.slot ?? 0),
      { anchor: anchorAt(anchor) },
    );
    expectCanonical(chain, followed);
    expect(followed.reader.blocks.length).toBeGreaterThan(150);
  });

  it('reports what every node has pruned as one gap and continues after it (F-04)', async () => {
    await using chain = await FollowedChain.start({
      slots: 200,
      nodes: [{ options: { windowSlots: 60 } }, { options: { windowSlots: 50 } }],
    });
    const [anchor] = chain.canonical;
    const followed = await followUntil(chain, ({ reader }) => reader.blocks.length > 20, {
      anchor: anchorAt(anchor),
    });
    const { missing, blocks } = followed.reader;
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatchObject({
      from: (anchor?.block.slot ?? 0) + 1,
      to: blocks[0]?.parentSlot,
    });
    expect(missing[0]?.reason).toContain('rpc -32001');
    const expected = chain.canonical.filter(({ block }) => block.slot > (missing[0]?.to ?? 0));
    expect(blocks.map(({ blockhash }) => blockhash)).toEqual(
      expected.slice(0, blocks.length).map(({ block }) => block.blockhash),
    );
  });

  it.each([
    ['html', { html: 0.3 }],
    ['truncatedJson', { truncatedJson: 0.3 }],
    ['wrongTypes', { wrongTypes: 0.3 }],
    ['hugeIntegers', { hugeIntegers: 0.3 }],
    ['cut', { cut: 0.3 }],
  ])('survives %s answers and uses nothing from them (F-05)', async (_, settings) => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      nodes: [{ settings }],
    });
    chain.run(15);
    const followed = await followUntil(chain, finalFor(50));
    expectCanonical(chain, followed);
    const [status] = followed.source.status?.nodes ?? [];
    expect(
      Object.values(status?.failures ?? {}).reduce((sum, count) => sum + count, 0),
    ).toBeGreaterThan(5);
  });

  it('needs no hints: sockets that refuse, die, lie or fall silent lose no block (F-06)', async () => {
    const settings = {
      subscribeError: 0.3,
      subscriptionLoss: 0.1,
      notificationGarbage: 0.3,
      notificationSwap: 0.2,
      notificationDuplicate: 0.2,
      socketCut: 0.1,
      socketStall: 0.05,
    };
    await using chain = await FollowedChain.start({ nodes: [{ settings }] });
    chain.run(15);
    expectCanonical(chain, await followUntil(chain, finalFor(80)));
  });

  it('marks a node whose head went back, reverts nothing for it, and follows the other (F-08)', async () => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      slots: 200,
      nodes: [{}, {}],
    });
    chain.run(10);
    const [first] = chain.nodes;
    let isMarked = false;
    const followed = await followUntil(chain, (now) => {
      const { headSlot, nodes } = now.source.status ?? {};
      const isBegun = headSlot !== null && now.reader.blocks.length > 20;
      if (isBegun) first?.node.faults.change({ headBack: 1, headBackSlots: 150 });
      isMarked ||= nodes?.[0]?.state === 'behind';
      return isMarked && finalFor(120)(now);
    });
    expectCanonical(chain, followed);
    expect(followed.reader.undos).toBe(0);
    expect(followed.source.status?.nodes.map(({ state }) => state)).toEqual(['behind', 'well']);
  });

  it('resumes at the same slot when the only node goes back and catches up again (F-08)', async () => {
    await using chain = await FollowedChain.start({
      slots: 120,
      nodes: [{ settings: { headBack: 0.4 } }],
    });
    chain.run(10);
    const followed = await followUntil(chain, finalFor(80));
    expectCanonical(chain, followed);
    expect(followed.reader.undos).toBe(0);
  });

  it.each([-32004, -32007, -32009] as const)(
    'never records a block as skipped that a node denies with %i (F-10)',
    async (falseSkipCode) => {
      const settings = { falseSkip: 0.6, falseSkipCode, listHoles: 0.3 };
      await using chain = await FollowedChain.start({
        market: { skipRate: 0.1 },
        nodes: [{ settings }],
      });
      chain.run(15);
      const followed = await followUntil(chain, finalFor(60));
      expectCanonical(chain, followed);
      expect(followed.reader.skipped.size).toBeGreaterThan(0);
    },
  );

  it('fetches from the second node what the first one always denies (F-10)', async () => {
    const nodes = [{ settings: { falseSkip: 1, falseSkipCode: -32007 as const } }, {}];
    await using chain = await FollowedChain.start({ market: { skipRate: 0.1 }, nodes });
    chain.run(10);
    expectCanonical(chain, await followUntil(chain, finalFor(60)));
  });

  it('fetches a block from the second node while the first one has not answered (F-11)', async () => {
    const slot = 1_075;
    const silent = new WatchedFaults({}, { slot, fault: 'stall' });
    await using chain = await FollowedChain.start({ nodes: [{ faults: silent }, {}] });
    chain.run(10);
    const limits = { deadlineMs: 40_000, answerBytesMax: 2 ** 24 };
    let nodes: readonly NodeStatus[] = [];
    const followed = await followUntil(
      chain,
      ({ source, reader }) => {
        nodes = source.status?.nodes ?? [];
        return (reader.blocks.at(-1)?.slot ?? 0) > slot;
      },
      { tuning: { limits, hedgeAfterMs: 200 } },
    );
    expect(followed.reader.blocks.map((block) => block.slot)).toContain(slot);
    expect(followed.problems).toEqual([]);
    expect(nodes[0]?.openRequests).toBeGreaterThan(0);
    expect(nodes[0]?.failures).toEqual({});
  });

  it('reports a block that every node denies as missing, not skipped, with each node’s answer (F-10)', async () => {
    const slot = 1_040;
    const faults = new WatchedFaults({}, { slot, fault: 'falseSkip' });
    await using chain = await FollowedChain.start({ market: { skipRate: 0 }, nodes: [{ faults }] });
    chain.run(20);
    const anchor = anchorAt(chain.canonical.find(({ block }) => block.slot === 1_030));
    const tuning = { giveUpAfterMs: 400 };
    const followed = await followUntil(chain, ({ reader }) => reader.finalSlot > slot, {
      anchor,
      tuning,
    });
    const [gap] = followed.reader.missing;
    expect(gap).toMatchObject({ from: slot, to: slot });
    expect(gap?.reason).toMatch(/127\.0\.0\.1:\d+: rpc -32007/);
    expect(followed.reader.skipped.size).toBe(0);
    expect(followed.reader.blocks.map((block) => block.slot)).not.toContain(slot);
  });

  it('fills a reported gap late, by the hash in the chain, when a node has the block after all', async () => {
    const slot = 1_040;
    const faults = new WatchedFaults({}, { slot, fault: 'metaNull' });
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      nodes: [{ faults }],
    });
    chain.run(20);
    const exists = chain.canonical.some(({ block }) => block.slot === slot);
    expect(exists).toBe(true);
    const anchor = anchorAt(chain.canonical.findLast(({ block }) => block.slot < 1_030));
    const followed = await followUntil(
      chain,
      ({ reader }) => {
        if (reader.finalSlot > slot + 5) faults.heal();
        return reader.late > 0;
      },
      { anchor, tuning: { giveUpAfterMs: 300 } },
    );
    const { reader } = followed;
    expect(reader.missing.map(({ from, to }) => [from, to])).toEqual([[slot, slot]]);
    expect(reader.missing[0]?.reason).toContain('missing-meta');
    expect(reader.stillMissing).toEqual([]);
    const isThere = (at: number) => at > anchor.slot && at <= reader.finalSlot;
    expect(
      reader.blocks.filter((block) => isThere(block.slot)).map(({ blockhash }) => blockhash),
    ).toEqual(
      chain.canonical
        .filter(({ block }) => isThere(block.slot))
        .map(({ block }) => block.blockhash),
    );
  });

  it.each([
    ['HTTP 500', { httpErrors: { 500: 0.3, 503: 0.2 } }],
    ['HTTP 429', { httpErrors: { 429: 0.1 }, retryAfterSeconds: 0 }],
    ['silence', { stall: 0.1 }],
    ['slow answers', { delay: 0.5, delayMinMs: 20, delayMaxMs: 200 }],
    [
      'unhealthy nodes',
      { rpcErrors: { '-32005': 0.2, '-32014': 0.2, '-32016': 0.1, '-32603': 0.1 } },
    ],
  ])('loses nothing to %s (F-11)', async (_, settings) => {
    await using chain = await FollowedChain.start({
      market: { skipRate: 0.1 },
      nodes: [{ settings }],
    });
    chain.run(20);
    const tuning = { limits: { deadlineMs: 1_000, answerBytesMax: 2 ** 24 } };
    expectCanonical(chain, await followUntil(chain, finalFor(40), { tuning }));
  });

  it.each([
    ['metaNull', 'missing-meta'],
    ['innerInstructionsNull', 'missing-meta'],
    ['loadedAddressesMissing', 'missing-loaded-addresses'],
  ] as const)(
    'refuses blocks with %s, reports it, and fetches them from the second node (F-14)',
    async (fault, code) => {
      const nodes = [{ settings: { [fault]: 1 } }, {}];
      await using chain = await FollowedChain.start({ market: { tableShare: 1 }, nodes });
      chain.run(15);
      const followed = await followUntil(chain, finalFor(50));
      expectCanonical(chain, followed);
      expect(new Set(followed.problems.map((problem) => problem.code))).toEqual(new Set([code]));
      expect(followed.problems[0]?.position).toMatch(/^slot \d+$/);
    },
  );

  it('never advances past blocks refused for a newer version, and fetches them elsewhere (F-14)', async () => {
    const nodes = [{ settings: { rpcErrors: { '-32015': 1 } } }, {}];
    await using chain = await FollowedChain.start({ nodes });
    chain.run(15);
    const followed = await followUntil(chain, finalFor(50));
    expectCanonical(chain, followed);
    expect(followed.problems[0]).toMatchObject({ code: 'unsupported-version' });
  });

  it('yields no slot while the only node has no complete block: only problems (F-14)', async () => {
    await using chain = await FollowedChain.start({ nodes: [{ settings: { metaNull: 1 } }] });
    chain.run(15);
    const followed = await followUntil(chain, ({ problems }) => problems.length > 20);
    expect(followed.items.every(({ kind }) => kind === 'problem')).toBe(true);
  });

  it('shows no part of an address after its host: not in problems, status or reasons', async () => {
    const settings = { html: 0.1, metaNull: 0.1, httpErrors: { 500: 0.1 }, cut: 0.1 };
    await using chain = await FollowedChain.start({ nodes: [{ settings }] });
    chain.run(15);
    const [node] = chain.nodes;
    const secret = 'k3y-that-costs-money';
    const parsed = parseEndpoints(
      `http://user:${secret}@127.0.0.1:${node?.port}/v2/${secret}?api-key=${secret},http://127.0.0.1:1/${secret}`,
    );
    if (parsed.status === 'refused') throw new Error(parsed.message);
    const followed = await followUntil(chain, finalFor(30), { endpoints: parsed.endpoints });
    const shown = JSON.stringify([
      followed.items.filter(({ kind }) => kind !== 'block'),
      followed.source.status,
    ]);
    expect(shown).toContain('metaNull' in settings ? 'missing-meta' : '');
    expect(shown).toContain('connection');
    expect(shown).not.toContain(secret);
    expectCanonical(chain, followed);
  });

  it('stops with one sentence when the chain contradicts a final slot (F-09)', async () => {
    await using chain = await FollowedChain.start({ slots: 100 });
    const anchor = { slot: asSlot(chain.canonical[50]?.block.slot ?? 0), blockhash: 'another' };
    const followed = await followUntil(chain, () => false, { anchor });
    expect(followed.items.map(({ kind }) => kind)).toEqual(['problem']);
    expect(followed.problems[0]).toMatchObject({ code: 'deep-fork' });
    expect(followed.problems[0]?.message).toContain('a fork deeper than finality');
  });

  it('yields the same slots when requests and decoding run on the pool', async () => {
    const pool = new DecodePool(1);
    try {
      await using chain = await FollowedChain.start({ market: { transfersPerSlot: 20 } });
      chain.run(20);
      const followed = await followUntil(chain, finalFor(40), { fetcher: pool });
      expectCanonical(chain, followed);
      expect(followed.items.some(({ kind }) => kind === 'facts')).toBe(true);
    } finally {
      await pool.close();
    }
  });
});
