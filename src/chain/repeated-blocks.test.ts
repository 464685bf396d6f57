import { describe, expect, it } from 'vitest';
import { blockAfter, LogReader } from '../../tests/support/block-tree.ts';
import { asSlot } from '../model/units.ts';
import { type BlockLink, isSamePoint } from './block-link.ts';
import { Continuity } from './continuity.ts';
import { confirmedPlus } from './finality.ts';
import type { LogStep } from './log-step.ts';

interface BlockWithContent extends BlockLink {
  readonly content: string;
}

const ANCHOR = { slot: asSlot(100), blockhash: 'anchor' };

/** A chain with one block per slot. */
function chainOf(length: number): BlockWithContent[] {
  const blocks: BlockWithContent[] = [];
  for (let index = 0; index < length; index++) {
    const link = blockAfter(blocks.at(-1) ?? ANCHOR, 101 + index, 'main');
    blocks.push({ ...link, content: 'first' });
  }
  return blocks;
}

function logOf(blocks: readonly BlockWithContent[], open: Set<number> = new Set()) {
  const log = new Continuity<BlockWithContent>({
    anchor: ANCHOR,
    finality: confirmedPlus(10),
    keepsBlocks: true,
    holdsPending: ({ slot }) => open.has(slot),
  });
  const reader = new LogReader(ANCHOR);
  const contents = new Map<number, string>();
  const read = (steps: readonly LogStep<BlockWithContent>[]) => {
    reader.read(steps);
    for (const step of steps)
      if (step.kind === 'block') contents.set(step.block.slot, step.block.content);
  };
  for (const block of blocks) read(log.accept(block).steps);
  return { log, reader, contents, read };
}

describe('replaced and disputed blocks', () => {
  it('replaces one in the middle and emits what follows it again', () => {
    const blocks = chainOf(8);
    const { log, reader, contents, read } = logOf(blocks);
    const wrong = blocks[3] as BlockWithContent;
    read(log.replace({ ...wrong, content: 'corrected' }));
    expect(reader.undos).toBe(1);
    expect(reader.blocks.map(({ slot }) => slot)).toEqual(blocks.map(({ slot }) => slot));
    expect(contents.get(wrong.slot)).toBe('corrected');
    expect(log.wanted()).toEqual([]);
  });

  it('replaces a pending block before it is emitted', () => {
    const [first, second, third] = chainOf(3) as [
      BlockWithContent,
      BlockWithContent,
      BlockWithContent,
    ];
    const { log, contents, read } = logOf([first, third]);
    read(log.replace({ ...third, content: 'corrected' }));
    read(log.accept(second).steps);
    expect(contents.get(third.slot)).toBe('corrected');
  });

  it('reports an undecidable block as missing, keeps what follows it, and accepts it late', () => {
    const blocks = chainOf(30);
    const { log, reader, read } = logOf(blocks.slice(0, 8));
    const unknown = blocks[5] as BlockWithContent;
    read(log.dispute(unknown, 'reported differently'));
    expect(reader.missing).toMatchObject([{ from: unknown.slot, to: unknown.slot }]);
    expect(reader.blocks.map(({ slot }) => slot)).toEqual([101, 102, 103, 104, 105, 107, 108]);
    for (const block of blocks.slice(8)) read(log.accept(block).steps);
    expect(log.wantedLate()).toMatchObject([{ slot: unknown.slot }]);
    read(log.accept(unknown).steps);
    expect(reader.stillMissing).toEqual([]);
  });

  it('leaves the log unchanged for a block of a losing branch', () => {
    const { log, read, reader } = logOf(chainOf(5));
    const twin = { ...blockAfter(ANCHOR, 103, 'twin'), content: 'twin' };
    read(log.replace(twin));
    read(log.dispute(twin, 'reported differently'));
    expect(reader.undos).toBe(0);
    expect(reader.blocks.some((block) => isSamePoint(block, twin))).toBe(false);
  });

  it('makes nothing final from a block under verification on, and everything once it is verified', () => {
    const open = new Set([104]);
    const { log, reader, read } = logOf(chainOf(30), open);
    expect(reader.finalSlot).toBe(103);
    open.clear();
    read(log.recheck());
    expect(reader.finalSlot).toBe(120);
  });
});
