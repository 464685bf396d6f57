/** POST /v1/backtests: queues a backtest of a rule (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { BACKTEST_DEFAULTS, type BacktestOptions } from '../../../model/backtest.ts';
import { RANGE_MAX_MS, VARIANTS_MAX } from '../../../model/backtest-job.ts';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { BacktestBody } from '../../present/backtest-body.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';

const ACCESS = 'triggers:write';
const TEXT_LENGTH_MAX = 65_536;
const PROBLEMS_SHOWN = 5;
const DAY_MS = 86_400_000;

const ruleText = (description: string) =>
  Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX, description });
const share = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));
const time = (description: string) => Type.String({ format: 'date-time', description });

const { failedShare, networkSol, tipSol, terminalFee, controlShare } = BACKTEST_DEFAULTS;

const NewBacktest = Type.Object(
  {
    rule: ruleText('The rule as YAML or JSON. It need not be published.'),
    variants: Type.Optional(
      Type.Array(ruleText('A variant.'), {
        maxItems: VARIANTS_MAX - 1,
        description: 'Other contents of the rule, among which a walk-forward chooses week by week.',
      }),
    ),
    from: time('Start of the range.'),
    to: time('End of the range, exclusive.'),
    failed_share: share(`Share of entries that fail on the chain; default ${failedShare}.`),
    network_sol: share(`Priority fee and rent of each transaction, in SOL; default ${networkSol}.`),
    tip_sol: share(`Tip of each transaction, in SOL; default ${tipSol}.`),
    terminal_fee: share(`Share charged by the trading terminal; default ${terminalFee}.`),
    control_share: share(`Share of minutes drawn for comparison; default ${controlShare}.`),
    look_ahead: Type.Optional(
      Type.Boolean({
        description: 'Whether to cut the log at up to 50 hits and compare; default true.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        rule: 'name: quiet-accumulation\nversion: 1\n…',
        from: EXAMPLE.hourBefore,
        to: EXAMPLE.instant,
      },
    ],
  },
);

const schema = {
  operationId: 'addBacktest',
  summary: 'Add a backtest',
  description:
    'Queues a backtest of a rule over the stored log. Each distinct content of a rule is a try of ' +
    'its name, which the intervals of its reports are charged for. One backtest runs at a time, ' +
    'accounts take turns; what a restart interrupts begins again.',
  tags: ['backtests'],
  body: NewBacktest,
  response: {
    201: BacktestBody.schema,
    ...writeErrors(ACCESS, {
      400: 'rule is required.',
      409: fullOf(8),
      422: 'to must be after from, by at most 400 days.',
    }),
  },
};

export const addBacktestRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = {
      schema,
      config: { access: ACCESS },
      // JSON may escape each character.
      bodyLimit: 6 * TEXT_LENGTH_MAX * VARIANTS_MAX,
    } as const;
    app.post('/v1/backtests', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const { rule, variants = [], look_ahead: isProved = true } = request.body;
      const outcome = await deps.backtests.add({
        ...{ accountId, rules: [rule, ...variants], isProved },
        options: optionsOf(request.body),
      });
      if (outcome.kind === 'refused') {
        throw new ApiError(422, outcome.problems.slice(0, PROBLEMS_SHOWN).join(' '));
      }
      if (outcome.kind === 'full') throw new ApiError(409, fullOf(outcome.jobsMax));
      return reply.code(201).send(BacktestBody.present(outcome.job));
    });
  };

function optionsOf(body: Static<typeof NewBacktest>): BacktestOptions {
  const [fromMs, toMs] = [Date.parse(body.from), Date.parse(body.to)];
  if (!(toMs > fromMs && toMs - fromMs <= RANGE_MAX_MS)) {
    throw new ApiError(422, `to must be after from, by at most ${RANGE_MAX_MS / DAY_MS} days.`);
  }
  return {
    ...{ fromMs, toMs },
    failedShare: body.failed_share ?? failedShare,
    networkSol: body.network_sol ?? networkSol,
    tipSol: body.tip_sol ?? tipSol,
    terminalFee: body.terminal_fee ?? terminalFee,
    controlShare: body.control_share ?? controlShare,
  };
}

function fullOf(jobsMax: number): string {
  return `This account has ${jobsMax} backtests that have not ended, the maximum: cancel one first.`;
}
