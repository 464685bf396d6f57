import { describe, expect, it } from 'vitest';
import {
  type ChainOptions,
  FollowedChain,
  QUICK,
  WatchedFaults,
} from '../../../tests/support/followed-chain.ts';
import { asSlot } from '../../model/units.ts';
import type { SourceItem } from '../source.ts';
import { DecodePool } from '../threads/decode-pool.ts';
import { parseEndpoints } from './nodes/endpoint.ts';
import { createRangeSource, type RangeSource, type RangeSourceOptions } from './range-source.ts';

interface Fetched {
  readonly source: RangeSource;
  readonly items: readonly SourceItem[];
  /** What was reported for each slot. */
  readonly said: ReadonlyMap<number, string>;
}

/**
 * Fetches a range of slots and records what is reported for each; no slot may be reported twice.
 */
async function fetchRange(
  chain: FollowedChain,
  from: number,
  to: number,
  options: Partial<RangeSourceOptions> = {},
): Promise<Fetched> {
  const source = createRangeSource({
    endpoints: chain.endpoints,
    runs: [{ from: asSlot(from), to: asSlot(to) }],
    ...options,
    tuning: { ...QUICK, ...options.tuning },
  });
  const items: SourceItem[] = [];
  const said = new Map<number, string>();
  const say = (slot: number, words: string) => {
    if (said.has(slot)) throw new Error(`slot ${slot}: ${said.get(slot)}, then ${words}`);
    said.set(slot, words);
  };
  for await (const item of source) {
    items.push(item);
    if (item.kind === 'block' || item.kind === 'facts') {
      const { slot, blockhash } = item.kind === 'block' ? item.block : item.facts;
      say(slot, String(blockhash));
    } else if (item.kind === 'skipped' || item.kind === 'missing') {
      for (let slot: number = item.from; slot <= item.to; slot++) say(slot, item.kind);
    } else throw new Error(`a range yields no ${item.kind}`);
  }
  return { source, items, said };
}

/** What the simulator's own chain has in each slot. */
function truth(chain: FollowedChain, from: number, to: number): Map<number, string> {
  const blocks = new Map(chain.canonical.map(({ block }) => [block.slot, block.blockhash]));
  const slots = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return new Map(slots.map((slot) => [slot, blocks.get(slot) ?? 'skipped']));
}

/** What was reported for the slots of the range; proofs may reach beyond it. */
function within({ said }: Fetched, from: number, to: number): Map<number, string> {
  const inside = [...said].filter(([slot]) => slot >= from && slot <= to);
  return new Map(inside.sort(([one], [other]) => one - other));
}

async function wholeRange(options: ChainOptions, from = 1_010, to = 1_090): Promise<FollowedChain> {
  const chain = await FollowedChain.start({ slots: 160, ...options });
  const fetched = await fetchRange(chain, from, to);
  expect(within(fetched, from, to)).toEqual(truth(chain, from, to));
  expect(fetched.source.stopReason).toBeNull();
  return chain;
}

describe.concurrent('fetching a range through RPC nodes', () => {
  it('returns every block of the chain and proves every slot without one', async () => {
    await using chain = await wholeRange({ market: { skipRate: 0.2, forkRate: 0.1 } });
    expect([...truth(chain, 1_010, 1_090).values()]).toContain('skipped');
  });

  it.each([
    ['lists with holes', { listHoles: 0.4 }],
    ['lists that are nearly empty', { listHoles: 0.97 }],
    ['web pages', { html: 0.3 }],
    ['half answers', { truncatedJson: 0.3 }],
    ['cut connections', { cut: 0.3 }],
    ['wrong types', { wrongTypes: 0.3 }],
    ['refusals', { httpErrors: { 429: 0.2, 503: 0.2 }, retryAfterSeconds: 0 }],
    ['blocks with things left out', { metaNull: 0.3 }],
  ])('works without an honest node: %s give the same result', async (_, settings) => {
    await using _chain = await wholeRange({ market: { skipRate: 0.15 }, nodes: [{ settings }] });
  });

  it('decodes on threads to the same slots', async () => {
    await using chain = await FollowedChain.start({
      slots: 120,
      market: { transfersPerSlot: 40 },
    });
    const fetcher = new DecodePool(1);
    try {
      const fetched = await fetchRange(chain, 1_010, 1_060, { fetcher });
      expect(within(fetched, 1_010, 1_060)).toEqual(truth(chain, 1_010, 1_060));
      expect(fetched.items.some(({ kind }) => kind === 'facts')).toBe(true);
    } finally {
      await fetcher.close();
    }
  });

  it('reports what every node has pruned as missing, up to the first available block', async () => {
    await using chain = await FollowedChain.start({
      slots: 160,
      nodes: [{ options: { windowSlots: 90 } }, { options: { windowSlots: 80 } }],
    });
    const fetched = await fetchRange(chain, 1_010, 1_120);
    const missing = fetched.items.filter((item) => item.kind === 'missing');
    expect(missing).toHaveLength(1);
    expect(missing[0]?.from).toBe(1_010);
    expect(missing[0]?.reason).toContain('rpc -32001');
    const first = (missing[0]?.to ?? 0) + 1;
    expect(within(fetched, first, 1_120)).toEqual(truth(chain, first, 1_120));
    expect(first).toBeLessThan(1_100);
  });

  it('takes from the second node what the first has pruned', async () => {
    const nodes = [{ options: { windowSlots: 60 } }, {}];
    await using _chain = await wholeRange({ nodes });
  });

  it('reports one unavailable block as missing and continues after it', async () => {
    const faults = new WatchedFaults({}, { slot: 1_050, fault: 'metaNull' });
    await using chain = await FollowedChain.start({
      slots: 160,
      market: { skipRate: 0 },
      nodes: [{ faults }],
    });
    const tuning = { giveUpAfterMs: 100 };
    const fetched = await fetchRange(chain, 1_010, 1_090, { tuning });
    const expected = truth(chain, 1_010, 1_090).set(1_050, 'missing');
    expect(within(fetched, 1_010, 1_090)).toEqual(expected);
  });

  it('leaves out slots that are not final, and says from where', async () => {
    await using chain = await FollowedChain.start({ slots: 100, market: { skipRate: 0 } });
    // 31 slots behind the newest block.
    const finalSlot = (chain.canonical.at(-1)?.block.slot ?? 0) - 31;
    const fetched = await fetchRange(chain, 1_010, 9_999);
    expect(fetched.source.finalSlot).toBe(finalSlot);
    expect(within(fetched, 1_010, 9_999)).toEqual(truth(chain, 1_010, finalSlot));
  });

  it('requests only the runs', async () => {
    await using chain = await FollowedChain.start({ slots: 120, market: { skipRate: 0 } });
    const runs = [
      { from: asSlot(1_010), to: asSlot(1_012) },
      { from: asSlot(1_040), to: asSlot(1_040) },
    ];
    const { items } = await fetchRange(chain, 0, 0, { runs });
    const slots = items.map((item) => (item.kind === 'block' ? item.block.slot : item.kind));
    expect(slots).toEqual([1_010, 1_011, 1_012, 1_040]);
  });

  it('respects the rate limit of a node under any load', async () => {
    const faults = new WatchedFaults();
    await using chain = await FollowedChain.start({ slots: 140, nodes: [{ faults }] });
    const sinceMs = performance.now();
    await fetchRange(chain, 1_010, 1_090, { tuning: { requestsPerSecond: 40 } });
    expect(faults.arrivalsMs.length).toBeGreaterThan(60);
    expect(faults.mostAbove(40, sinceMs)).toBeLessThanOrEqual(40);
  });

  it('stops with a reason where no node answers', async () => {
    const parsed = parseEndpoints('http://127.0.0.1:9/');
    const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
    const source = createRangeSource({
      endpoints,
      runs: [{ from: asSlot(1), to: asSlot(2) }],
      tuning: { ...QUICK, outageGiveUpAfterMs: 300 },
    });
    for await (const item of source) throw new Error(`nothing can be known: ${item.kind}`);
    expect(source.stopReason).toMatch(/^No RPC node reports the final slot: /);
  });

  it('stops with a reason, reporting nothing missing, when nodes fall silent midway', async () => {
    await using chain = await FollowedChain.start({ slots: 160, nodes: [{ settings: {} }] });
    const source = createRangeSource({
      endpoints: chain.endpoints,
      runs: [{ from: asSlot(1_010), to: asSlot(1_090) }],
      tuning: { ...QUICK, concurrencyMax: 2, outageGiveUpAfterMs: 300 },
    });
    const kinds: string[] = [];
    for await (const { kind } of source) {
      kinds.push(kind);
      if (kinds.length === 10) chain.nodes[0]?.node.faults.change({ html: 1 });
    }
    expect(source.stopReason).toMatch(/^No RPC node answers any more: /);
    expect(kinds).not.toContain('missing');
  });
});
