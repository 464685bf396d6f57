import type { FastifyReply, FastifyRequest } from 'fastify';
import { createMetrics } from '../src/api/http/metrics.ts';
import { createRateLimiter } from '../src/api/http/rate-limit.ts';
import { createRequestId } from '../src/api/http/request-id.ts';
import { SECURITY_HEADERS } from '../src/api/http/security-headers.ts';
import { KeptAnswers } from '../src/api/kept/kept-answers.ts';
import { readKeptHead } from '../src/api/kept/read-kept-head.ts';
import { presentCurrentIndicators } from '../src/api/present/current-indicators.ts';
import { dataAgeMs } from '../src/api/present/freshness.ts';
import { IndicatorsBody } from '../src/api/present/indicators-body.ts';
import { compileResponse } from '../src/api/schemas/compile-response.ts';
import { RemoteCalls } from '../src/bridge/remote-calls.ts';
import { remoteReads } from '../src/bridge/remote-reads.ts';
import type { ServiceReads } from '../src/bridge/service-reads.ts';
import { KeyTable } from '../src/store/control/api-keys.ts';
import { openControlPlane } from '../src/store/control/control-plane.ts';
import {
  fakeApiDeps,
  fakeIndicators,
  fakePool,
  SLOT_TIME_MS,
} from '../tests/support/fake-api-deps.ts';
import { OTHER_THREAD, poolNumber } from './hot-read-rows.ts';
import { startRowThread } from './row-thread.ts';

const REPEATS = 200_000;
const ROUNDS = 5;
const CALLS = 5_000;

export type Part = readonly [name: string, micros: number];

/** Processor time of what a hot read does, each part alone. */
export async function measureParts(): Promise<readonly Part[]> {
  let forgets = 0;
  let nowMs = Date.now();
  const keys = new KeyTable(openControlPlane(':memory:'), { nowMs: () => nowMs + forgets });
  const request = { accountId: 'a', scopes: ['read'], label: '', expiresAtMs: null } as const;
  const { text, key } = keys.create(request);
  const limiter = createRateLimiter({ perMinute: 1e9, burst: 1e9 });
  const requestId = createRequestId();
  const metrics = createMetrics();
  const deps = fakeApiDeps({ nowMs: Date.now, steadyNowMs: () => performance.now() });
  const found = { pool: fakePool(), indicators: fakeIndicators() };
  const serialise = compileResponse(IndicatorsBody.schema);
  const body = presentCurrentIndicators(deps, found, SLOT_TIME_MS);
  const { kept, url, raw } = keptAnswer(text, serialise(body));
  const parts: Part[] = [
    ['find the kept answer', cpuMicrosOf(() => kept.find(url))],
    ['read the head of the request', cpuMicrosOf(() => readKeptHead(raw))],
    ['check a key in use', cpuMicrosOf(() => keys.authenticate(text))],
    [
      'check a key again, once in two seconds',
      cpuMicrosOf(() => {
        forgets += 2_000;
        keys.authenticate(text);
      }, REPEATS / 20),
    ],
    ['count for the rate limit', cpuMicrosOf(() => limiter.take(key.keyId, nowMs++))],
    ['ID of the request', cpuMicrosOf(() => requestId(undefined))],
    ['age of the data', cpuMicrosOf(() => String(dataAgeMs(deps, SLOT_TIME_MS)))],
    [
      'count and time for metrics',
      cpuMicrosOf(() => metrics.observeRequest('GET', '/v1/x', 200, 0.001)),
    ],
    ['make the body', cpuMicrosOf(() => presentCurrentIndicators(deps, found, SLOT_TIME_MS))],
    ['serialise the body', cpuMicrosOf(() => serialise(body))],
    ['call the other thread, both sides', await crossingMicros()],
  ];
  return parts;
}

/** Rows of a pool from another thread, with their copies on both sides. */
async function crossingMicros(): Promise<number> {
  const thread = startRowThread((id, answer) => calls.answered(id, answer));
  const calls = new RemoteCalls(OTHER_THREAD, (message) => thread.post(message));
  const { rows } = remoteReads<ServiceReads>((name, args) => calls.call(name, args));
  const names = ['pool', 'indicators'] as const;
  const ask = async (count: number) => {
    for (let at = 0; at < count; at += 16) {
      const batch = Array.from({ length: 16 }, (_, number) =>
        rows.current(names.map((kind) => ({ kind, address: poolNumber(at + number) }))),
      );
      await Promise.all(batch);
    }
  };
  await ask(CALLS);
  const before = process.cpuUsage();
  await ask(CALLS);
  const { user, system } = process.cpuUsage(before);
  await thread.close();
  return (user + system) / CALLS;
}

function keptAnswer(key: string, body: string) {
  const kept = new KeptAnswers({ publications: () => 0, steadyNowMs: () => 0 });
  const url = `/v1/indicators/current?pair_address=${poolNumber(0)}`;
  const raw = { url, rawHeaders: ['Host', 'localhost', 'X-API-Key', key] };
  const request = { method: 'GET', raw, routeOptions: { url: '/v1/x' } };
  const reply = { getHeaders: () => SECURITY_HEADERS };
  kept.keep(
    request as unknown as FastifyRequest,
    reply as unknown as FastifyReply,
    body,
    SLOT_TIME_MS,
  );
  return { kept, url, raw };
}

/** The least of several rounds: disturbances can only add to it. */
function cpuMicrosOf(run: () => unknown, repeats: number = REPEATS): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let at = 0; at < repeats; at++) run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / repeats);
  }
  return least;
}
