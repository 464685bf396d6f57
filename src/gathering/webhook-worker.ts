/**
 * The thread that sends webhooks. It has no access to secrets, stores and settings, except for its
 * allowed origins.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest } from '../alerts/webhooks/webhook-sender.ts';
import { targetRules } from '../alerts/webhooks/webhook-target.ts';
import { lookUpLocally } from '../lib/safe-fetch/look-up-locally.ts';
import { createSafeFetch, type SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';
import type { FromWebhooks, ToWebhooks, WebhookSettings } from './webhook-messages.ts';

/** Timeout of a request, including connecting. */
const TIMEOUT_MS = 5_000;
/** At least the number of concurrent attempts, so that no request waits for another. */
const PER_HOST_MAX = 32;

/** Fetcher for a URL. Origins named by the operator may have private addresses. */
function fetchFor(url: string, { privateOrigins, timeoutMs }: WebhookSettings): SafeFetch {
  const rules = targetRules(url, privateOrigins);
  return createSafeFetch({
    ...rules,
    // The operator's own origins may be in the local hosts file.
    ...(rules.areLocalNamesAllowed === true ? { resolve: lookUpLocally } : {}),
    gateways: { ipfs: [], arweave: [] },
    redirectsMax: 0,
    headersTimeoutMs: timeoutMs ?? TIMEOUT_MS,
    totalTimeoutMs: timeoutMs ?? TIMEOUT_MS,
    perHostMax: PER_HOST_MAX,
  });
}

async function attempt(
  { url, headers, body }: OutgoingRequest,
  settings: WebhookSettings,
): Promise<AttemptResult> {
  const startedMs = performance.now();
  const outcome = await fetchFor(url, settings)(url, {
    method: 'POST',
    headers: { ...headers, 'user-agent': settings.userAgent },
    body: Buffer.from(body),
    // The body of the response is not used, and not read.
    sizeMaxBytes: 0,
  });
  const durationMs = performance.now() - startedMs;
  if (outcome.kind === 'refused') {
    return { kind: 'unanswered', error: outcome.reason, durationMs };
  }
  const { status, retryAfter } = outcome;
  return { kind: 'answered', status, retryAfter, durationMs };
}

parentPort?.on('message', ({ id, request }: ToWebhooks) => {
  void attempt(request, workerData as WebhookSettings).then((result) => {
    parentPort?.postMessage({ id, result } satisfies FromWebhooks);
  });
});
