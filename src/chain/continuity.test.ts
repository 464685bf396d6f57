import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BlockTree,
  blockAfter,
  blockTrees,
  LogReader,
} from '../../tests/support/block-tree.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { type BlockLink, keyOf } from './block-link.ts';
import { Continuity } from './continuity.ts';
import { confirmedPlus, networkFinality } from './finality.ts';

const LAG = 32;
const RUNS = Number(process.env.MINTSCOPE_PROPERTY_RUNS ?? 60);

/** A tree and the order in which its blocks arrive, some of them twice. */
function deliveries(shape: { length: number; forkSlotsMax: number }) {
  return blockTrees(shape).chain((tree) =>
    fc.tuple(
      fc.constant(tree),
      fc
        .tuple(
          fc.shuffledSubarray([...tree.blocks], { minLength: tree.blocks.length }),
          fc.subarray([...tree.blocks]),
          fc.boolean(),
        )
        .map(([shuffled, again, isNearOrder]) => {
          const all = [...shuffled, ...again];
          return isNearOrder ? all.sort((one, other) => one.slot - other.slot) : all;
        }),
    ),
  );
}

function machineFor(tree: BlockTree, pendingBlocksMax = 1_000) {
  const machine = new Continuity<BlockLink>({
    anchor: tree.anchor,
    finality: confirmedPlus(LAG),
    pendingBlocksMax,
  });
  return { machine, reader: new LogReader(tree.anchor) };
}

/**
 * Supplies the wanted blocks until none is wanted, as a source does; unavailable ones are given up.
 */
function satisfy(
  machine: Continuity<BlockLink>,
  reader: LogReader,
  blocks: readonly BlockLink[],
  lost: ReadonlySet<string> = new Set(),
): void {
  const byKey = new Map(blocks.map((block) => [keyOf(block), block]));
  for (let round = 0; round < 10_000; round++) {
    const [point] = machine.wanted();
    if (point === undefined) return;
    const block = lost.has(keyOf(point)) ? undefined : byKey.get(keyOf(point));
    if (block === undefined) reader.read(machine.abandon(point, 'nobody has it'));
    else reader.read(machine.accept(block).steps);
  }
  throw new Error('something is wanted for ever');
}

/** Offers all blocks repeatedly: only the next missing block of a gap can be taken. */
function offerLate(
  machine: Continuity<BlockLink>,
  reader: LogReader,
  blocks: readonly BlockLink[],
): void {
  for (let round = 0; round <= blocks.length; round++) {
    for (const block of blocks) {
      if (block.slot <= reader.finalSlot) reader.read(machine.accept(block).steps);
    }
  }
}

function isWithin(finalSlot: number) {
  return ({ slot }: { readonly slot: Slot }) => slot <= finalSlot;
}

function slotsBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

describe('continuity', () => {
  it('ends on the branch of the highest slot in any order of arrival, and never reverts a final slot', () => {
    let undos = 0;
    fc.assert(
      fc.property(deliveries({ length: 80, forkSlotsMax: LAG - 1 }), ([tree, order]) => {
        const { machine, reader } = machineFor(tree);
        for (const block of order) reader.read(machine.accept(block).steps);
        // A reverted block is requested again when its branch wins after all.
        satisfy(machine, reader, tree.blocks);
        expect(reader.blocks).toEqual(tree.canonical);
        expect(machine.stopReason).toBeNull();
        expect(machine.wanted()).toEqual([]);
        expect(reader.missing).toEqual([]);
        undos += reader.undos;
      }),
      { numRuns: RUNS },
    );
    expect(undos).toBeGreaterThan(RUNS);
  });

  it('reports as skipped exactly the slots up to the final one without a block on the winning branch', () => {
    fc.assert(
      fc.property(deliveries({ length: 80, forkSlotsMax: LAG - 1 }), ([tree, order]) => {
        const { machine, reader } = machineFor(tree);
        for (const block of order) reader.read(machine.accept(block).steps);
        // A reverted block is requested again when its branch wins after all.
        satisfy(machine, reader, tree.blocks);
        const existing = new Set<number>(tree.canonical.map(({ slot }) => slot));
        const expected = slotsBetween(tree.anchor.slot + 1, reader.finalSlot).filter(
          (slot) => !existing.has(slot),
        );
        expect([...reader.skipped].sort((one, other) => one - other)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('reaches the same state with a small bound on pending blocks, and respects the bound', () => {
    fc.assert(
      fc.property(deliveries({ length: 160, forkSlotsMax: LAG - 1 }), ([tree, order]) => {
        const { machine, reader } = machineFor(tree, 40);
        for (const block of order) {
          reader.read(machine.accept(block).steps);
          expect(machine.pendingBlocks).toBeLessThanOrEqual(40);
          expect(machine.tailLength).toBeLessThanOrEqual(LAG + 1);
        }
        // A refused block is offered again, because lists name what lies beyond the newest block.
        for (let round = 0; round < 5; round++) {
          for (const block of tree.canonical) reader.read(machine.accept(block).steps);
          satisfy(machine, reader, tree.blocks);
        }
        expect(reader.blocks).toEqual(tree.canonical);
      }),
      { numRuns: RUNS },
    );
  });

  it('reports every unavailable block as missing, takes all others, and reports none of either as skipped', () => {
    const lostOf = (tree: BlockTree) =>
      fc.subarray(tree.canonical.slice(0, -1)).map((blocks) => new Set(blocks.map(keyOf)));
    const cases = deliveries({ length: 60, forkSlotsMax: 0 }).chain(([tree, order]) =>
      fc.tuple(fc.constant(tree), fc.constant(order), lostOf(tree)),
    );
    fc.assert(
      fc.property(cases, ([tree, order, lost]) => {
        const { machine, reader } = machineFor(tree);
        const isLost = (block: BlockLink) => lost.has(keyOf(block));
        // Blocks of losing branches are left out: behind a gap they cannot be identified.
        const available = order.filter((block) => tree.canonical.includes(block) && !isLost(block));
        for (const block of available) reader.read(machine.accept(block).steps);
        satisfy(machine, reader, tree.canonical, lost);
        expect(reader.blocks).toEqual(tree.canonical.filter((block) => !isLost(block)));
        const named = new Set(reader.missing.flatMap(({ from, to }) => slotsBetween(from, to)));
        for (const { slot } of tree.canonical.filter(isLost)) expect(named).toContain(slot);
        for (const { slot } of tree.canonical) expect(reader.skipped).not.toContain(slot);
        for (const { slot } of reader.blocks) expect(named).not.toContain(slot);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([0, LAG - 1])(
    'fills gaps from above with late blocks in any order, until none is missing and no block of a losing branch of up to %i slots is left',
    (forkSlotsMax) => {
      const cases = blockTrees({ length: 100, forkSlotsMax }).chain((tree) =>
        fc.tuple(fc.constant(tree), fc.subarray(tree.canonical.slice(0, -LAG)), fc.integer()),
      );
      let late = 0;
      let drops = 0;
      fc.assert(
        fc.property(cases, ([tree, lost, salt]) => {
          const { machine, reader } = machineFor(tree);
          const lostKeys = new Set(lost.map(keyOf));
          for (const block of tree.blocks.toSorted((one, other) => one.slot - other.slot)) {
            if (!lostKeys.has(keyOf(block))) reader.read(machine.accept(block).steps);
            satisfy(machine, reader, tree.blocks, lostKeys);
          }
          offerLate(
            machine,
            reader,
            tree.blocks.toSorted(
              (one, other) => ((one.slot * salt) % 7) - ((other.slot * salt) % 7),
            ),
          );
          const isFinal = ({ slot }: BlockLink) => slot <= reader.finalSlot;
          expect(machine.stopReason).toBeNull();
          expect(reader.blocks.filter(isFinal)).toEqual(tree.canonical.filter(isFinal));
          expect(reader.stillMissing.filter((slot) => slot <= reader.finalSlot)).toEqual([]);
          const canonicalSlots = new Set<number>(tree.canonical.map(({ slot }) => slot));
          for (const slot of reader.skipped) expect(canonicalSlots).not.toContain(slot);
          expect(machine.wantedLate().filter(isWithin(reader.finalSlot))).toEqual([]);
          late += reader.late;
          drops += reader.drops;
        }),
        { numRuns: RUNS },
      );
      expect(late).toBeGreaterThan(RUNS);
      if (forkSlotsMax > 0) expect(drops).toBeGreaterThan(RUNS / 4);
    },
  );

  it('refuses a late block whose hash the chain does not name', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({
      anchor,
      finality: confirmedPlus(LAG),
      gaps: [
        {
          from: asSlot(90),
          below: [{ slot: asSlot(89), blockhash: 'b' }],
          expected: { slot: asSlot(95), blockhash: 'c' },
        },
      ],
    });
    expect(machine.wantedLate()).toEqual([{ slot: 95, blockhash: 'c' }]);
    const below = { slot: asSlot(89), blockhash: 'b' };
    expect(machine.accept({ ...blockAfter(below, 95, 'x') }).verdict).toBe('late');
    const right = { ...blockAfter(below, 95, 'x'), blockhash: 'c' };
    expect(machine.accept(right).steps).toEqual([
      { kind: 'block', block: right },
      { kind: 'skipped', from: 90, to: 94 },
    ]);
    expect(machine.wantedLate()).toEqual([]);
  });

  it.each(slotsBetween(1, 31))('takes back a dropped branch of %i slots', (depth) => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const reader = new LogReader(anchor);
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const root = blockAfter(anchor, 101, 'main');
    reader.read(machine.accept(root).steps);
    let parent = root;
    for (let slot = 102; slot < 102 + depth; slot++) {
      parent = blockAfter(parent, slot, 'fork');
      reader.read(machine.accept(parent).steps);
    }
    expect(reader.blocks).toHaveLength(1 + depth);
    const winner = blockAfter(root, 102 + depth, 'main');
    const { steps } = machine.accept(winner);
    expect(steps[0]).toEqual({ kind: 'undo', toSlot: 101, toBlockhash: 'main-101' });
    reader.read(steps);
    expect(reader.blocks).toEqual([root, winner]);
  });

  it('stops with a reason when a chain grows that contradicts a final block, but not for a few such blocks', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    let parent: { slot: Slot; blockhash: string } = anchor;
    for (let slot = 101; slot <= 140; slot++) {
      const block = blockAfter(parent, slot, 'main');
      machine.accept(block);
      parent = block;
    }
    expect(machine.finalSlot).toBe(108);
    let other = blockAfter({ slot: asSlot(105), blockhash: 'main-105' }, 141, 'other');
    for (let slot = 142; slot <= 147; slot++) {
      expect(machine.accept(other).steps).toEqual([]);
      other = blockAfter(other, slot, 'other');
    }
    machine.accept(other);
    expect(machine.stopReason).toBeNull();
    // The log continues on its own branch all the while.
    expect(machine.accept(blockAfter(parent, 148, 'main')).steps).not.toEqual([]);
    for (let slot = 148; slot <= 149; slot++) {
      other = blockAfter(other, slot, 'other');
      machine.accept(other);
    }
    expect(machine.stopReason).toContain('a fork deeper than finality');
    expect(machine.stopReason).toContain('leaves the log before slot 116');
    expect(machine.accept(blockAfter(other, 200, 'other'))).toEqual({
      verdict: 'no-room',
      steps: [],
    });
  });

  it('replaces a twin when the next block names the other one, which is requested by slot and hash', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const twin = blockAfter(anchor, 101, 'twin');
    const real = blockAfter(anchor, 101, 'real');
    const child = blockAfter(real, 102, 'main');
    machine.accept(twin);
    expect(machine.accept(child).steps).toEqual([]);
    expect(machine.wanted()).toEqual([{ slot: 101, blockhash: 'real-101' }]);
    expect(machine.accept(real).steps).toEqual([
      { kind: 'undo', toSlot: 100, toBlockhash: 'anchor' },
      { kind: 'block', block: real },
      { kind: 'block', block: child },
    ]);
  });

  it('reverts to the parent of a late block while its slot is not final, and keeps what followed it', () => {
    const anchor = { slot: asSlot(97), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const lost = blockAfter(anchor, 102, 'main');
    const first = blockAfter(lost, 103, 'main');
    const second = blockAfter(first, 105, 'main');
    const dropped = blockAfter(anchor, 99, 'fork');
    for (const block of [dropped, blockAfter(dropped, 100, 'fork'), first]) machine.accept(block);
    machine.abandon(lost, 'every node denies it');
    machine.accept(second);
    expect(machine.wantedLate()).toEqual([{ slot: 102, blockhash: 'main-102' }]);
    const reader = new LogReader(anchor);
    const { steps } = machine.accept(lost);
    expect(steps.filter(({ kind }) => kind === 'undo').at(-1)).toEqual({
      kind: 'undo',
      toSlot: 97,
      toBlockhash: 'anchor',
    });
    reader.read(steps.filter(({ kind }) => kind === 'block'));
    expect(reader.blocks).toEqual([lost, first, second]);
    expect(machine.wantedLate()).toEqual([]);
  });

  it('waits for the parent of such a block as for any other, and reports it missing when unavailable', () => {
    const anchor = { slot: asSlot(97), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const reader = new LogReader(anchor);
    const parent = blockAfter(anchor, 98, 'main');
    const lost = blockAfter(parent, 102, 'main');
    const first = blockAfter(lost, 103, 'main');
    reader.read(machine.accept(blockAfter(anchor, 100, 'fork')).steps);
    reader.read(machine.accept(first).steps);
    reader.read(machine.abandon(lost, 'every node denies it'));
    reader.read(machine.accept(lost).steps);
    expect(machine.wanted()).toEqual([{ slot: 98, blockhash: 'main-98' }]);
    reader.read(machine.abandon(parent, 'every node denies it'));
    expect(reader.blocks).toEqual([lost, first]);
    expect(reader.missing).toEqual([
      { kind: 'missing', from: 98, to: 98, reason: 'every node denies it' },
    ]);
  });

  it('switches directly to the highest of several possible branches', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const root = blockAfter(anchor, 101, 'main');
    const low = blockAfter(root, 102, 'low');
    const high = blockAfter(root, 103, 'high');
    expect([low, high].flatMap((block) => machine.accept(block).steps)).toEqual([]);
    expect(machine.accept(root).steps).toEqual([
      { kind: 'block', block: root },
      { kind: 'block', block: high },
    ]);
  });

  it('proves nothing by a late block whose parent is not the block before the gap', () => {
    const machine = new Continuity<BlockLink>({
      anchor: { slot: asSlot(100), blockhash: 'anchor' },
      finality: confirmedPlus(LAG),
      gaps: [
        {
          from: asSlot(90),
          below: [{ slot: asSlot(89), blockhash: 'b' }],
          expected: { slot: asSlot(95), blockhash: 'c' },
        },
      ],
    });
    const strange = {
      ...blockAfter({ slot: asSlot(89), blockhash: 'other' }, 95, 'x'),
      blockhash: 'c',
    };
    expect(machine.accept(strange).steps).toEqual([{ kind: 'block', block: strange }]);
  });

  it('reverts a twin that is known to be wrong even when the correct block is unavailable', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    machine.accept(blockAfter(anchor, 101, 'twin'));
    const child = blockAfter({ slot: asSlot(101), blockhash: 'real-101' }, 103, 'main');
    machine.accept(child);
    const [wanted] = machine.wanted();
    expect(machine.abandon(wanted ?? anchor, 'no node has it')).toEqual([
      { kind: 'undo', toSlot: 100, toBlockhash: 'anchor' },
      { kind: 'missing', from: 101, to: 101, reason: 'no node has it' },
      { kind: 'block', block: child },
    ]);
  });

  it('ignores lagging nodes: their old blocks change nothing', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
    const blocks: BlockLink[] = [];
    for (let slot = 101; slot <= 150; slot++) {
      const block = blockAfter(blocks.at(-1) ?? anchor, slot, 'main');
      blocks.push(block);
      machine.accept(block);
    }
    const verdicts = blocks.map((block) => machine.accept(block));
    expect(verdicts.flatMap(({ steps }) => steps)).toEqual([]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(
      blocks.map(({ slot }) => (slot < 118 ? 'late' : 'known')),
    );
    expect(machine.head?.slot).toBe(150);
  });

  it('refuses a block whose parent does not come before it', () => {
    const machine = new Continuity<BlockLink>({ anchor: null, finality: confirmedPlus(LAG) });
    const parent = { slot: asSlot(102), blockhash: 'x' };
    expect(machine.accept(blockAfter(parent, 102, 'main'))).toEqual({
      verdict: 'refused',
      steps: [],
    });
    expect(machine.head).toBeNull();
  });

  it('waits for the network’s final slot where that is the strategy, and stops when nothing becomes final', () => {
    const anchor = { slot: asSlot(100), blockhash: 'anchor' };
    const machine = new Continuity<BlockLink>({
      anchor,
      finality: networkFinality(),
      tailMax: 40,
    });
    const one = blockAfter(anchor, 101, 'main');
    const two = blockAfter(one, 104, 'main');
    expect(machine.accept(one).steps).toEqual([{ kind: 'block', block: one }]);
    machine.accept(two);
    expect(machine.observeFinal(asSlot(101))).toEqual([{ kind: 'final', slot: 101 }]);
    expect(machine.observeFinal(asSlot(90))).toEqual([]);
    expect(machine.observeFinal(asSlot(110))).toEqual([
      { kind: 'skipped', from: 102, to: 103 },
      { kind: 'final', slot: 104 },
    ]);
    // A lagging node reverts nothing: the next block is final at once.
    expect(machine.observeFinal(asSlot(90))).toEqual([]);
    const three = blockAfter(two, 108, 'main');
    expect(machine.accept(three).steps).toContainEqual({ kind: 'final', slot: 108 });
    let parent = three;
    for (let slot = 111; slot <= 151; slot++) {
      parent = blockAfter(parent, slot, 'main');
      machine.accept(parent);
    }
    expect(machine.stopReason).toContain('more than the 40 that are kept');
  });
});
