import { ApiError } from '../../model/errors.ts';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LABEL_LENGTH_MAX,
  WEBHOOK_URL_LENGTH_MAX,
} from '../../model/webhook.ts';
import { requireFields, requireText, validator } from '../parameters/compile-trigger-body.ts';
import { parseText, refusal } from '../parameters/parse-parameter.ts';

/** Validates the body of a new webhook. Unknown fields are ignored. */
export const newWebhookBody = validator((body) => {
  const given = requireFields(body, ['url', 'event_types']);
  const url = requireText(given, 'url');
  const types = readTexts(given.event_types);
  const label = given.label ?? undefined;
  if (label !== undefined && typeof label !== 'string') {
    throw new ApiError(400, 'label must be a string.');
  }
  return {
    url: parseText(url, WEBHOOK_URL_LENGTH_MAX, { name: 'url', status: 422 }),
    event_types: readTypes(types),
    label:
      label === undefined
        ? undefined
        : parseText(label, WEBHOOK_LABEL_LENGTH_MAX, { name: 'label', status: 422 }),
  };
});

function readTexts(types: unknown): readonly string[] {
  if (!Array.isArray(types)) throw new ApiError(400, 'event_types must be an array.');
  return types.map((type: unknown, index) => {
    if (typeof type !== 'string')
      throw new ApiError(400, `event_types[${index}] must be a string.`);
    return type;
  });
}

/** Duplicates are removed. */
function readTypes(types: readonly string[]): readonly string[] {
  const wanted = WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type));
  const isKnown = types.every((type) => WEBHOOK_EVENT_TYPES.some((known) => known === type));
  const isShort = types.length <= WEBHOOK_EVENT_TYPES.length;
  if (wanted.length > 0 && isKnown && isShort) return wanted;
  const expected = `a list of ${WEBHOOK_EVENT_TYPES.join(', ')}`;
  throw refusal({ name: 'event_types', status: 422 }, expected);
}
