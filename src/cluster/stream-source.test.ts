import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockTrees, LogReader } from '../../tests/support/block-tree.ts';
import { IngesterLife, SharedLog } from '../../tests/support/ingester-lives.ts';
import { type BlockLink, type ChainPoint, keyOf } from '../chain/block-link.ts';
import type { SourceItem } from '../chain/source.ts';
import { monotonicClock } from '../lib/clock.ts';
import { MemoryStepLog } from './memory-step-log.ts';
import { encodeHead } from './step-head.ts';
import { bodyOf, type StepMessage } from './step-message.ts';
import { StreamSource } from './stream-source.ts';

const RUNS = Number(process.env.MINTSCOPE_PROPERTY_RUNS ?? 40);

/** Everything that a replica reads until the end of the log. */
async function read(log: MemoryStepLog, final: ChainPoint | null): Promise<SourceItem[]> {
  const ending = new AbortController();
  const { lastSeq } = await log.bounds();
  const source = new StreamSource({
    ...{ log, name: 'test', final, clock: monotonicClock, signal: ending.signal },
    onStep: (seq) => {
      if (seq === lastSeq) ending.abort();
    },
  });
  const items: SourceItem[] = [];
  const timer = setTimeout(() => ending.abort(), 5_000);
  for await (const item of source) {
    items.push(item);
    if (source.nextSeq > lastSeq) ending.abort();
  }
  clearTimeout(timer);
  return items;
}

async function logOf(shared: SharedLog): Promise<MemoryStepLog> {
  const log = new MemoryStepLog();
  for (const [seq, step] of shared.steps.entries()) {
    const head = shared.heads[seq];
    if (head === undefined) throw new Error('a step has no head');
    await log.append({ head: encodeHead(head), body: bodyOf(step) }, { seq, id: `${seq}` });
  }
  return log;
}

function blocksOf(items: readonly SourceItem[], anchor: ChainPoint): readonly BlockLink[] {
  const reader = new LogReader(anchor);
  for (const item of items) {
    if (item.kind === 'problem' || item.kind === 'block') throw new Error(JSON.stringify(item));
    reader.read([
      item.kind === 'facts' ? { kind: 'block', block: item.facts as unknown as BlockLink } : item,
    ]);
  }
  return reader.blocks;
}

/** A log without forks: a block and, three blocks later, its finality. */
async function plainLog(blocks: number): Promise<MemoryStepLog> {
  const shared = new SharedLog();
  const tree = fc.sample(blockTrees({ length: 1, forkSlotsMax: 0 }), 1)[0];
  if (tree === undefined) throw new Error('there is no tree');
  const chain: BlockLink[] = [];
  for (let slot = 1_001; slot <= 1_000 + blocks; slot++) {
    const parent = chain.at(-1) ?? tree.anchor;
    chain.push({
      slot: slot as BlockLink['slot'],
      blockhash: `main-${slot}`,
      parentSlot: parent.slot,
      previousBlockhash: parent.blockhash,
    });
  }
  const all = { ...tree, blocks: chain, canonical: chain };
  new IngesterLife(shared, all, Number.POSITIVE_INFINITY).live(chain);
  return logOf(shared);
}

const pointOf = (slot: number) => ({
  slot: slot as ChainPoint['slot'],
  blockhash: `main-${slot}`,
});

describe('a replica reading a shared log', () => {
  it('goes on after any final block with exactly the blocks that follow it', async () => {
    const trees = blockTrees({ length: 50, forkSlotsMax: 6 });
    const lives = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 3 });
    let positions = 0;
    await fc.assert(
      fc.asyncProperty(trees, lives, async (tree, stepsMax) => {
        const shared = new SharedLog();
        const sorted = [...tree.blocks].sort((one, other) => one.slot - other.slot);
        for (const max of stepsMax) new IngesterLife(shared, tree, max).live(sorted);
        new IngesterLife(shared, tree, Number.POSITIVE_INFINITY).live(sorted);
        const log = await logOf(shared);
        const canonical = tree.canonical.map(keyOf);
        expect(blocksOf(await read(log, null), tree.anchor).map(keyOf)).toEqual(canonical);
        const finals = new Map(
          shared.heads.flatMap(({ final }) => (final ? [[keyOf(final), final]] : [])),
        );
        for (const final of finals.values()) {
          const rest = blocksOf(await read(log, final), final).map(keyOf);
          expect(rest).toEqual(canonical.slice(canonical.indexOf(keyOf(final)) + 1));
          positions++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(positions).toBeGreaterThan(RUNS);
  });

  it('says that the log begins too late, and how to go on', async () => {
    const log = await plainLog(40);
    log.forgetBefore(41);
    const [item, ...rest] = await read(log, pointOf(1_002));
    expect(rest).toEqual([]);
    expect(item).toMatchObject({ kind: 'problem', problem: { code: 'log-truncated' } });
    const message = item?.kind === 'problem' ? item.problem.message : '';
    const [, after] =
      /begins after slot (\d+), and this replica needs it from slot 1003 on/.exec(message) ?? [];
    expect(Number(after)).toBeGreaterThan(1_002);
    expect(message).toMatch(/mintscope restore/);
  });

  it('does not begin in the middle of the log with an empty folder', async () => {
    const log = await plainLog(40);
    log.forgetBefore(2);
    expect(await read(log, null)).toMatchObject([
      { kind: 'problem', problem: { code: 'log-truncated' } },
    ]);
  });

  it('notices that its folder has another block, or is ahead of the log', async () => {
    const log = await plainLog(40);
    const other = { ...pointOf(1_005), blockhash: 'other' };
    const ahead = pointOf(2_000);
    for (const [point, words] of [
      [other, /has block main-1005 as slot 1005, the data folder other/],
      [ahead, /ends at slot 2000, which the stream test has not reached/],
    ] as const) {
      const [item] = await read(log, point);
      expect(item?.kind === 'problem' ? item.problem.message : '').toMatch(words);
    }
  });

  it('leaves out what is no step, and stops at a step that it cannot read', async () => {
    const add = async (log: MemoryStepLog, message: StepMessage) => {
      const { lastSeq } = await log.bounds();
      await log.append(message, { seq: lastSeq, id: 'added' });
    };
    const foreign = await plainLog(5);
    await add(foreign, { head: null, body: Buffer.from('hello') });
    expect((await read(foreign, null)).at(-1)).toMatchObject({
      problem: { code: 'foreign-message' },
    });
    for (const head of ['{', '{"version":99}', 'x'.repeat(100_000)]) {
      const log = await plainLog(5);
      await add(log, { head, body: Buffer.from('hello') });
      await add(log, { head: null, body: Buffer.from('after') });
      expect((await read(log, null)).at(-1)).toMatchObject({ problem: { code: 'log-unreadable' } });
    }
  });
});
