import { formatCount } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { LookAhead } from './report-types.ts';

type Fault = LookAhead['faults'][number];

/** Whether a feature changes when the log is cut after the hit. */
export function LookAheadPanel({ proof }: { readonly proof: LookAhead | null }) {
  return (
    <Panel title="Look-ahead proof" isFlush={(proof?.faults.length ?? 0) > 0}>
      {proof === null && <Empty>The proof was not asked for.</Empty>}
      {proof !== null && proof.faults.length === 0 && <Passed checked={proof.checked_hits} />}
      {proof !== null && proof.faults.length > 0 && (
        <>
          <p class="report-part">
            <Badge tone="bad">fails</Badge> {formatCount(proof.faults.length)} values depend on what
            came after their minute. The returns above are not to be trusted.
          </p>
          <Table
            caption="Features that look ahead"
            columns={COLUMNS}
            rows={proof.faults}
            keyOf={({ feature, pair_address, minute }) => `${feature} ${pair_address} ${minute}`}
            visibleRows={10}
          />
        </>
      )}
    </Panel>
  );
}

function Passed({ checked }: { readonly checked: number }) {
  if (checked === 0) return <Empty>There was no hit at which the log could be cut.</Empty>;
  return (
    <p>
      <Badge tone="good">passes</Badge> The log was cut at {formatCount(checked)} hits, and every
      feature was the same.
    </p>
  );
}

const COLUMNS: readonly Column<Fault>[] = [
  {
    key: 'feature',
    title: 'Feature',
    cell: ({ feature }) => <span class="address">{feature}</span>,
  },
  {
    key: 'token',
    title: 'Token',
    cell: ({ token_address }) => <AddressLink address={token_address} kind="token" />,
  },
  { key: 'minute', title: 'Minute', isWideOnly: true, cell: ({ minute }) => formatTime(minute) },
  {
    key: 'backtest',
    title: 'In the backtest',
    cell: ({ backtest_value: value }) => <ChainText text={value} fallback="not known" />,
  },
  {
    key: 'cut',
    title: 'In the cut log',
    cell: ({ cut_value: value }) => <ChainText text={value} fallback="not known" />,
  },
];
