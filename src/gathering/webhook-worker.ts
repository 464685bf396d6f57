/** The thread that sends webhooks: it knows no secret, no store and no setting but where it may go. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest } from '../alerts/webhooks/webhook-sender.ts';
import { targetRules } from '../alerts/webhooks/webhook-target.ts';
import { lookUpLocally } from '../lib/safe-fetch/look-up-locally.ts';
import { createSafeFetch, type SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';
import type { FromWebhooks, ToWebhooks, WebhookSettings } from './webhook-messages.ts';

/** To be answered within; connecting is part of it. */
const TIMEOUT_MS = 5_000;
/** As many as there are attempts at a time: nobody waits for another within his time. */
const PER_HOST_MAX = 32;

/** How a request to a URL is made; origins that the operator named may be anywhere. */
function fetchFor(url: string, { privateOrigins, timeoutMs }: WebhookSettings): SafeFetch {
  const rules = targetRules(url, privateOrigins);
  return createSafeFetch({
    ...rules,
    // The operator's own origins may stand in this machine's list of hosts.
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
    // What the receiver says beside its status is of no use, and is not read.
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
