/** POST /v1/backtests: queues a backtest of a rule (decision 0092). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { BACKTEST_DEFAULTS, type BacktestOptions } from '../../../model/backtest.ts';
import { RANGE_MAX_MS, VARIANTS_MAX } from '../../../model/backtest-job.ts';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { BacktestBody } from '../../present/backtest-body.ts';
import { BACKTEST_LINKS } from '../../schemas/backtest-path.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { ChoiceParameter, InstantParameter, Parsed } from '../../schemas/parameters.ts';
import { exampleRule, problemsShown, RuleText } from '../../schemas/rule-text.ts';

const ACCESS = 'triggers:write';
/** For a rule and its variants together, whose JSON may escape each character. */
const BODY_LIMIT_BYTES = 1_024 * 1_024;
const DAY_MS = 86_400_000;

const PROOFS = ['cut_log', 'none'] as const;

const SHARE = '^(0([.][0-9]{1,9})?|1([.]0{1,9})?)$';

/** A decimal number from 0 to 1 as text. */
function share(description: string, fallback: number) {
  return Type.Optional(
    Parsed<string, number>(
      {
        type: 'string',
        pattern: SHARE,
        description: `${description} From 0 to 1; default ${fallback}.`,
        examples: [String(fallback)],
        'x-invalid-status': 422,
      },
      { parse: parseShare, expected: 'a decimal number from 0 to 1' },
    ),
  );
}

function parseShare(text: string): number | null {
  return new RegExp(SHARE).test(text) ? Number(text) : null;
}

const { failedShare, networkSol, tipSol, terminalFee, controlShare } = BACKTEST_DEFAULTS;

const NewBacktest = Type.Object(
  {
    rule: RuleText('The rule as YAML or JSON. It need not be published.'),
    variants: Type.Optional(
      Type.Array(RuleText('A variant.'), {
        minItems: 1,
        maxItems: VARIANTS_MAX - 1,
        description: 'Other contents of the rule, among which a walk-forward chooses week by week.',
      }),
    ),
    from: InstantParameter({ description: 'Start of the range.', example: EXAMPLE.hourBefore }),
    to: InstantParameter({
      description: 'End of the range, exclusive.',
      example: EXAMPLE.instant,
    }),
    failed_share: share('Share of the entries that fail on the chain.', failedShare),
    network_sol: share('Priority fee and rent of each transaction, in SOL.', networkSol),
    tip_sol: share('Tip of each transaction, in SOL.', tipSol),
    terminal_fee: share('Share of each trade that the trading terminal charges.', terminalFee),
    control_share: share('Share of the minutes that are drawn for comparison.', controlShare),
    look_ahead: Type.Optional(
      ChoiceParameter(PROOFS, {
        description:
          'cut_log (default): compare the features of all hits with those of a log that is cut there; none: no proof.',
        invalidStatus: 422,
        example: 'cut_log',
      }),
    ),
  },
  {
    examples: [{ rule: exampleRule('signal'), from: EXAMPLE.hourBefore, to: EXAMPLE.instant }],
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
      links: { 201: BACKTEST_LINKS },
      config: { access: ACCESS },
      bodyLimit: BODY_LIMIT_BYTES,
    } as const;
    app.post('/v1/backtests', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const { rule, variants = [], look_ahead: proof = 'cut_log' } = request.body;
      const outcome = await deps.backtests.add({
        ...{ accountId, rules: [rule, ...variants], isProved: proof === 'cut_log' },
        options: optionsOf(request.body),
      });
      if (outcome.kind === 'refused') {
        throw new ApiError(422, problemsShown(outcome.problems));
      }
      if (outcome.kind === 'full') throw new ApiError(409, fullOf(outcome.jobsMax));
      return reply.code(201).send(BacktestBody.present(outcome.job));
    });
  };

function optionsOf(body: Static<typeof NewBacktest>): BacktestOptions {
  const { from: fromMs, to: toMs } = body;
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
