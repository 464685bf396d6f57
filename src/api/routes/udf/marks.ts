/** GET /udf/marks: what happened to a token, as marks on the bars of charts (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { RESOLUTION_MS, RESOLUTIONS, UNIX_SECONDS_MAX } from '../../parameters/udf-resolution.ts';
import { setFreshness } from '../../present/freshness.ts';
import {
  type ChartMark,
  MARKED_BUNDLES_MAX,
  MARKED_HITS_MAX,
  type MarkKind,
  readChartMarks,
} from '../../requests/chart-marks.ts';
import { findUdfSymbol, UNKNOWN_SYMBOL } from '../../requests/udf-symbol.ts';
import { askedAuthors, ResultAuthorsParameter } from '../../schemas/author-parameter.ts';
import { udfErrors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import { AddressParameter, ChoiceParameter, IntegerParameter } from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

/** Newest marks of an answer: charts draw no more than some hundred. */
const MARKS_MAX = 500;
/** Sentences in one mark. */
const TEXTS_MAX = 6;

/** How a chart draws the marks of a kind. */
interface MarkStyle {
  readonly label: string;
  readonly color: string;
}

const MARK_STYLES: Readonly<Record<MarkKind, MarkStyle>> = {
  launch: { label: 'L', color: 'blue' },
  migration: { label: 'M', color: 'blue' },
  bundle: { label: 'B', color: 'yellow' },
  finding: { label: 'F', color: 'red' },
  signal: { label: 'S', color: 'green' },
  rule_hit: { label: 'R', color: 'green' },
};

const Query = Type.Object({
  symbol: AddressParameter({ description: 'Mint or pool address.', example: EXAMPLE.mint }),
  resolution: ChoiceParameter(RESOLUTIONS, {
    description: 'Length of a bar: marks of one kind in one bar are one mark.',
    example: '1',
    invalidStatus: 422,
  }),
  from: IntegerParameter({
    description: 'Start in Unix seconds.',
    example: EXAMPLE.unixSeconds - 3_600,
    minimum: 0,
    maximum: UNIX_SECONDS_MAX,
  }),
  to: IntegerParameter({
    description: 'End in Unix seconds, exclusive.',
    example: EXAMPLE.unixSeconds,
    minimum: 0,
    maximum: UNIX_SECONDS_MAX,
  }),
  author: Type.Optional(ResultAuthorsParameter('marked R')),
});

const Mark = Type.Object(
  {
    id: Type.String({ description: 'Unique for the symbol and the resolution.' }),
    time: Type.Integer({ description: 'Start of the bar in Unix seconds.' }),
    color: Type.String({ description: 'Name of a colour.' }),
    text: Type.String({ description: 'A sentence for each event, at most six.' }),
    label: Type.String({
      description:
        'L first liquidity, M migration, B bundle, F finding, S signal, R hit of a rule.',
    }),
    labelFontColor: Type.String(),
    minSize: Type.Integer({ description: 'Smallest size in pixels.' }),
  },
  { title: 'UdfMark' },
);

const schema = {
  operationId: 'getUdfMarks',
  summary: 'Marks of a chart',
  description:
    'First liquidity, migration, bundles, reported findings and signals of the token, oldest ' +
    `first, the newest ${MARKS_MAX} of them. Of bundles the newest ${MARKED_BUNDLES_MAX} of the ` +
    'token are considered. With author, hits of rules for the token are marked too, of which the ' +
    `newest ${MARKED_HITS_MAX} of the range are considered; findings and signals are left out if ` +
    'author does not name built_in.',
  tags: ['charts'],
  querystring: Query,
  response: {
    200: {
      ...Type.Array(Mark),
      description: 'The marks.',
      headers: FRESHNESS_HEADERS,
      examples: [
        [
          {
            id: 'launch-1736951400',
            time: 1_736_951_400,
            color: 'blue',
            text: 'The first liquidity was added.',
            label: 'L',
            labelFontColor: 'white',
            minSize: 14,
          },
        ],
      ],
    },
    ...udfErrors({
      400: 'symbol is required.',
      404: UNKNOWN_SYMBOL,
      422: 'from must be before to.',
    }),
  },
};

export const udfMarksRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/udf/marks', { schema }, async (request, reply) => {
      const { symbol, from, to, resolution } = request.query;
      if (from >= to) throw new ApiError(422, 'from must be before to.');
      const found = await findUdfSymbol(deps, symbol);
      if (found === null) throw new ApiError(404, UNKNOWN_SYMBOL);
      const range = { fromMs: from * 1_000, toMs: to * 1_000 };
      if (found.token === null) {
        setFreshness(reply, deps, range);
        return [];
      }
      const authors = askedAuthors(request.query.author, keyOf(request).accountId);
      const read = await readChartMarks(deps, found.token, range, authors);
      setFreshness(reply, deps, { ...range, isStored: true }, read);
      return toMarks(read.data, RESOLUTION_MS[resolution]).slice(-MARKS_MAX);
    });
  };

/** One mark for each kind and bar. */
function toMarks(marks: readonly ChartMark[], intervalMs: number): Static<typeof Mark>[] {
  const barMsOf = ({ timeMs }: ChartMark) => Math.floor(timeMs / intervalMs) * intervalMs;
  const groups = Map.groupBy(marks, (mark) => `${mark.kind}-${barMsOf(mark) / 1_000}`);
  return Array.from(groups, ([id, group]) => {
    const [first] = group as [ChartMark];
    const { label, color } = MARK_STYLES[first.kind];
    return {
      id,
      time: barMsOf(first) / 1_000,
      color,
      text: sentences(group),
      label,
      labelFontColor: color === 'yellow' ? 'black' : 'white',
      minSize: 14,
    };
  });
}

function sentences(group: readonly ChartMark[]): string {
  const texts = group.slice(0, TEXTS_MAX).map(({ text }) => text);
  const left = group.length - texts.length;
  return [...texts, ...(left > 0 ? [`And ${left} more.`] : [])].join('\n');
}
