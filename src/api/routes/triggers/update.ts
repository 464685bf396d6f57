/**
 * PUT /v1/triggers/update: replaces the conditions of a trigger (specification 4.6, CONTRACT §2.5).
 */
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
  TriggerId,
} from '../../requests/trigger-request.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { UNKNOWN_TRIGGER } from '../../schemas/trigger-body.ts';

const ACCESS = 'triggers:write';

const schema = {
  operationId: 'updateTrigger',
  summary: 'Replace the conditions of a trigger',
  description:
    'The trigger fires immediately if the new conditions are true. Identical conditions have no ' +
    'effect.',
  tags: ['triggers'],
  body: Type.Object(
    { trigger_id: TriggerId, conditions: ConditionList },
    { examples: [{ trigger_id: EXAMPLE.trigger, conditions: CONDITIONS_EXAMPLE }] },
  ),
  response: {
    200: TriggerBody,
    ...writeErrors(ACCESS, {
      400: 'trigger_id is required.',
      404: UNKNOWN_TRIGGER,
      422: 'conditions[0].operator must be one of gt, lt, crosses_above, crosses_below.',
    }),
  },
};

export const updateTriggerRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, config: { access: ACCESS } } as const;
    app.put('/v1/triggers/update', options, async (request) => {
      const { accountId } = keyOf(request);
      const { trigger_id: triggerId, conditions } = request.body;
      const given = conditionsOf(conditions);
      const outcome = await deps.triggers.update({ accountId, triggerId }, given);
      if (outcome.kind !== 'done') throw new ApiError(404, UNKNOWN_TRIGGER);
      return presentTrigger(outcome.trigger);
    });
  };
