import { describe, expect, it } from 'vitest';
import { TransferMarket } from '../../../tests/support/transfer-market.ts';
import { BlockWindow } from './block-window.ts';

const OPTIONS = { windowSlots: 20, confirmedLagSlots: 1, finalizedLagSlots: 5 };

function filled(slots: number, forkRate = 0.3) {
  const window = new BlockWindow(OPTIONS);
  const chain = new TransferMarket({ forkRate, transfersPerSlot: 2 });
  const steps = [];
  for (let passed = 0; passed < slots; passed++) {
    const step = chain.step();
    if (step === null) continue;
    window.accept(step);
    steps.push(step);
  }
  return { window, steps };
}

describe('the block window', () => {
  it('holds the slots of its width and finds their transactions and no others', () => {
    const { window, steps } = filled(100);
    const newest = steps.at(-1)?.block.slot ?? 0;
    const held = steps.filter(({ block }) => block.slot > newest - 20);
    expect(window.size).toBe(held.length);
    for (const step of steps.filter(({ isCanonical }) => isCanonical)) {
      step.block.transactions.forEach(({ signatures }, txIndex) => {
        const found = window.find(signatures[0] ?? '');
        expect(found).toEqual(held.includes(step) ? { block: step.block, txIndex } : null);
      });
    }
  });

  it('has every confirmed and finalized block follow the previous one', () => {
    const { window, steps } = filled(100);
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const view = window.view();
      const shown = view.blocksBetween(0, Number.MAX_SAFE_INTEGER, commitment);
      expect(shown.length).toBeGreaterThan(5);
      shown.slice(1).forEach(({ block }, index) => {
        expect(block.previousBlockhash).toBe(shown[index]?.block.blockhash);
      });
    }
    expect(steps.some(({ isCanonical }) => !isCanonical)).toBe(true);
  });

  it('reports blocks as unsettled only while the newest one is on a branch that will be dropped', () => {
    const window = new BlockWindow(OPTIONS);
    const chain = new TransferMarket({ skipRate: 0, forkRate: 0.3, transfersPerSlot: 1 });
    let branch: number[] = [];
    let branches = 0;
    for (let passed = 0; passed < 80; passed++) {
      const step = chain.step();
      if (step === null) continue;
      window.accept(step);
      branch = step.isCanonical ? [] : [...branch, step.block.slot];
      if (branch.length === 2) branches++;
      const { slot } = step.block;
      const view = window.view();
      const unsettled = Array.from({ length: 10 }, (_, back) => slot - back).filter((near) =>
        view.isUnsettled(near),
      );
      expect(unsettled.reverse()).toEqual(branch);
    }
    expect(branches).toBeGreaterThan(1);
  });

  it('gives the parent of its first block while no block is old enough to be final', () => {
    const { window, steps } = filled(4, 0);
    const first = steps[0]?.block;
    expect(window.view().tip('finalized')).toEqual({
      slot: first?.parentSlot,
      blockHeight: (first?.blockHeight ?? 0) - 1,
      blockhash: first?.previousBlockhash,
      step: null,
    });
  });

  it('rejects slots out of order and a width smaller than the finality lag', () => {
    const { window, steps } = filled(10);
    const again = steps.at(-1);
    expect(() => again && window.accept(again)).toThrow(/comes after/);
    expect(() => new BlockWindow({ ...OPTIONS, windowSlots: 5 })).toThrow(RangeError);
  });
});
