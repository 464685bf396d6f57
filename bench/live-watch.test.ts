import { describe, expect, it } from 'vitest';
import type { PassedBlock } from './live-node-process.ts';
import type { Read } from './live-reads.ts';
import { LiveWatch } from './live-watch.ts';

/** A node that delivers slot 10 at 1,000 ms and one more every 200 ms. */
function playedNode(blocks: number) {
  const passed = Array.from({ length: blocks }, (_, index): PassedBlock => {
    const confirmedSlot = 10 + index;
    const atMs = 1_000 + 200 * index;
    const rest = { lateMs: 0, transactions: 0, votes: 0, cpuMs: 0 };
    return { slot: confirmedSlot + 1, confirmedSlot, atMs, ...rest };
  });
  const served = new Map(
    passed.map(({ confirmedSlot, atMs }) => [
      confirmedSlot,
      { askedAtMs: atMs + 5, sentAtMs: atMs + 20 },
    ]),
  );
  return { passed, served, tip: passed.at(-1) ?? null };
}

function answer(slot: number | null, answeredAtMs: number): Read {
  return { route: 'token', sentAtMs: answeredAtMs - 1, answeredAtMs, status: 200, slot };
}

describe('measuring when slots become visible', () => {
  it('takes the first answer with a slot, or a later one', () => {
    const watch = new LiveWatch(playedNode(3));
    watch.onRead(answer(9, 990));
    watch.onRead(answer(10, 1_050));
    watch.onRead(answer(10, 1_060));
    watch.onRead(answer(12, 1_500));
    expect(watch.delays(0, 2_000)).toEqual({
      producedToVisible: [50, 300, 100],
      receivedToVisible: [30, 280, 80],
      unseen: 0,
    });
  });

  it('counts a slot that no answer showed as unseen, without a delay', () => {
    const watch = new LiveWatch(playedNode(2));
    watch.onRead(answer(9, 990));
    watch.onRead(answer(10, 1_050));
    watch.onRead(answer(null, 1_300));
    const { producedToVisible, unseen } = watch.delays(0, 2_000);
    expect(producedToVisible).toEqual([50]);
    expect(unseen).toBe(1);
  });

  it('selects slots by their delivery time, without the end', () => {
    const watch = new LiveWatch(playedNode(3));
    watch.onRead(answer(12, 1_500));
    watch.onRead(answer(13, 1_700));
    expect(watch.delays(1_400, 1_600).producedToVisible).toEqual([100]);
    expect(watch.delays(1_200, 1_400)).toMatchObject({ producedToVisible: [], unseen: 1 });
  });

  it('reports the lag of the answers behind the node, never negative', () => {
    const watch = new LiveWatch(playedNode(5));
    expect(watch.lagSlots).toBeNull();
    watch.onRead(answer(11, 1_300));
    expect(watch.lagSlots).toBe(3);
    // The answer arrived before the node's own report of that slot.
    watch.onRead(answer(15, 1_900));
    expect(watch.lagSlots).toBe(0);
  });
});
