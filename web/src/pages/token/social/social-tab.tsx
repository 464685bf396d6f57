import { useMemo } from 'preact/hooks';
import type { BodyOf } from '../../../api/client.ts';
import { LineChart } from '../../../charts/line-chart.tsx';
import { plainDecimal } from '../../../charts/plain-decimal.ts';
import { formatCompact, formatCount } from '../../../format/numbers.ts';
import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { choiceInQuery, setQuery } from '../../../state/router.ts';
import { useRead } from '../../../state/use-read.ts';
import { Segments } from '../../../ui/controls.tsx';
import { Figure, FigureRow, NamedFigure } from '../../../ui/figure.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import { TooFew } from '../../../ui/states.tsx';
import { SpanChoice } from '../span-choice.tsx';
import { rangeOf, type Span, spanInQuery } from '../time-span.ts';
import { useKept } from '../use-kept.ts';
import { PostsPanel } from './posts-panel.tsx';

type Summary = BodyOf<'/v1/socials/summary'>;

const SUMMARY_EVERY_MS = 15_000;
const VIEWS = ['filtered', 'raw'] as const;

/** What is posted about the token: mood, reach, number and the posts themselves. */
export function SocialTab({ mint }: { readonly mint: string }) {
  const summary = useRead(
    '/v1/socials/summary',
    { token_address: mint },
    { everyMs: SUMMARY_EVERY_MS },
  );
  return (
    <ReadView read={summary} rows={6}>
      {(body) => (
        <>
          <SummaryPanel summary={body} />
          <SeriesPanel mint={mint} since={body.tracking_since} />
          <PostsPanel mint={mint} />
        </>
      )}
    </ReadView>
  );
}

function SummaryPanel({ summary }: { readonly summary: Summary }) {
  return (
    <Panel title="Sentiment and reach">
      <FigureRow>
        <NamedFigure name="Sentiment">
          <span
            class={summary.total_social_sentiment < 0 ? 'falling' : 'rising'}
            title="From −1 (bearish) to 1 (bullish), of all posts by their weight"
          >
            {summary.total_social_sentiment.toFixed(2).replace('-', '−')}
          </span>
        </NamedFigure>
        <NamedFigure name="Reach">
          <span title="Followers of all accounts that posted, each once">
            <Figure value={summary.total_social_reach} kind="amount" />
          </span>
        </NamedFigure>
        <NamedFigure name="Posts">{formatCount(summary.total_number_of_posts)}</NamedFigure>
        <NamedFigure name="Counted since">{formatTime(summary.tracking_since)}</NamedFigure>
        <NamedFigure name="Last updated">
          {formatAge(summary.last_updated, nowMs.value)} ago
        </NamedFigure>
      </FigureRow>
    </Panel>
  );
}

function SeriesPanel({ mint, since }: { readonly mint: string; readonly since: string }) {
  const span = spanInQuery();
  const view = choiceInQuery('posts', VIEWS);
  const { from, to } = rangeOf(withinWeek(span), since, nowMs.value);
  const params = { token_address: mint, from_date: from, to_date: to, view };
  const key = `${mint} ${span} ${view}`;
  const sentiment = useKept(useRead('/v1/socials/sentiment-over-time', params), key);
  const reach = useKept(useRead('/v1/socials/reach-over-time', params), key);
  const posts = useKept(useRead('/v1/socials/posts-over-time', params), key);
  return (
    <Panel
      title="Per minute"
      actions={
        <>
          <Segments
            label="Posts counted"
            value={view}
            options={[
              { value: 'filtered', title: 'Filtered' },
              { value: 'raw', title: 'Raw' },
            ]}
            onChange={(value) => setQuery({ posts: value === 'filtered' ? null : value })}
          />
          <SpanChoice />
        </>
      }
    >
      <p class="token-note">
        {view === 'filtered'
          ? 'Copied texts and accounts of low quality count little.'
          : 'Every post counts alike, those of raids and bots too.'}
      </p>
      <div class="columns">
        <ReadView read={sentiment}>
          {({ data_points }) => (
            <Series
              name="Sentiment"
              points={data_points}
              numberOf={({ sentiment: value }) => value}
            />
          )}
        </ReadView>
        <ReadView read={reach}>
          {({ data_points }) => (
            <Series name="Reach" points={data_points} numberOf={({ reach: value }) => value} />
          )}
        </ReadView>
        <ReadView read={posts}>
          {({ data_points }) => (
            <Series name="Posts" points={data_points} numberOf={({ count }) => count} />
          )}
        </ReadView>
      </div>
    </Panel>
  );
}

/** The API answers at most a week of minutes. */
function withinWeek(span: Span): Span {
  return span === '30d' || span === '7d' ? '24h' : span;
}

function Series<Point extends { readonly timestamp: string }>({
  name,
  points,
  numberOf,
}: {
  readonly name: string;
  readonly points: readonly Point[];
  readonly numberOf: (point: Point) => number;
}) {
  const { timesMs, lines } = useMemo(
    () => ({
      timesMs: points.map(({ timestamp }) => Date.parse(timestamp)),
      lines: [{ name, values: points.map(numberOf) }],
    }),
    [points],
  );
  if (points.length < 2) return <TooFew count={points.length} needed={2} />;
  return (
    <LineChart
      label={`${name} per minute`}
      timesMs={timesMs}
      lines={lines}
      heightPx={180}
      format={(value) =>
        name === 'Sentiment' ? value.toFixed(2) : formatCompact(plainDecimal(value))
      }
    />
  );
}
