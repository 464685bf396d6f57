import type { HttpAnswer, HttpClient, HttpFailure } from '../../../lib/http-client/http-client.ts';
import type { PollOutcome } from '../../collecting/poll.ts';
import { fieldsOf, idOf, listOf } from '../../collecting/read-fields.ts';
import { xRefusal } from './x-refusal.ts';

export const RULES_PATH = '/2/tweets/search/stream/rules';
/** The tag of this service's rules; other rules of the same project are not changed. */
const TAG = 'mintscope';
/** Maximum rule changes in one request. */
const CHANGES_MAX = 100;
const CREATED = 201;

export interface RuleParts {
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Called before each request. */
  readonly onRequest: () => Promise<void>;
}

/** Makes the tagged rules on the server equal to `wanted`. Null on success. */
export async function agreeOnRules(
  wanted: readonly string[],
  parts: RuleParts,
): Promise<PollOutcome | null> {
  await parts.onRequest();
  const listed = await parts.client.request({ path: RULES_PATH }, parts.signal);
  const refusal = xRefusal(listed, parts.nowMs());
  if (refusal !== null) return refusal;
  const ours = listed.kind === 'answer' ? readRules(listed.json) : new Map<string, string>();
  const gone = [...ours].filter(([value]) => !wanted.includes(value)).map(([, id]) => id);
  const missing = wanted.filter((value) => !ours.has(value));
  const changes = [
    ...batches(gone).map((ids) => ({ delete: { ids } })),
    ...batches(missing).map((values) => ({ add: values.map((value) => ({ value, tag: TAG })) })),
  ];
  for (const change of changes) {
    await parts.onRequest();
    const body = { contentType: 'application/json', text: JSON.stringify(change) };
    const request = { method: 'POST', path: RULES_PATH, body } as const;
    const answer = await parts.client.request(request, parts.signal);
    const refused = isCreated(answer) ? null : xRefusal(answer, parts.nowMs());
    if (refused !== null) return refused;
  }
  return null;
}

/** Ids of the tagged rules by their value. */
function readRules(json: unknown): Map<string, string> {
  const rules = new Map<string, string>();
  for (const rule of listOf(fieldsOf(json).data)) {
    const { id, value, tag } = fieldsOf(rule);
    const ruleId = idOf(id);
    if (tag === TAG && ruleId !== null && typeof value === 'string') rules.set(value, ruleId);
  }
  return rules;
}

function isCreated(answer: HttpAnswer | HttpFailure): boolean {
  return answer.kind === 'answer' && answer.status === CREATED;
}

function batches<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / CHANGES_MAX);
  return Array.from({ length: count }, (_, at) =>
    values.slice(at * CHANGES_MAX, (at + 1) * CHANGES_MAX),
  );
}
