import { formatShare } from '../../lib/format-share.ts';
import type { SimulationOrigin } from '../../model/simulation-origin.ts';
import type { ProgramOutcomes } from '../../model/slot-facts.ts';
import type { SlotGap } from '../../model/slot-range.ts';
import type { Coverage, InferredProgram } from '../chain-status.ts';
import { REPLICA_COVERAGE, REPLICA_EXAMPLE } from './replica-coverage.ts';
import { STATE_COVERAGE, STATE_EXAMPLE } from './state-coverage.ts';
import {
  address,
  decimal,
  described,
  instant,
  integer,
  list,
  nullable,
  text,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const share = nullable(described(decimal, 'A share, from 0 to 1.'));

interface ListedOutcomes extends ProgramOutcomes {
  readonly program: string;
}

const Program = wireRecord<ListedOutcomes>()({
  program: [text, 'program'],
  instructions: [
    integer,
    ({ event, ignored, unknown, malformed }) => event + ignored + unknown + malformed,
    'Instructions in successful transactions.',
  ],
  decoded: [integer, 'event', 'Instructions decoded to events.'],
  ignored: [integer, 'ignored', 'Known instructions without relevant data.'],
  unknown: [integer, 'unknown', 'Unknown instructions, which suggest a new layout.'],
  malformed: [integer, 'malformed'],
  quarantined: [
    integer,
    'quarantined',
    'Swaps that contradict the balance changes. They are never priced.',
  ],
});

const InferredRow = wireRecord<InferredProgram>()({
  program: [address, 'program'],
  swaps: [integer, 'swaps'],
});

interface Span {
  readonly from: number;
  readonly to: number;
}

const SlotSpan = wireRecord<Span>()({
  from_slot: [integer, 'from'],
  to_slot: [integer, 'to', 'Inclusive.'],
});

const Gap = wireRecord<SlotGap>()({
  ...SlotSpan.fields,
  reason: [text, 'reason', 'Human-readable reason.'],
  since: [instant, 'sinceMs'],
  tries: [integer, 'tries', 'How often a source failed to provide the gap.'],
});

/** Maximum number of listed rows, newest first; the totals cover all rows. */
const LISTED_MAX = 100;

const Simulation = wireRecord<SimulationOrigin>()({
  seed: [text, 'seed'],
  start_ms: [integer, 'startMs', 'Chain time before the first slot, in Unix milliseconds.'],
});

interface CoverageAnswer extends Coverage {
  readonly simulation: SimulationOrigin | null;
}

export const CoverageBody = wireRecord<CoverageAnswer>()(
  {
    first_slot: [nullable(integer), 'firstSlot'],
    last_slot: [nullable(integer), 'lastSlot'],
    final_slot: [nullable(integer), 'finalSlot', 'Slots up to this one cannot be reverted.'],
    slots: [integer, 'slots', 'Number of stored slots.'],
    skipped_slots: [integer, 'skippedSlots', 'Slots proven to have no block.'],
    missing_slots: [
      integer,
      ({ gaps }) => gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
      'Slots that no source could provide.',
    ],
    ranges: [
      list(SlotSpan),
      spansOf,
      `Slot ranges without a gap, newest first, at most ${LISTED_MAX}.`,
    ],
    gaps: [
      list(Gap),
      ({ gaps }) => gaps.slice(-LISTED_MAX).reverse(),
      `Newest first, at most ${LISTED_MAX}.`,
    ],
    gaps_total: [integer, ({ gaps }) => gaps.length],
    unlinked_slots: [
      integer,
      'unlinkedSlots',
      'Stored slots that do not follow the preceding stored slot, or that are incomplete: ' +
        'possible gaps.',
    ],
    transactions: [integer, 'transactions', 'Transactions, excluding votes.'],
    pool_moving_transactions: [
      integer,
      'poolMovingTransactions',
      'Transactions whose token movements look like a swap.',
    ],
    explained_transactions: [
      integer,
      'explainedTransactions',
      'pool_moving_transactions that decoded events explain completely.',
    ],
    explained_share: [
      share,
      (coverage) => shareOf(coverage.explainedTransactions, coverage.poolMovingTransactions),
    ],
    swaps: [integer, 'swaps'],
    inferred_swaps: [
      integer,
      'inferredSwaps',
      'Swaps of programs without a decoder, inferred from transfers alone.',
    ],
    inferred_share: [share, ({ inferredSwaps, swaps }) => shareOf(inferredSwaps, swaps)],
    inferred_programs: [
      list(InferredRow),
      ({ inferredPrograms }) => [...inferredPrograms].sort(bySwaps).slice(0, LISTED_MAX),
      `Most swaps first, at most ${LISTED_MAX}. Programs seen after the limit of tracked ` +
        'programs was reached are counted only in inferred_swaps.',
    ],
    programs: [list(Program), programsOf],
    log_from_slot: [
      nullable(integer),
      'logStart',
      'First slot of the log of decoded slots, once older ones were dropped (--log-retention): ' +
        'only later slots can be verified against it or applied again. Null if it is whole.',
    ],
    simulation: [
      nullable(Simulation),
      'simulation',
      'What the blocks of a simulated market are generated from; null for a real chain.',
    ],
    ...STATE_COVERAGE,
    ...REPLICA_COVERAGE,
  },
  {
    description: 'Stored slots, and decoding results by program.',
    examples: [
      {
        first_slot: 326_027_759,
        last_slot: 326_027_759,
        final_slot: 326_027_759,
        slots: 1,
        skipped_slots: 0,
        missing_slots: 0,
        ranges: [{ from_slot: 326_027_759, to_slot: 326_027_759 }],
        gaps: [],
        gaps_total: 0,
        unlinked_slots: 0,
        transactions: 261,
        pool_moving_transactions: 94,
        explained_transactions: 94,
        explained_share: '1.0000',
        swaps: 96,
        inferred_swaps: 1,
        inferred_share: '0.0104',
        inferred_programs: [{ program: 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ', swaps: 1 }],
        programs: [
          {
            program: 'pump',
            instructions: 30,
            decoded: 15,
            ignored: 15,
            unknown: 0,
            malformed: 0,
            quarantined: 0,
          },
        ],
        log_from_slot: null,
        simulation: null,
        ...STATE_EXAMPLE,
        ...REPLICA_EXAMPLE,
      },
    ],
  },
);

function shareOf(count: number, total: number): string | null {
  return total === 0 ? null : formatShare(count, total, 4);
}

/** Most swaps first; ties by address. */
function bySwaps(one: InferredProgram, other: InferredProgram): number {
  return other.swaps - one.swaps || (one.program < other.program ? -1 : 1);
}

/** Slot ranges between the gaps, newest first. */
function spansOf({ firstSlot, lastSlot, gaps }: Coverage): Span[] {
  if (firstSlot === null || lastSlot === null) return [];
  const spans: Span[] = [];
  let to: number = lastSlot;
  for (const gap of gaps.slice(-LISTED_MAX).reverse()) {
    const from = Math.max(gap.to + 1, firstSlot);
    if (from <= to) spans.push({ from, to });
    to = Math.min(to, gap.from - 1);
  }
  const isEveryGapSeen = gaps.length <= LISTED_MAX;
  if (isEveryGapSeen && firstSlot <= to) spans.push({ from: firstSlot, to });
  return spans.slice(0, LISTED_MAX);
}

/** By name. */
function programsOf({ programs }: Coverage): ListedOutcomes[] {
  return Object.entries(programs)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([program, outcomes]) => ({ ...outcomes, program }));
}
