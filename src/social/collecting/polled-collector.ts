import type { Platform } from '../../model/social-post.ts';
import type { Collector, CollectorContext } from './collector.ts';
import { type PollOutcome, poll } from './poll.ts';
import { Tally } from './tally.ts';

/** One run of a collector: rounds until the signal, then `close`. */
export interface CollectorWork {
  round(): Promise<PollOutcome>;
  close(): Promise<void>;
}

/** A collector that works in rounds. `start` is called once for each run. */
export function polledCollector(
  platform: Platform,
  name: string,
  start: (context: CollectorContext, tally: Tally) => CollectorWork,
): Collector {
  return {
    platform,
    name,
    run: async (context) => {
      const tally = new Tally({ name, platform }, context.report);
      const work = start(context, tally);
      await poll(context, tally, () => work.round());
      await work.close();
    },
  };
}
