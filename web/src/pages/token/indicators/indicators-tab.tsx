import type { BodyOf } from '../../../api/client.ts';
import { nameOf } from '../../../format/names.ts';
import { shortenAddress } from '../../../format/texts.ts';
import { nowMs } from '../../../state/clock.ts';
import { query, setQuery } from '../../../state/router.ts';
import { useRead } from '../../../state/use-read.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Select } from '../../../ui/controls.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import { Empty } from '../../../ui/states.tsx';
import { SpanChoice } from '../span-choice.tsx';
import { rangeOf, SPAN_SIZES, spanInQuery } from '../time-span.ts';
import { primaryPool, type Subject } from '../token-types.ts';
import { useKept } from '../use-kept.ts';
import { IndicatorChart } from './indicator-chart.tsx';
import { FIELDS, GROUPS } from './indicator-groups.ts';

const CURRENT_EVERY_MS = 5_000;

/** The indicators of a pool now and over time. */
export function IndicatorsTab({ subject }: { readonly subject: Subject }) {
  const { pools } = subject;
  const asked = query.value.get('pool');
  const pool = pools.find(({ pair_address }) => pair_address === asked) ?? primaryPool(subject);
  if (pool === null) {
    return (
      <Panel title="Indicators">
        <Empty>Indicators are of a pool, and no pool of this token has been seen.</Empty>
      </Panel>
    );
  }
  return (
    <>
      <div class="tab-choices">
        {pools.length > 1 && (
          <Select
            label="Pool"
            value={pool.pair_address}
            options={pools.map(({ pair_address, venue }) => ({
              value: pair_address,
              title: `${nameOf(venue)} ${shortenAddress(pair_address)}`,
            }))}
            onChange={(value) => setQuery({ pool: value })}
          />
        )}
        <SpanChoice />
      </div>
      <Groups
        key={pool.pair_address}
        pair={pool.pair_address}
        createdAt={pool.created_slot === null ? null : pool.first_seen_at}
      />
    </>
  );
}

function Groups({ pair, createdAt }: { readonly pair: string; readonly createdAt: string | null }) {
  const span = spanInQuery();
  const current = useRead(
    '/v1/indicators/current',
    { pair_address: pair },
    { everyMs: CURRENT_EVERY_MS },
  );
  const historic = useRead('/v1/indicators/historic', {
    pair_address: pair,
    ...rangeOf(span, createdAt, nowMs.value),
    interval: SPAN_SIZES[span].interval,
    fields: FIELDS,
  });
  const kept = useKept(historic, `${pair} ${span}`);
  return (
    <ReadView read={current} rows={8}>
      {(now) => (
        <>
          <Status now={now} />
          <div class="columns">
            {GROUPS.map((group) => (
              <Panel key={group.id} title={group.title}>
                <IndicatorChart group={group} now={now} historic={kept} />
              </Panel>
            ))}
          </div>
        </>
      )}
    </ReadView>
  );
}

function Status({ now }: { readonly now: BodyOf<'/v1/indicators/current'> }) {
  if (now.status === 'active') return null;
  return (
    <p>
      <Badge tone="warning">Inactive</Badge> No swap in this pool for 24 hours.
    </p>
  );
}
