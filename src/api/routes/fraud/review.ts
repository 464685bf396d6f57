/** POST /v1/fraud/classifications/{id}/review: stores the review of a finding (CONTRACT §2.7). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import {
  type ClassificationStatus,
  REVIEW_NOTE_LENGTH_MAX,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '../../../model/fraud-review.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import { ClassificationDetailBody, presentDetail } from '../../present/present-classification.ts';
import { ClassificationPath, UNKNOWN_CLASSIFICATION } from '../../schemas/classification-path.ts';
import { writeErrors } from '../../schemas/error-responses.ts';
import { ChoiceParameter, TextParameter } from '../../schemas/parameters.ts';

const ACCESS = 'review:write';

/** Sufficient for a note in any JSON escape, and little more. */
const BODY_LIMIT_BYTES = 16 * 1_024;

const schema = {
  operationId: 'reviewClassification',
  summary: 'Review a classification',
  description:
    'Active classifications can be reviewed, reviewed ones can be confirmed or marked as false ' +
    'positive, and any can be archived. Other transitions return 409. Each transition is ' +
    'recorded with its API key.',
  tags: ['fraud'],
  params: ClassificationPath,
  body: Type.Object(
    {
      status: ChoiceParameter(REVIEW_STATUSES, { description: 'New status.', invalidStatus: 422 }),
      note: Type.Optional(
        TextParameter({
          description: 'Reason for the review, without control characters.',
          maxLength: REVIEW_NOTE_LENGTH_MAX,
          invalidStatus: 422,
        }),
      ),
    },
    { examples: [{ status: 'reviewed', note: 'Two wallets were funded by one payment.' }] },
  ),
  response: {
    200: ClassificationDetailBody,
    ...writeErrors(ACCESS, {
      400: 'status is required.',
      404: UNKNOWN_CLASSIFICATION,
      409: refusalOf('active', 'confirmed'),
      422: `status must be one of ${REVIEW_STATUSES.join(', ')}.`,
    }),
  },
};

export const reviewRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema, config: { access: ACCESS }, bodyLimit: BODY_LIMIT_BYTES } as const;
    app.post('/v1/fraud/classifications/:id/review', options, async (request, reply) => {
      const { status, note = null } = request.body;
      const { keyId, accountId } = keyOf(request);
      const { id: classificationId } = request.params;
      const asked = { classificationId, to: status, note, keyId, accountId };
      const outcome = await deps.fraud.review(asked);
      setFreshness(reply, deps, { isStored: true });
      if (outcome.kind === 'unknown') throw new ApiError(404, UNKNOWN_CLASSIFICATION);
      if (outcome.kind === 'refused') throw new ApiError(409, refusalOf(outcome.from, status));
      return presentDetail(outcome.detail);
    });
  };

function refusalOf(from: ClassificationStatus, to: ReviewStatus): string {
  return `A classification that is ${from} cannot become ${to}.`;
}
