import { beforeAll, describe, expect, it } from 'vitest';
import {
  expectCanonical,
  type Followed,
  FollowedChain,
  finalFor,
  followUntil,
  QUICK,
  type ServedNode,
} from '../../../../tests/support/followed-chain.ts';
import type { SlotFacts } from '../../../model/slot-facts.ts';
import { BLOCK_READING } from '../../threads/block-testimony.ts';
import { DecodePool } from '../../threads/decode-pool.ts';

/** Time-outs are long, so a busy machine causes no failures. */
const PATIENT = { limits: { ...QUICK.limits, deadlineMs: 20_000 }, compareWithinMs: 40_000 };
const comparison = { mode: 'all', reading: BLOCK_READING } as const;

/**
 * Changes the first digit of some token balances in transit: the body parses, and its content is
 * wrong.
 */
function flipDigits(node: ServedNode | undefined, every: number): { count: number } {
  const flips = { count: 0, seen: 0 };
  node?.proxy.garble((bytes) => {
    const text = bytes.toString('latin1');
    const changed = text.replace(/("amount":")(\d)/g, (all, head: string, digit: string) => {
      if (++flips.seen % every !== 0) return all;
      flips.count++;
      return `${head}${digit === '9' ? 8 : Number(digit) + 1}`;
    });
    return Buffer.from(changed, 'latin1');
  });
  return flips;
}

/** The final part of the log, as digests by slot, after all reverts. */
function finalDigests({ items, reader }: Followed): Map<number, string> {
  const digests = new Map<number, string>();
  for (const item of items) {
    if (item.kind === 'undo') {
      for (const slot of digests.keys()) if (slot > item.toSlot) digests.delete(slot);
    }
    if (item.kind !== 'block' && item.kind !== 'facts') continue;
    const { slot } = item.kind === 'block' ? item.block : (item.facts as SlotFacts);
    digests.set(slot, BLOCK_READING.digestOf(item));
  }
  return new Map([...digests].filter(([slot]) => slot <= reader.finalSlot));
}

/** The same for an undisturbed source, shared by all tests. */
let calm: Map<number, string>;
beforeAll(async () => {
  await using chain = await FollowedChain.start({ market: MARKET, slots: 60 });
  chain.run(5);
  const upTo = 1_000 + 260;
  calm = finalDigests(await followUntil(chain, ({ reader }) => reader.finalSlot >= upTo));
});

const MARKET = { skipRate: 0.1 };

/** From the first slot that both contain. */
function expectSame(found: Map<number, string>): void {
  const first = Math.max(Math.min(...found.keys()), Math.min(...calm.keys()));
  const last = Math.min(Math.max(...found.keys()), Math.max(...calm.keys()));
  const expected = [...calm].filter(([slot]) => slot >= first && slot <= last);
  expect(expected.length).toBeGreaterThan(40);
  const comparable = [...found].filter(([slot]) => slot >= first && slot <= last);
  expect(comparable.sort(([one], [other]) => one - other)).toEqual(expected);
}

describe('blocks on which nodes disagree (H-08)', () => {
  it('detects every block with digits changed in transit, and ends with those of an undisturbed run', async () => {
    await using chain = await FollowedChain.start({ market: MARKET, nodes: [{}, {}] });
    chain.run(15);
    const flips = flipDigits(chain.nodes[0], 80);
    const followed = await followUntil(chain, finalFor(80), { comparison, tuning: PATIENT });
    expect(flips.count).toBeGreaterThan(3);
    expectCanonical(chain, followed);
    expectSame(finalDigests(followed));
    const { status } = followed.source;
    expect(status?.comparison).toMatchObject({ undecided: 0, unverified: 0 });
    expect(status?.nodes.map(({ refutedBlocks }) => refutedBlocks > 0)).toEqual([true, false]);
    expect(status?.nodes[0]?.state).toBe('refuted');
    expect(followed.problems.map(({ code }) => code)).toContain('contradicted-block');
  });

  it('repeated lies are detected by balances that contradict themselves', async () => {
    await using chain = await FollowedChain.start({ market: MARKET, nodes: [{}, {}] });
    chain.run(15);
    flipDigits(chain.nodes[0], 1);
    const notices: string[] = [];
    const isEnough = finalFor(60);
    const followed = await followUntil(
      chain,
      // What could not be decided at first is filled once the liar is known.
      (now) => isEnough(now) && now.reader.stillMissing.length === 0,
      { comparison, tuning: PATIENT, onNotice: (sentence) => notices.push(sentence) },
    );
    expect(followed.source.status?.comparison?.corrected).toBeGreaterThan(0);
    expectSame(finalDigests(followed));
    const [liar, other] = followed.source.status?.nodes ?? [];
    expect(liar?.state).toBe('refuted');
    expect(other).toMatchObject({ state: 'well', refutedBlocks: 0 });
    expect(notices.filter((sentence) => sentence.includes('wrong contents'))).toHaveLength(1);
  });

  it('accepts two of three', async () => {
    await using chain = await FollowedChain.start({ market: MARKET, nodes: [{}, {}, {}] });
    chain.run(15);
    flipDigits(chain.nodes[1], 1);
    const followed = await followUntil(chain, finalFor(60), { comparison, tuning: PATIENT });
    expectCanonical(chain, followed);
    expectSame(finalDigests(followed));
    expect(followed.source.status?.nodes.map(({ state }) => state)).toEqual([
      'well',
      'refuted',
      'well',
    ]);
  });

  it('reads and compares on threads with the same result', async () => {
    await using chain = await FollowedChain.start({
      market: { ...MARKET, transfersPerSlot: 40 },
      nodes: [{}, {}],
    });
    chain.run(20);
    const flips = flipDigits(chain.nodes[0], 400);
    const fetcher = new DecodePool(1);
    try {
      const followed = await followUntil(chain, finalFor(60), {
        comparison,
        fetcher,
        tuning: PATIENT,
      });
      expectCanonical(chain, followed);
      expect(flips.count).toBeGreaterThan(3);
      expect(followed.items.some(({ kind }) => kind === 'facts')).toBe(true);
      const { status } = followed.source;
      expect(status?.comparison).toMatchObject({ undecided: 0, unverified: 0 });
      expect(status?.nodes[1]?.refutedBlocks).toBe(0);
    } finally {
      await fetcher.close();
    }
  });

  it('reports blocks of a single node as unverified, and waits for no other', async () => {
    await using chain = await FollowedChain.start({ market: MARKET });
    chain.run(15);
    const followed = await followUntil(chain, finalFor(40), { comparison, tuning: PATIENT });
    expectCanonical(chain, followed);
    const { comparison: compared } = followed.source.status ?? {};
    expect(compared).toMatchObject({ agreed: 0, corrected: 0, undecided: 0, waiting: 0 });
    expect(compared?.unverified).toBeGreaterThan(40);
  });

  it('continues without a second node that has fallen silent', async () => {
    await using chain = await FollowedChain.start({ market: MARKET, nodes: [{}, {}] });
    chain.run(15);
    chain.nodes[1]?.proxy.stall();
    const tuning = { limits: { ...QUICK.limits, deadlineMs: 300 }, compareWithinMs: 1_000 };
    const followed = await followUntil(chain, finalFor(50), { comparison, tuning });
    expectCanonical(chain, followed);
    expect(followed.source.status?.comparison?.unverified).toBeGreaterThan(10);
  });
});
