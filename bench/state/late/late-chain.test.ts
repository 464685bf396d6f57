import { expect, test, vi } from 'vitest';
import type { SourceItem } from '../../../src/chain/source.ts';
import { GrowingMarket } from '../growing-market.ts';
import { FIRST_SLOT, MAINNET_MARKET } from '../market-options.ts';
import { CALM_SLOTS, lateChain, TAIL_SLOTS } from './late-chain.ts';

const MARKET = { ...MAINNET_MARKET, swapsPerSlot: 1 };
const [LEAD, LATE] = [40, 60];

test('a chain delivers every slot once and in order, but one of them late, at its pace', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const events: string[] = [];
  const delays: number[] = [];
  const items: SourceItem[] = [];
  const chain = lateChain({
    ...{ market: new GrowingMarket(MARKET), lead: LEAD, late: LATE },
    onSlot: () => undefined,
    onHistory: async () => void events.push(`history after ${items.length}`),
    onDelivery: async () => void events.push('delivery'),
    onDelay: (ms) => delays.push(ms),
    isDone: () => delays.length === 3,
  });
  try {
    for (let next = chain.next(); ; next = chain.next()) {
      await vi.advanceTimersByTimeAsync(400);
      const { value, done } = await next;
      if (done === true) break;
      items.push(value);
    }
  } finally {
    vi.useRealTimers();
  }
  // Each slot has an item and the final one of an earlier slot.
  expect(events).toEqual([`history after ${2 * (LEAD + LATE)}`, 'delivery']);
  const late = FIRST_SLOT + LEAD;
  const slots = items.flatMap((item) => (item.kind === 'facts' ? item.facts.slot : []));
  const calm = FIRST_SLOT + LEAD + LATE + CALM_SLOTS;
  expect(slots).toEqual([
    ...Array.from({ length: LEAD }, (_, at) => FIRST_SLOT + at),
    ...Array.from({ length: LATE + CALM_SLOTS - 1 }, (_, at) => late + 1 + at),
    late,
    ...[calm, calm + 1, calm + 2],
  ]);
  expect(items.filter(({ kind }) => kind === 'missing')).toMatchObject([{ from: late, to: late }]);
  const finals = items.flatMap((item) => (item.kind === 'final' ? item.slot : []));
  expect(finals[0]).toBe(FIRST_SLOT - TAIL_SLOTS);
  expect(finals.at(-1)).toBe(calm + 2);
});
