import type { BodyOf } from '../../api/client.ts';
import { formatCount, formatPercent } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { ChainText } from '../../ui/chain-text.tsx';
import { FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { type Column, Table } from '../../ui/table.tsx';

export type Coverage = BodyOf<'/v1/coverage'>;
type Gap = Coverage['gaps'][number];

const GAP_COLUMNS: readonly Column<Gap>[] = [
  {
    key: 'from',
    title: 'Slots',
    cell: ({ from_slot, to_slot }) => `${formatCount(from_slot)}–${formatCount(to_slot)}`,
  },
  {
    key: 'count',
    title: 'Missing',
    align: 'end',
    cell: ({ from_slot, to_slot }) => formatCount(to_slot - from_slot + 1),
  },
  { key: 'tries', title: 'Tries', align: 'end', cell: ({ tries }) => formatCount(tries) },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason }) => <ChainText text={reason} lengthMax={120} />,
  },
  { key: 'since', title: 'Since', isWideOnly: true, cell: ({ since }) => formatTime(since) },
];

/** Which part of the chain is stored, how much of it is explained, and what is missing. */
export function Chain({ coverage }: { readonly coverage: Coverage }) {
  const { last_slot, final_slot, gaps, gaps_total } = coverage;
  const behind = last_slot === null || final_slot === null ? null : last_slot - final_slot;
  return (
    <>
      <FigureRow>
        <NamedFigure name="Newest slot">{formatCount(last_slot)}</NamedFigure>
        <NamedFigure name="Not final">{formatCount(behind)}</NamedFigure>
        <NamedFigure name="Slots stored">{formatCount(coverage.slots)}</NamedFigure>
        <NamedFigure name="Skipped">{formatCount(coverage.skipped_slots)}</NamedFigure>
        <NamedFigure name="Missing">{formatCount(coverage.missing_slots)}</NamedFigure>
        <NamedFigure name="Unlinked">{formatCount(coverage.unlinked_slots)}</NamedFigure>
        <NamedFigure name="Transactions">{formatCount(coverage.transactions)}</NamedFigure>
        <NamedFigure name="Swaps">{formatCount(coverage.swaps)}</NamedFigure>
        <NamedFigure name="Explained">
          {formatPercent(coverage.explained_share, { digits: 2 })}
        </NamedFigure>
        <NamedFigure name="Inferred">
          {formatPercent(coverage.inferred_share, { digits: 2 })}
        </NamedFigure>
      </FigureRow>
      <h3 class="operations-part">
        {gaps_total === 0 ? 'No gaps' : `${formatCount(gaps_total)} gaps`}
      </h3>
      {gaps_total > 0 && (
        <Table
          caption="Gaps"
          columns={GAP_COLUMNS}
          rows={gaps}
          keyOf={({ from_slot }) => String(from_slot)}
          visibleRows={6}
        />
      )}
      <p class="unknown">
        Slots {formatCount(coverage.first_slot)} to {formatCount(last_slot)}.{' '}
        {coverage.log_from_slot === null
          ? 'All decoded slots are kept.'
          : `Decoded slots are kept from ${formatCount(coverage.log_from_slot)} on.`}
      </p>
    </>
  );
}
