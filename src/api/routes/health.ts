/** GET /livez and /readyz: liveness and readiness (CONTRACT §1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SharedResult } from '../../lib/shared-result.ts';
import { ApiError } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { ChainStatus, Readiness } from '../chain-status.ts';
import { MALFORMED, OPERATOR_ERRORS, unavailable } from '../schemas/error-responses.ts';

/** Probes without a key are not rate-limited: they share one check per interval. */
const READINESS_KEPT_MS = 250;
const STOPPED = 'The chain is no longer followed: see GET /readyz.';

const liveSchema = {
  operationId: 'getLiveness',
  summary: 'Liveness',
  description:
    'Whether the process should be left running. It stays live while its store fails for a ' +
    'transient reason, because it recovers without a restart; /readyz reports the failure and ' +
    'its start.',
  tags: ['operations'],
  security: [],
  response: {
    200: Type.Object(
      { status: Type.Literal('live') },
      {
        description: 'The process is ingesting the chain or retrying to.',
        examples: [{ status: 'live' }],
      },
    ),
    ...MALFORMED,
    ...unavailable(STOPPED),
  },
};

const Checks = Type.Record(
  Type.String(),
  Type.Object({ ok: Type.Boolean(), detail: Type.String() }),
  { description: 'Results of the checks by name.' },
);

const readySchema = {
  operationId: 'getReadiness',
  summary: 'Readiness',
  description:
    'Checks the store, the source lag, open gaps and program changes. No key is required on the ' +
    'same machine. Gaps and program changes are reported but do not make the service unready; ' +
    'x-complete shows whether a gap affects a response. After a start, 503 with the check ' +
    'log_applied until the stored log is applied; reads are answered meanwhile. x-slot is the slot ' +
    'that reads are answered as of; without it none are answered.',
  tags: ['operations'],
  response: {
    200: Type.Object(
      { status: Type.Literal('ready'), checks: Checks },
      {
        description: 'The service is ready for requests.',
        examples: [
          {
            status: 'ready',
            checks: {
              store_writable: { ok: true, detail: 'ok' },
              source_lag: { ok: true, detail: '412 ms, 1 slots behind the chain' },
              gaps: { ok: false, detail: '1 open: 326027760-326027763 (no provider has them)' },
              venues: {
                ok: false,
                detail: 'pump since slot 326027759: 31.20 % of instructions unknown, 0.00 % before',
              },
            },
          },
        ],
      },
    ),
    ...OPERATOR_ERRORS,
    ...unavailable(
      'Not ready: store_writable: since 2026-11-23T07:00:00.000Z, tried 4 times: Writing slot ' +
        '326027760 and after (epoch 1) failed: No space left on device.',
    ),
  },
};

/** What health depends on; a process without an API has it too. */
export interface HealthDeps {
  readonly chain: Pick<ChainStatus, 'readiness' | 'standstill'> &
    Partial<Pick<ChainStatus, 'freshness'>>;
  steadyNowMs(): number;
}

export const healthRoutes =
  (deps: HealthDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readiness = new SharedResult(
      () => deps.chain.readiness(),
      READINESS_KEPT_MS,
      () => deps.steadyNowMs(),
    );
    app.get('/livez', { schema: liveSchema, config: { access: 'public' } }, () => {
      if (deps.chain.standstill()?.isLasting === true) throw new ApiError(503, STOPPED);
      return { status: 'live' as const };
    });
    app.get(
      '/readyz',
      { schema: readySchema, config: { access: 'operator' } },
      async (_, reply) => {
        const slot = answeredSlot(deps);
        if (slot !== null) reply.header('x-slot', String(slot));
        const { isReady, checks } = await readiness.get();
        if (!isReady) throw new ApiError(503, `Not ready: ${describeFailures(checks)}.`);
        return { status: 'ready' as const, checks };
      },
    );
  };

/** The slot that reads are answered as of; null if none are answered. */
function answeredSlot({ chain }: HealthDeps): Slot | null {
  if (chain.standstill()?.isContradicted === true) return null;
  return chain.freshness?.().slot ?? null;
}

function describeFailures(checks: Readiness['checks']): string {
  return Object.entries(checks)
    .filter(([, { ok }]) => !ok)
    .map(([name, { detail }]) => `${name}: ${detail}`)
    .join('; ');
}
