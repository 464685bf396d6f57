import { useMemo } from 'preact/hooks';
import { formatCount } from '../../../format/numbers.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Figure } from '../../../ui/figure.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import type { FindingGraph } from '../token-types.ts';
import { type Bond, labelOf, wordOf } from './graph-parts.ts';

interface EdgeRow {
  readonly key: string;
  readonly edge: FindingGraph['edges'][number];
}

/** Every edge of the graph as a row, in block order. */
export function BondTable({
  graph,
  bonds,
  creator,
}: {
  readonly graph: FindingGraph;
  readonly bonds: readonly Bond[];
  readonly creator: string | null;
}) {
  const rows = useMemo(
    () =>
      bonds
        .flatMap(({ edges }) => edges)
        .sort((one, other) => (one.slot ?? Infinity) - (other.slot ?? Infinity))
        .map((edge, index) => ({ key: String(index), edge })),
    [bonds],
  );
  const columns = useMemo(() => columnsOf(graph, creator), [graph, creator]);
  return (
    <Table
      caption="Payments, transfers, trades and relations in block order"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      visibleRows={14}
      empty="None of the chosen kinds."
    />
  );
}

function columnsOf(graph: FindingGraph, creator: string | null): readonly Column<EdgeRow>[] {
  const nodes = new Map(graph.nodes.map((node) => [node.address, node]));
  const link = (address: string) => (
    <AddressLink
      address={address}
      kind={nodes.get(address)?.class === 'pool' ? 'other' : 'wallet'}
      label={labelOf(nodes.get(address), address, creator)}
    />
  );
  return [
    {
      key: 'slot',
      title: 'Slot',
      align: 'end',
      cell: ({ edge }) => (edge.slot === null ? '–' : formatCount(edge.slot)),
    },
    { key: 'from', title: 'From', cell: ({ edge }) => link(edge.from) },
    { key: 'kind', title: 'What', cell: ({ edge }) => wordOf(edge.kind) },
    { key: 'to', title: 'To', cell: ({ edge }) => link(edge.to) },
    {
      key: 'sol',
      title: 'SOL',
      align: 'end',
      cell: ({ edge }) => (
        <Figure value={edge.sol_amount} kind="amount" reason="None, or not known" />
      ),
    },
    {
      key: 'tokens',
      title: 'Tokens',
      align: 'end',
      cell: ({ edge }) => <Figure value={edge.token_amount} kind="amount" reason="None" />,
    },
    {
      key: 'signature',
      title: 'Transaction',
      cell: ({ edge }) =>
        edge.signature === null ? (
          <span class="unknown">a relation</span>
        ) : (
          <AddressLink address={edge.signature} kind="other" />
        ),
    },
  ];
}
