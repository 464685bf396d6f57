import type { BehaviourKind } from '../behaviour.ts';
import { settleTraders } from '../trading-life.ts';

const EDGE = { least: 0.75, most: 1 } as const;

/** Traders with a lasting edge who lose most of their trades and win many times as much with few. */
export const skilledTrader: BehaviourKind = {
  name: 'skilledTrader',
  label: { automation: 'organic', isSmart: true },
  settle: (context, count) =>
    settleTraders(context, skilledTrader, count, () => {
      const edge = context.random.within(EDGE);
      return () => edge;
    }),
};
