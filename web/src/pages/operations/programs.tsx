import { formatCount } from '../../format/numbers.ts';
import { choiceInQuery, setQuery } from '../../state/router.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { Coverage } from './chain.tsx';

type Program = Coverage['programs'][number];

const ORDERS = ['instructions', 'program', 'unknown', 'malformed', 'quarantined'] as const;
const PERCENT_DIGITS = 2;

/** A share as far as it is not zero: a few of a million are not "0.00 %". */
function shareText(count: number, total: number): string {
  if (total === 0) return '–';
  const percent = (100 * count) / total;
  if (count > 0 && percent < 0.01) return '<0.01%';
  if (count < total && percent > 99.99) return '>99.99%';
  return `${percent.toFixed(PERCENT_DIGITS)}%`;
}

const COLUMNS: readonly Column<Program>[] = [
  { key: 'program', title: 'Program', sortBy: 'program', cell: ({ program }) => program },
  {
    key: 'instructions',
    title: 'Instructions',
    align: 'end',
    sortBy: 'instructions',
    cell: ({ instructions }) => formatCount(instructions),
  },
  {
    key: 'decoded',
    title: 'Decoded',
    hint: 'To events',
    align: 'end',
    isWideOnly: true,
    cell: ({ decoded }) => formatCount(decoded),
  },
  {
    key: 'ignored',
    title: 'Ignored',
    hint: 'Known, without relevant data',
    align: 'end',
    isWideOnly: true,
    cell: ({ ignored }) => formatCount(ignored),
  },
  {
    key: 'understood',
    title: 'Understood',
    hint: 'Decoded or ignored, of all',
    align: 'end',
    cell: ({ decoded, ignored, instructions }) => shareText(decoded + ignored, instructions),
  },
  ...(['unknown', 'malformed', 'quarantined'] as const).map(
    (name): Column<Program> => ({
      key: name,
      title: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      hint: hintOf(name),
      align: 'end',
      sortBy: name,
      cell: (row) =>
        row[name] === 0 ? '0' : <Badge tone="warning">{formatCount(row[name])}</Badge>,
    }),
  ),
];

function hintOf(name: 'unknown' | 'malformed' | 'quarantined'): string {
  if (name === 'unknown') return 'Not known: a new layout of the program';
  return name === 'malformed' ? 'Not readable' : 'Swaps that contradict the balances: never priced';
}

/** What became of each program's instructions, and programs whose swaps are inferred. */
export function Programs({ coverage }: { readonly coverage: Coverage }) {
  const by = choiceInQuery('order', ORDERS);
  const dir = choiceInQuery('dir', ['desc', 'asc']);
  const rows = [...coverage.programs].sort((one, other) => {
    const difference =
      by === 'program' ? (one.program < other.program ? -1 : 1) : one[by] - other[by];
    return dir === 'asc' ? difference : -difference;
  });
  return (
    <>
      <Table
        caption="Decoding by program"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ program }) => program}
        sort={{ by, dir }}
        onSort={(sort) => setQuery({ order: sort.by, dir: sort.dir })}
        empty="No instruction has been decoded yet."
      />
      {coverage.inferred_programs.length > 0 && (
        <div class="operations-inferred">
          <h3 class="operations-part">Swaps inferred from transfers, without a decoder</h3>
          <ul>
            {coverage.inferred_programs.slice(0, 20).map(({ program, swaps }) => (
              <li key={program}>
                <AddressLink address={program} kind="other" /> {formatCount(swaps)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
