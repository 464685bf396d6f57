/** POST /v1/rules: publishes a rule of the account (decision 0091). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { RULE_BYTES_MAX } from '../../../model/rule-change.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentRule, RuleBody } from '../../present/present-rule.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { exampleRule, problemsShown, RuleText } from '../../schemas/rule-text.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'publishRule',
  summary: 'Publish a rule',
  description:
    'Publishes a rule, or replaces the rule of that name by a higher version. It is judged from the ' +
    'next slot on, and never on what was before. Publishing identical content again has no effect.',
  tags: ['rules'],
  body: Type.Object(
    {
      rule: RuleText('The rule as YAML or JSON.'),
    },
    { examples: [{ rule: exampleRule('alert') }] },
  ),
  response: {
    201: RuleBody,
    ...writeErrors(ACCESS, {
      400: 'rule is required.',
      409: 'The rule quiet-accumulation has version 3: raise the version above it.',
      422: 'when: There is no feature pool.liquidity. Did you mean pool.liquidity_usd? (line 9, column 7)',
    }),
  },
};

export const publishRuleRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = {
      schema,
      config: { access: ACCESS },
      // JSON may escape each character.
      bodyLimit: 6 * RULE_BYTES_MAX,
    } as const;
    app.post('/v1/rules', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const outcome = await deps.rules.publish({ accountId, text: request.body.rule });
      switch (outcome.kind) {
        case 'refused':
          throw new ApiError(422, problemsShown(outcome.problems));
        case 'old':
          throw new ApiError(
            409,
            `The rule has version ${outcome.version} with another content: raise the version above it.`,
          );
        case 'full':
          throw new ApiError(
            409,
            `There is no room for another rule (at most ${outcome.rulesMax} for an account): ` +
              'withdraw one first.',
          );
        default:
          return reply.code(201).send(presentRule(outcome.rule, undefined));
      }
    });
  };
