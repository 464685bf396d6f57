/**
 * GET /v1/coverage: which part of the chain is stored and how much of it is decoded (extension of
 * CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { formatShare } from '../../lib/format-share.ts';
import type { ProgramOutcomes } from '../../model/slot-facts.ts';
import type { SlotGap } from '../../model/slot-range.ts';
import type { Coverage, InferredProgram } from '../chain-status.ts';
import type { ApiDeps } from '../deps.ts';
import { formatInstant } from '../present/format-wire.ts';
import { setFreshness } from '../present/freshness.ts';
import { busy, COMMON_ERRORS } from '../schemas/error-responses.ts';
import { AddressText, Instant, Nullable, ShareText } from '../schemas/wire.ts';

const Program = Type.Object({
  program: Type.String(),
  instructions: Type.Integer({ description: 'Instructions in successful transactions.' }),
  decoded: Type.Integer({ description: 'Instructions decoded to events.' }),
  ignored: Type.Integer({ description: 'Known instructions without relevant data.' }),
  unknown: Type.Integer({ description: 'Unknown instructions, which suggest a new layout.' }),
  malformed: Type.Integer(),
  quarantined: Type.Integer({
    description: 'Swaps that contradict the balance changes. They are never priced.',
  }),
});

const InferredRow = Type.Object({
  program: AddressText,
  swaps: Type.Integer(),
});

const SlotSpan = Type.Object({
  from_slot: Type.Integer(),
  to_slot: Type.Integer({ description: 'Inclusive.' }),
});

const Gap = Type.Object({
  ...SlotSpan.properties,
  reason: Type.String({ description: 'Human-readable reason.' }),
  since: Instant,
  tries: Type.Integer({ description: 'How often a source failed to provide the gap.' }),
});

/** Maximum number of listed rows, newest first; the totals cover all rows. */
const LISTED_MAX = 100;

const CoverageBody = Type.Object(
  {
    first_slot: Nullable(Type.Integer()),
    last_slot: Nullable(Type.Integer()),
    final_slot: Nullable(Type.Integer({ description: 'Slots up to this one cannot be reverted.' })),
    slots: Type.Integer({ description: 'Number of stored slots.' }),
    skipped_slots: Type.Integer({ description: 'Slots proven to have no block.' }),
    missing_slots: Type.Integer({ description: 'Slots that no source could provide.' }),
    ranges: Type.Array(SlotSpan, {
      description: `Slot ranges without a gap, newest first, at most ${LISTED_MAX}.`,
    }),
    gaps: Type.Array(Gap, { description: `Newest first, at most ${LISTED_MAX}.` }),
    gaps_total: Type.Integer(),
    unlinked_slots: Type.Integer({
      description:
        'Stored slots that do not follow the preceding stored slot, or that are incomplete: ' +
        'possible gaps.',
    }),
    transactions: Type.Integer({ description: 'Transactions, excluding votes.' }),
    pool_moving_transactions: Type.Integer({
      description: 'Transactions whose token movements look like a swap.',
    }),
    explained_transactions: Type.Integer({
      description: 'pool_moving_transactions that decoded events explain completely.',
    }),
    explained_share: Nullable(ShareText),
    swaps: Type.Integer(),
    inferred_swaps: Type.Integer({
      description: 'Swaps of programs without a decoder, inferred from transfers alone.',
    }),
    inferred_share: Nullable(ShareText),
    inferred_programs: Type.Array(InferredRow, {
      description:
        `Most swaps first, at most ${LISTED_MAX}. Programs seen after the limit of tracked ` +
        'programs was reached are counted only in inferred_swaps.',
    }),
    programs: Type.Array(Program),
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
      },
    ],
  },
);

const schema = {
  operationId: 'getCoverage',
  summary: 'Coverage',
  description:
    'Returns which part of the chain is stored, and how much of it the decoders understood.',
  tags: ['operations'],
  response: { 200: CoverageBody, ...COMMON_ERRORS, ...busy() },
};

export const coverageRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/coverage', { schema }, async (_, reply) => {
      const coverage = await deps.chain.coverage();
      setFreshness(reply, deps);
      return present(coverage);
    });
  };

function present(coverage: Coverage): Static<typeof CoverageBody> {
  const { poolMovingTransactions, explainedTransactions, swaps, inferredSwaps, gaps } = coverage;
  return {
    first_slot: coverage.firstSlot,
    last_slot: coverage.lastSlot,
    final_slot: coverage.finalSlot,
    slots: coverage.slots,
    skipped_slots: coverage.skippedSlots,
    missing_slots: gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
    ranges: spansOf(coverage),
    gaps: gaps.slice(-LISTED_MAX).reverse().map(presentGap),
    gaps_total: gaps.length,
    unlinked_slots: coverage.unlinkedSlots,
    transactions: coverage.transactions,
    pool_moving_transactions: poolMovingTransactions,
    explained_transactions: explainedTransactions,
    explained_share:
      poolMovingTransactions === 0
        ? null
        : formatShare(explainedTransactions, poolMovingTransactions, 4),
    swaps,
    inferred_swaps: inferredSwaps,
    inferred_share: swaps === 0 ? null : formatShare(inferredSwaps, swaps, 4),
    inferred_programs: [...coverage.inferredPrograms].sort(bySwaps).slice(0, LISTED_MAX),
    programs: Object.entries(coverage.programs)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([program, outcomes]) => presentProgram(program, outcomes)),
  };
}

/** Most swaps first; ties by address. */
function bySwaps(one: InferredProgram, other: InferredProgram): number {
  return other.swaps - one.swaps || (one.program < other.program ? -1 : 1);
}

function presentGap({ from, to, reason, sinceMs, tries }: SlotGap): Static<typeof Gap> {
  return { from_slot: from, to_slot: to, reason, since: formatInstant(sinceMs), tries };
}

/** Slot ranges between the gaps, newest first. */
function spansOf({ firstSlot, lastSlot, gaps }: Coverage): Static<typeof SlotSpan>[] {
  if (firstSlot === null || lastSlot === null) return [];
  const spans: Static<typeof SlotSpan>[] = [];
  let to: number = lastSlot;
  for (const gap of gaps.slice(-LISTED_MAX).reverse()) {
    const from = Math.max(gap.to + 1, firstSlot);
    if (from <= to) spans.push({ from_slot: from, to_slot: to });
    to = Math.min(to, gap.from - 1);
  }
  const isEveryGapSeen = gaps.length <= LISTED_MAX;
  if (isEveryGapSeen && firstSlot <= to) spans.push({ from_slot: firstSlot, to_slot: to });
  return spans.slice(0, LISTED_MAX);
}

function presentProgram(program: string, outcomes: ProgramOutcomes): Static<typeof Program> {
  const { event, ignored, unknown, malformed, quarantined } = outcomes;
  return {
    program,
    instructions: event + ignored + unknown + malformed,
    decoded: event,
    ignored,
    unknown,
    malformed,
    quarantined,
  };
}
