/**
 * GET /v1/export/{trades,candles,indicators,findings,signals}.{csv,parquet}: all rows of a span of time
 * as a file (CONTRACT §4).
 */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { runForAccount } from '../../lib/current-account.ts';
import { ApiError } from '../../model/errors.ts';
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
  type ExportQuery,
} from '../../model/export.ts';
import { type AnswerRange, touchesGap } from '../../model/slot-range.ts';
import type { ApiDeps } from '../deps.ts';
import { keyOf } from '../http/admission.ts';
import { csvChunks } from '../present/export-csv.ts';
import type { ExportFile } from '../present/export-file.ts';
import { parquetChunks } from '../present/export-parquet.ts';
import { setFreshness } from '../present/freshness.ts';
import { askedAuthors, ResultAuthorsParameter } from '../schemas/author-parameter.ts';
import { errors } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { EVERY_EXPORT, EXPORT_TEXTS, EXPORTED_ROWS } from '../schemas/export-texts.ts';
import { AddressParameter, EchoedInstantParameter } from '../schemas/parameters.ts';
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

const OfTokenOrPool = Type.Object({ ...SPAN, ...TOKEN, ...POOL });
const OfTokenOrPoolAndAuthors = Type.Object({
  ...OfTokenOrPool.properties,
  author: Type.Optional(
    ResultAuthorsParameter(
      'have rule_id and author instead of model_name; without them there are no such columns',
    ),
  ),
});

const PARAMETERS: Readonly<Record<ExportKind, TObject>> = {
  trades: OfTokenOrPool,
  candles: OfTokenOrPool,
  indicators: OfTokenOrPool,
  findings: OfTokenOrPool,
  signals: OfTokenOrPoolAndAuthors,
};

const INVALID_SPAN = `from must be before to, and at most ${SPAN_DAYS_MAX} days before it.`;
const UNKNOWN_TOKEN = 'This token is not known.';
const UNKNOWN_POOL = 'This pool is not known.';

export const exportRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const kind of EXPORT_KINDS) {
      for (const format of EXPORT_FORMATS) addRoute(app, deps, kind, format);
    }
  };

/** Parsed parameters; each kind takes some of them. */
type Query = Static<typeof OfTokenOrPoolAndAuthors>;

function addRoute(app: FastifyInstance, deps: ApiDeps, kind: ExportKind, format: ExportFormat) {
  const options = { schema: schemaOf(kind, format), exposeHeadRoute: false };
  const path = `/v1/export/${kind}.${format}`;
  app.get<{ Querystring: Query }>(path, options, async (request, reply) => {
    const { accountId } = keyOf(request);
    const authors = askedAuthors(request.query.author, accountId);
    const query = { ...toExportQuery(kind, format, request.query), authors };
    await assertKnown(deps, query);
    return await answer(deps, reply, { query, request: request.query, accountId });
  });
}

interface Asked {
  readonly query: ExportQuery;
  readonly request: Query;
  readonly accountId: string;
}

async function answer(deps: ApiDeps, reply: FastifyReply, { query, request, accountId }: Asked) {
  const begun = await deps.exports.begin(query);
  const { point, columns, empty } = begun.data;
  const range = { fromMs: query.fromMs, toMs: query.toMs, isStored: true };
  const [first, gaps] = await Promise.all([
    point === null ? NOTHING : deps.exports.portion({ ...query, ...point, after: null }),
    gapsOf(deps, range),
  ]);
  setFreshness(reply, deps, range, begun);
  const { mediaType, chunksOf } = FILES[query.format];
  reply.type(mediaType);
  reply.header('content-disposition', `attachment; filename="${query.kind}.${query.format}"`);
  const file: ExportFile = {
    request: {
      kind: query.kind,
      token_address: query.mint,
      pair_address: query.pool,
      from: request.from.text,
      to: request.to.text,
      ...(query.authors === null ? {} : { author: request.author?.join() ?? null }),
    },
    columns,
    empty,
    slot: begun.slot,
    gaps,
    first,
    portionAfter: (after) => {
      if (point === null) throw new TypeError('an export without a point has one portion');
      // The stream outlives the handler: its reads are those of the account all the same.
      return runForAccount(accountId, () => deps.exports.portion({ ...query, ...point, after }));
    },
  };
  return Readable.from(chunksOf(file));
}

/** How a file of each format is written. */
const FILES: Readonly<Record<ExportFormat, FileWriter>> = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', chunksOf: csvChunks },
  parquet: { mediaType: 'application/vnd.apache.parquet', chunksOf: parquetChunks },
};

interface FileWriter {
  readonly mediaType: string;
  readonly chunksOf: (file: ExportFile) => AsyncGenerator<Uint8Array>;
}

const NOTHING = { bytes: new Uint8Array(), rows: 0, firstSlot: null, lastSlot: null, next: null };

async function gapsOf({ chain }: ApiDeps, range: AnswerRange) {
  const { gaps } = await chain.coverage();
  return gaps.filter((gap) => touchesGap([gap], range));
}

function toExportQuery(
  kind: ExportKind,
  format: ExportFormat,
  query: Query,
): Omit<ExportQuery, 'authors'> {
  const { timeMs: fromMs } = query.from;
  const { timeMs: toMs } = query.to;
  if (fromMs >= toMs || toMs - fromMs > SPAN_DAYS_MAX * DAY_MS) {
    throw new ApiError(422, INVALID_SPAN);
  }
  const { token_address: mint = null, pair_address: pool = null } = query;
  return { kind, format, mint, pool, fromMs, toMs };
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

function schemaOf(kind: ExportKind, format: ExportFormat) {
  const { noun, rows } = EXPORTED_ROWS[kind];
  const { suffix, title, text } = EXPORT_TEXTS[format];
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return {
    operationId: `export${name}${suffix}`,
    summary: `Export ${noun} as ${title}`,
    description: `${rows} ${text} ${EVERY_EXPORT}`,
    tags: ['exports'],
    querystring: PARAMETERS[kind],
    response: {
      200: {
        description: `All ${noun} of the span.`,
        headers: FRESHNESS_HEADERS,
        content: CONTENT[format],
      },
      ...errors({ 400: 'from is required.', 404: UNKNOWN_TOKEN, 422: INVALID_SPAN }),
    },
  };
}

const CONTENT = {
  csv: { 'text/csv': { schema: Type.String({ examples: ['slot\n# {"rows":0}\n'] }) } },
  parquet: {
    'application/vnd.apache.parquet': { schema: Type.String({ format: 'binary' }) },
  },
};
