import { describe, expect, test } from 'vitest';
import type { BlockLink } from '../../src/chain/block-link.ts';
import { Continuity } from '../../src/chain/continuity.ts';
import { confirmedPlus } from '../../src/chain/finality.ts';
import type { Slot } from '../../src/model/units.ts';
import { LogReader } from '../support/block-tree.ts';

const LAG = 32;

function link(slot: number, parentSlot: number): BlockLink {
  return {
    slot: slot as Slot,
    blockhash: `block ${slot}`,
    parentSlot: parentSlot as Slot,
    previousBlockhash: `block ${parentSlot}`,
  };
}

/**
 * Slots 99 and 100 are of a dropped branch; 102 is canonical, and all nodes deny it for a while.
 */
function followPastLostBlock(): { machine: Continuity<BlockLink>; log: LogReader } {
  const anchor = { slot: 97 as Slot, blockhash: 'block 97' };
  const machine = new Continuity<BlockLink>({ anchor, finality: confirmedPlus(LAG) });
  const log = new LogReader(anchor);
  log.read(machine.accept(link(99, 97)).steps);
  log.read(machine.accept(link(100, 99)).steps);
  log.read(machine.accept(link(103, 102)).steps);
  log.read(machine.abandon({ slot: 102 as Slot, blockhash: 'block 102' }, 'every node denies it'));
  for (let slot = 104; slot <= 103 + LAG; slot++) {
    log.read(machine.accept(link(slot, slot - 1)).steps);
  }
  return { machine, log };
}

describe('a block that no node delivers, right after a dropped branch (F-07, F-10)', () => {
  test('is requested by slot and hash until it arrives', () => {
    const { machine, log } = followPastLostBlock();
    expect(log.finalSlot).toBe(103);
    expect(log.stillMissing).toContain(102);
    expect(machine.wantedLate()).toEqual([{ slot: 102, blockhash: 'block 102' }]);
  });

  test('leaves no block of the dropped branch in the log once it has arrived', () => {
    const { machine, log } = followPastLostBlock();
    log.read(machine.accept(link(102, 97)).steps);
    expect(log.blocks.map(({ slot }) => slot).slice(0, 2)).toEqual([102, 103]);
  });
});
