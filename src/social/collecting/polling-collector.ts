import type { Collector, CollectorContext } from './collector.ts';
import { type PollOutcome, poll } from './poll.ts';
import { Tally } from './tally.ts';

/** The source of one run of a collector. */
export interface PolledSource {
  round(): Promise<PollOutcome>;
  close(): Promise<void>;
}

/** A collector that opens its source for each run, polls it, and closes it at the end. */
export function pollingCollector(
  identity: Pick<Collector, 'platform' | 'name'>,
  open: (context: CollectorContext, tally: Tally) => PolledSource,
): Collector {
  return {
    ...identity,
    run: async (context) => {
      const tally = new Tally(identity, context.report);
      const source = open(context, tally);
      await poll(context, tally, () => source.round());
      await source.close();
    },
  };
}
