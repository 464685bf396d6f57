/** DELETE /v1/triggers/remove: removes a trigger (specification 4.7, CONTRACT §2.5). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { TRIGGER_ID_LENGTH_MAX } from '../../../model/trigger.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { presentTrigger, TriggerBody } from '../../present/present-trigger.ts';
import { allowEmptyBody } from '../../requests/allow-empty-body.ts';
import { TriggerId } from '../../requests/trigger-request.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { TextParameter } from '../../schemas/parameters.ts';
import { UNKNOWN_TRIGGER } from '../../schemas/trigger-body.ts';

const ACCESS = 'triggers:write';
const MISSING = 'trigger_id is required in the body or in the query.';

const schema = {
  operationId: 'removeTrigger',
  summary: 'Remove a trigger',
  description:
    'Pass trigger_id in a JSON body, or in the query because some proxies drop the body of a ' +
    'DELETE request. Past firings are kept.',
  tags: ['triggers'],
  querystring: Type.Object({
    trigger_id: Type.Optional(
      TextParameter({
        description: 'ID of the trigger, for requests without a body.',
        maxLength: TRIGGER_ID_LENGTH_MAX,
      }),
    ),
  }),
  body: Type.Object(
    { trigger_id: Type.Optional(TriggerId) },
    { default: {}, examples: [{ trigger_id: EXAMPLE.trigger }] },
  ),
  response: {
    200: TriggerBody,
    ...writeErrors(ACCESS, { 400: MISSING, 404: UNKNOWN_TRIGGER }),
  },
};

export const removeTriggerRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    allowEmptyBody(app);
    const options = { schema, config: { access: ACCESS } } as const;
    app.delete('/v1/triggers/remove', options, async (request) => {
      const { accountId } = keyOf(request);
      const triggerId = nameOf(request.body.trigger_id, request.query.trigger_id);
      const outcome = await deps.triggers.remove({ accountId, triggerId });
      if (outcome.kind !== 'done') throw new ApiError(404, UNKNOWN_TRIGGER);
      return presentTrigger(outcome.trigger, 'removed');
    });
  };

function nameOf(inBody: string | undefined, inQuery: string | undefined): string {
  const name = inBody ?? inQuery;
  if (name === undefined) throw new ApiError(400, MISSING);
  if (inQuery !== undefined && inQuery !== name) {
    throw new ApiError(400, 'trigger_id must be the same in the body and in the query.');
  }
  return name;
}
