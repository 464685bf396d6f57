/** POST /v1/triggers/add: adds a trigger on a pool or token (specification 4.5, CONTRACT §2.5, §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentTrigger, TriggerBody } from '../../present/present-trigger.ts';
import {
  CONDITIONS_EXAMPLE,
  ConditionList,
  conditionsOf,
  TARGET_CHOICE,
  TriggerId,
  targetOf,
} from '../../requests/trigger-request.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { exactlyOne } from '../../schemas/exactly-one.ts';
import { EXAMPLE } from '../../schemas/examples.ts';

const ACCESS = 'triggers:write';
const TAKEN = 'This trigger_id is already used by a trigger with a different target or conditions.';

const schema = {
  operationId: 'addTrigger',
  summary: 'Add a trigger',
  description:
    'The trigger fires when all its conditions become true, including immediately if they ' +
    'already are, and again after at least one was false in between. Adding an identical ' +
    'trigger again has no effect. The pool does not have to exist yet. A trigger of a token ' +
    '(target.token_address) is compared with the primary pool of the token, the one that gives it ' +
    'its price: from the slot of a migration on with the new pool, whose counts and volumes are ' +
    'its own. What is true of both pools does not fire again. It is not true while the token has ' +
    'no pool. A firing names the pool that was compared.',
  tags: ['triggers'],
  body: Type.Object(
    { trigger_id: TriggerId, ...TARGET_CHOICE, conditions: ConditionList },
    {
      ...exactlyOne('pair_address', 'target'),
      examples: [
        {
          trigger_id: EXAMPLE.trigger,
          pair_address: EXAMPLE.pool,
          conditions: CONDITIONS_EXAMPLE,
        },
      ],
    },
  ),
  response: {
    201: TriggerBody,
    ...writeErrors(ACCESS, {
      400: 'trigger_id is required.',
      409: TAKEN,
      422: 'conditions[0].operator must be one of gt, lt, crosses_above, crosses_below.',
    }),
  },
};

export const addTriggerRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, config: { access: ACCESS } } as const;
    app.post('/v1/triggers/add', options, async (request, reply) => {
      const { accountId } = keyOf(request);
      const { trigger_id: triggerId } = request.body;
      const given = { target: targetOf(request.body), ...conditionsOf(request.body.conditions) };
      const outcome = await deps.triggers.add({ accountId, triggerId, ...given });
      if (outcome.kind === 'taken') throw new ApiError(409, TAKEN);
      if (outcome.kind === 'full') throw new ApiError(409, fullOf(outcome.triggersMax));
      if (outcome.kind === 'unknown') throw new Error('trigger not stored');
      return reply.code(201).send(presentTrigger(outcome.trigger));
    });
  };

function fullOf(triggersMax: number): string {
  return `This account has ${triggersMax} triggers, the maximum: remove one first.`;
}
