/**
 * GET /v1/export/{trades,candles,indicators,findings,signals}.csv: all rows of a span of time as a
 * file (CONTRACT §4).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { runForAccount } from '../../lib/current-account.ts';
import { ApiError } from '../../model/errors.ts';
import { EXPORT_KINDS, type ExportKind, type ExportQuery } from '../../model/export.ts';
import { type AnswerRange, touchesGap } from '../../model/slot-range.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { exportStream } from '../present/export-csv.ts';
import { setFreshness } from '../present/freshness.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  AddressParameter,
  type EchoedInstant,
  EchoedInstantParameter,
} from '../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';

const SPAN_DAYS_MAX = 366;
const DAY_MS = 86_400_000;

const SPAN = {
  from: EchoedInstantParameter({ description: 'Start of the span.', example: EXAMPLE.hourBefore }),
  to: EchoedInstantParameter({
    description: `End of the span, exclusive; at most ${SPAN_DAYS_MAX} days after the start.`,
    example: EXAMPLE.instant,
  }),
};

const TOKEN = {
  token_address: Type.Optional(
    AddressParameter({ description: 'Only rows of this token.', example: EXAMPLE.mint }),
  ),
};

const POOL = {
  pair_address: Type.Optional(
    AddressParameter({ description: 'Only rows of this pool.', example: EXAMPLE.pool }),
  ),
};

const OfToken = Type.Object({ ...SPAN, ...TOKEN });
const OfTokenOrPool = Type.Object({ ...SPAN, ...TOKEN, ...POOL });

interface Described {
  readonly noun: string;
  readonly rows: string;
}

const DESCRIPTIONS: Readonly<Record<ExportKind, Described>> = {
  trades: {
    noun: 'trades',
    rows:
      'One row for each swap, by pool and time, or by time for a token; times are block times. ' +
      'Labels are those of now.',
  },
  candles: {
    noun: 'candles',
    rows:
      'Candles of 30 seconds by address and time. The address is a token or a pool: candles of a ' +
      'token have no quote prices, and its prices are those of its primary pool.',
  },
  indicators: {
    noun: 'indicators of pools',
    rows:
      'One row for each pool and minute with a trade, by pool and time. Volumes are cumulative ' +
      'since the first trade.',
  },
  findings: {
    noun: 'fraud findings',
    rows:
      'One row for each published finding that was first found in the span, by token, as of the ' +
      'slot of the export. wallets lists address:role, separated by spaces.',
  },
  signals: {
    noun: 'signals',
    rows: 'One row for each signal issued in the span, oldest first, with its outcome as of now.',
  },
};

const FORMAT =
  ' CSV in UTF-8 with one line of names. Integers stand beside their decimal numbers: _raw is in ' +
  'the smallest unit of the token, _nano in 10⁻⁹ US dollars, _e18 in 10⁻¹⁸ US dollars or quote ' +
  'tokens, _e9 in 10⁻⁹ percent. Unknown values are empty. Free text is in quotes, and an ' +
  'apostrophe precedes one that begins with =, +, -, @, a tab or a carriage return, which programs ' +
  'for tables would run as a formula. Only rows that cannot be reverted are exported, up to the ' +
  'slot in x-slot. The last line is a comment: # and a JSON object with rows, first_slot, ' +
  'last_slot, as_of_slot, gaps (missing slots that may touch the span, newest first, at most ' +
  '1,000), gaps_total and sha256, the digest in hexadecimal of all bytes before that line. A file ' +
  'without it was cut off. An account may have two exports open at a time.';

const INVALID_SPAN = `from must be before to, and at most ${SPAN_DAYS_MAX} days before it.`;
const UNKNOWN_TOKEN = 'This token is not known.';
const UNKNOWN_POOL = 'This pool is not known.';

export const exportRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const kind of EXPORT_KINDS) addRoute(app, deps, kind);
  };

interface Query {
  readonly from: EchoedInstant;
  readonly to: EchoedInstant;
  readonly token_address?: Address;
  readonly pair_address?: Address;
}

function addRoute(app: FastifyInstance, deps: ApiDeps, kind: ExportKind): void {
  const options = { schema: schemaOf(kind), exposeHeadRoute: false };
  app.get<{ Querystring: Query }>(`/v1/export/${kind}.csv`, options, async (request, reply) => {
    const query = toExportQuery(kind, request.query);
    await assertKnown(deps, query);
    const accountId = request.apiKey?.accountId ?? null;
    return await answer(deps, reply, { query, request: request.query, accountId });
  });
}

interface Asked {
  readonly query: ExportQuery;
  readonly request: Query;
  readonly accountId: string | null;
}

async function answer(deps: ApiDeps, reply: FastifyReply, { query, request, accountId }: Asked) {
  const begun = await deps.exports.begin(query);
  const { point, columns } = begun.data;
  const range = { fromMs: query.fromMs, toMs: query.toMs, isStored: true };
  const [first, gaps] = await Promise.all([
    point === null ? NOTHING : deps.exports.portion({ ...query, ...point, after: null }),
    gapsOf(deps, range),
  ]);
  setFreshness(reply, deps, range, begun);
  reply.type('text/csv; charset=utf-8; header=present');
  reply.header('content-disposition', `attachment; filename="${query.kind}.csv"`);
  return exportStream({
    request: {
      kind: query.kind,
      token_address: query.mint,
      pair_address: query.pool,
      from: request.from.text,
      to: request.to.text,
    },
    ...{ columns, slot: begun.slot, gaps, first },
    portionAfter: (after) => {
      if (point === null) throw new TypeError('an export without a point has one portion');
      // The stream outlives the handler: its reads are those of the account all the same.
      return runForAccount(accountId, () => deps.exports.portion({ ...query, ...point, after }));
    },
  });
}

const NOTHING = { lines: new Uint8Array(), rows: 0, firstSlot: null, lastSlot: null, next: null };

async function gapsOf({ chain }: ApiDeps, range: AnswerRange) {
  const { gaps } = await chain.coverage();
  return gaps.filter((gap) => touchesGap([gap], range));
}

function toExportQuery(kind: ExportKind, query: Query): ExportQuery {
  const { timeMs: fromMs } = query.from;
  const { timeMs: toMs } = query.to;
  if (fromMs >= toMs || toMs - fromMs > SPAN_DAYS_MAX * DAY_MS) {
    throw new ApiError(422, INVALID_SPAN);
  }
  const { token_address: mint = null, pair_address: pool = null } = query;
  return { kind, mint, pool, fromMs, toMs };
}

async function assertKnown({ tokens, pools }: ApiDeps, { mint, pool }: ExportQuery): Promise<void> {
  if (mint !== null && (await tokens.find(mint)) === null) throw new ApiError(404, UNKNOWN_TOKEN);
  if (pool === null) return;
  const found = await pools.find(pool);
  if (found === null) throw new ApiError(404, UNKNOWN_POOL);
  if (mint !== null && found.baseMint !== mint) {
    throw new ApiError(404, 'This token has no such pool.');
  }
}

function schemaOf(kind: ExportKind) {
  const { noun, rows } = DESCRIPTIONS[kind];
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return {
    operationId: `export${name}`,
    summary: `Export ${noun} as CSV`,
    description: rows + FORMAT,
    tags: ['exports'],
    querystring: kind === 'findings' ? OfToken : OfTokenOrPool,
    response: {
      200: {
        description: `All ${noun} of the span.`,
        headers: FRESHNESS_HEADERS,
        content: {
          'text/csv': {
            schema: Type.String({ examples: [`slot\n# {"kind":"${kind}","rows":0}\n`] }),
          },
        },
      },
      ...errors({ 400: 'from is required.', 404: UNKNOWN_TOKEN, 422: INVALID_SPAN }),
    },
  };
}
