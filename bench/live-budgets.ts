import type { CatchUp } from './live-catch-up.ts';
import type { LiveFigures } from './live-figures.ts';
import { fixed, integer } from './table.ts';

const MIB = 2 ** 20;

/** A line of the table; `isMet` is null for a measure without a budget. */
export interface BudgetRow {
  readonly measure: string;
  readonly budget: string;
  readonly measured: string;
  readonly isMet: boolean | null;
}

/** The budgets of following the head of the chain, and the measured values. */
export function liveRows(figures: LiveFigures): readonly BudgetRow[] {
  const { producedToVisibleMs, receivedToVisibleMs, readMs, lagSlots, last } = figures;
  const within = fixed(figures.lagWithinOne * 100, 2);
  return [
    unlimited('blocks/s', fixed(figures.blocksPerSecond, 2)),
    unlimited('transactions/s, votes aside', integer(figures.transactionsPerSecond)),
    limited('lag, slots, at any moment', lagSlots.max, 1, `${lagSlots.max}; ≤ 1 for ${within} %`),
    below('slot produced → visible, p50', producedToVisibleMs.p50, 150),
    below('slot produced → visible, p99', producedToVisibleMs.p99, 500),
    unlimited(
      'slot received → visible, p50 / p99',
      `${ms(receivedToVisibleMs.p50)} / ${ms(receivedToVisibleMs.p99)}`,
    ),
    below('hot reads, p99', readMs.p99, 10),
    unlimited('hot reads, p50 / worst', `${ms(readMs.p50)} / ${ms(readMs.max)}`),
    unlimited(
      'the same of answers without content',
      `${ms(figures.bareReadMs.p50)} / ${ms(figures.bareReadMs.p99)} (p99)`,
    ),
    limited('hot reads not answered with 200', figures.failedReads, 0),
    limited('slots never seen', figures.unseenSlots, 0),
    limited('open gaps', last.openGaps, 0),
    unlimited('transactions counted of those made', `${fixed(figures.countedShare * 100, 1)} %`),
    unlimited('service: processors used', fixed(figures.serviceCores, 2)),
    unlimited(
      'service: µs of a processor per transaction',
      fixed(figures.serviceMicrosPerTransaction, 0),
    ),
    unlimited('service: resident / heap', `${mib(last.rssBytes)} / ${mib(last.heapBytes)}`),
    unlimited('resident, other processes of it', mib(last.othersRssBytes)),
    unlimited('node: processors used', fixed(figures.nodeCores, 2)),
    unlimited('node: late, p99', ms(figures.nodeLateMs.p99)),
    unlimited('given to others by the host, processors', fixed(figures.stolenCores, 2)),
    unlimited('reader: late, p99', ms(figures.readerLateMs.p99)),
  ];
}

export function catchUpRows(catchUp: CatchUp): readonly BudgetRow[] {
  const { blocks, seconds, secondsFromStart, blocksPerSecond, timesRealTime, isReached } = catchUp;
  return [
    {
      measure: 'catching up, × real time',
      budget: '≥ 5',
      measured: `${fixed(timesRealTime, 1)}${isReached ? '' : ', end not reached'}`,
      isMet: isReached && timesRealTime >= 5,
    },
    unlimited('catching up, blocks/s', fixed(blocksPerSecond, 1)),
    unlimited('caught up, blocks', integer(blocks)),
    unlimited(
      'since its first answer / its start',
      `${fixed(seconds, 1)} s / ${fixed(secondsFromStart, 1)} s`,
    ),
  ];
}

function below(measure: string, value: number, limitMs: number): BudgetRow {
  return { measure, budget: `< ${limitMs} ms`, measured: ms(value), isMet: value < limitMs };
}

function limited(
  measure: string,
  value: number,
  limit: number,
  measured = integer(value),
): BudgetRow {
  const budget = limit === 0 ? '0' : `≤ ${limit}`;
  return { measure, budget, measured, isMet: value <= limit };
}

function unlimited(measure: string, measured: string): BudgetRow {
  return { measure, budget: '', measured, isMet: null };
}

function ms(value: number): string {
  return Number.isNaN(value) ? 'none seen' : `${fixed(value, 1)} ms`;
}

export function mib(bytes: number): string {
  return `${integer(bytes / MIB)} MiB`;
}
