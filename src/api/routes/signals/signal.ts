/** GET /v1/signals/{row_id}: one signal and the reasons for it (METHODS §6.1 and 6.3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { OPERATOR } from '../../../model/rule-change.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentFoundSignal, SignalDetailBody } from '../../present/signal-detail-body.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { IntegerParameter } from '../../schemas/parameters.ts';

const UNKNOWN_SIGNAL = 'This signal is not known.';

const schema = {
  operationId: 'getSignal',
  summary: 'Retrieve a signal',
  description:
    'Returns a signal with all measured features, the conditions it met, its outcome as of now, ' +
    'and the return that was realisable after all costs. A signal of a rule of the account of the ' +
    'key, or of the operator, has rule_id and author in the place of model_name, and the features ' +
    'that the rule names as evidence. Signals of rules of other accounts, and those reverted by a ' +
    'fork, are not found.',
  tags: ['signals'],
  params: Type.Object({
    row_id: IntegerParameter({
      description: 'ID of the signal.',
      example: EXAMPLE.signalRow,
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  }),
  response: {
    200: SignalDetailBody,
    ...errors({
      400: 'row_id must be a whole number from 1 to 9007199254740991.',
      404: UNKNOWN_SIGNAL,
    }),
  },
};

export const signalRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/signals/:row_id', { schema }, async (request, reply) => {
      const authors = [keyOf(request).accountId, OPERATOR];
      const read = await deps.signals.find(request.params.row_id, authors);
      const detail = read.data;
      const fromSlot = detail?.signal.slot ?? null;
      setFreshness(reply, deps, { fromSlot, isStored: true }, read);
      if (detail === null) throw new ApiError(404, UNKNOWN_SIGNAL);
      return presentFoundSignal(detail, deps.offchain);
    });
  };
