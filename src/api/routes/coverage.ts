/** GET /v1/coverage: what of the chain is held and how much of it is decoded (CONTRACT §2, beyond). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { ProgramOutcomes } from '../../model/slot-facts.ts';
import type { ApiDeps, Coverage } from '../deps.ts';
import { setFreshness } from '../freshness.ts';
import { COMMON_ERRORS } from '../schemas/error-responses.ts';
import { Nullable, ShareText } from '../schemas/wire.ts';

const Program = Type.Object({
  program: Type.String(),
  instructions: Type.Integer({ description: 'Instructions seen in successful transactions.' }),
  decoded: Type.Integer({ description: 'Instructions that became events.' }),
  ignored: Type.Integer({ description: 'Known to carry nothing for this service.' }),
  unknown: Type.Integer({ description: 'Never seen by the decoder: a sign of a new layout.' }),
  malformed: Type.Integer(),
  quarantined: Type.Integer({ description: 'Swaps that balances contradict; never priced.' }),
});

const CoverageBody = Type.Object(
  {
    first_slot: Nullable(Type.Integer()),
    last_slot: Nullable(Type.Integer()),
    slots: Type.Integer({ description: 'Slots held.' }),
    unlinked_slots: Type.Integer({
      description: 'Held slots that do not follow the one before them, or are not whole: gaps.',
    }),
    transactions: Type.Integer({ description: 'Without votes.' }),
    pool_moving_transactions: Type.Integer({
      description: 'Transactions in which tokens crossed as in a swap.',
    }),
    explained_transactions: Type.Integer({
      description: 'Those of them that events explain whole.',
    }),
    explained_share: Nullable(ShareText),
    programs: Type.Array(Program),
  },
  {
    description: 'Slots held and decoded shares by program.',
    examples: [
      {
        first_slot: 326_027_759,
        last_slot: 326_027_759,
        slots: 1,
        unlinked_slots: 0,
        transactions: 261,
        pool_moving_transactions: 94,
        explained_transactions: 94,
        explained_share: '1.0000',
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
  description: 'What of the chain is held, and how much of it the decoders understood.',
  tags: ['operations'],
  response: { 200: CoverageBody, ...COMMON_ERRORS },
};

export const coverageRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/coverage', { schema }, (_, reply) => {
      setFreshness(reply, deps);
      return present(deps.chain.coverage());
    });
  };

function present(coverage: Coverage): Static<typeof CoverageBody> {
  const { poolMovingTransactions, explainedTransactions } = coverage;
  return {
    first_slot: coverage.firstSlot,
    last_slot: coverage.lastSlot,
    slots: coverage.slots,
    unlinked_slots: coverage.unlinkedSlots,
    transactions: coverage.transactions,
    pool_moving_transactions: poolMovingTransactions,
    explained_transactions: explainedTransactions,
    explained_share:
      poolMovingTransactions === 0
        ? null
        : (explainedTransactions / poolMovingTransactions).toFixed(4),
    programs: Object.entries(coverage.programs)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([program, outcomes]) => presentProgram(program, outcomes)),
  };
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
