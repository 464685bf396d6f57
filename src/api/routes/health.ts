/** GET /livez and /readyz: is the process there, and may it be given work (CONTRACT §1). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SharedResult } from '../../lib/shared-result.ts';
import { ApiError } from '../../model/errors.ts';
import type { Readiness } from '../chain-status.ts';
import type { ApiDeps } from '../deps.ts';
import { COMMON_ERRORS, unavailable } from '../schemas/error-responses.ts';

/** Probes may come without a key and as fast as they like: they cost one check in this time. */
const READINESS_KEPT_MS = 250;
const STOPPED = 'The chain is followed no longer: GET /readyz says why.';

const liveSchema = {
  operationId: 'getLiveness',
  summary: 'Liveness',
  description:
    'Whether there is a use in leaving the process alone. It is live while its store fails for a reason ' +
    'that may pass: it goes on by itself, and /readyz says what fails and since when.',
  tags: ['operations'],
  security: [],
  response: {
    200: Type.Object(
      { status: Type.Literal('live') },
      {
        description: 'The process takes the chain in, or goes on trying to.',
        examples: [{ status: 'live' }],
      },
    ),
    ...unavailable(STOPPED),
  },
};

const Checks = Type.Record(
  Type.String(),
  Type.Object({ ok: Type.Boolean(), detail: Type.String() }),
  { description: 'Each check by name: what was found.' },
);

const readySchema = {
  operationId: 'getReadiness',
  summary: 'Readiness',
  description:
    'Store, source lag, open gaps and programs that changed. Needs no key on the same machine. Gaps ' +
    'and changed programs are shown and do not keep work away: answers say by x-complete whether a ' +
    'gap touches them.',
  tags: ['operations'],
  response: {
    200: Type.Object(
      { status: Type.Literal('ready'), checks: Checks },
      {
        description: 'The service may be given work.',
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
    ...COMMON_ERRORS,
    ...unavailable(
      'Not ready: store_writable: since 2026-11-23T07:00:00.000Z, tried 4 times: Writing slot 326027760 ' +
        'and after (epoch 1) failed: No space left on device.',
    ),
  },
};

export const healthRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
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
    app.get('/readyz', { schema: readySchema, config: { access: 'operator' } }, async () => {
      const { isReady, checks } = await readiness.get();
      if (!isReady) throw new ApiError(503, `Not ready: ${describeFailures(checks)}.`);
      return { status: 'ready' as const, checks };
    });
  };

function describeFailures(checks: Readiness['checks']): string {
  return Object.entries(checks)
    .filter(([, { ok }]) => !ok)
    .map(([name, { detail }]) => `${name}: ${detail}`)
    .join('; ');
}
