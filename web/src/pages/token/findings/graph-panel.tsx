import { useMemo, useState } from 'preact/hooks';
import { ForceGraph } from '../../../charts/force-graph.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { navigate, query, setQuery } from '../../../state/router.ts';
import { Checkbox } from '../../../ui/controls.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { FindingGraph } from '../token-types.ts';
import { BondDialog } from './bond-dialog.tsx';
import { BondTable } from './bond-table.tsx';
import {
  type Bond,
  bondsOf,
  EDGE_GROUP_NAMES,
  EDGE_GROUPS,
  type EdgeGroup,
  toGraphEdges,
  toGraphNodes,
} from './graph-parts.ts';

/** More lines than these are no picture: the largest are drawn, the table has all. */
const DRAWN_MAX = 160;

/** Payments, transfers and trades of a finding: as a graph and as a table. */
export function GraphPanel({
  graph,
  creator,
  symbol,
}: {
  readonly graph: FindingGraph;
  readonly creator: string | null;
  readonly symbol: string | null;
}) {
  const [opened, setOpened] = useState<Bond | null>(null);
  const hidden = hiddenGroups();
  const all = useMemo(() => bondsOf(graph.edges), [graph]);
  const bonds = useMemo(
    () => all.filter((bond) => !hidden.includes(groupOf(bond))),
    [all, hidden.join()],
  );
  const drawn = useMemo(() => largest(bonds), [bonds]);
  const nodes = useMemo(() => toGraphNodes(graph, drawn, creator), [graph, drawn, creator]);
  const edges = useMemo(() => toGraphEdges(drawn), [drawn]);
  return (
    <>
      <Choices bonds={all} hidden={hidden} />
      {edges.length === 0 ? (
        <Empty>Nothing to draw: no such link is kept.</Empty>
      ) : (
        <ForceGraph
          label={`Who paid, sent and sold to whom in ${symbol ?? 'the token'}`}
          nodes={nodes}
          edges={edges}
          heightPx={Math.min(680, 340 + 10 * nodes.length)}
          onNode={({ id, role }) => {
            if (role !== 'pool') navigate(`/wallet/${id}`);
          }}
          onEdge={({ id }) => setOpened(bonds.find((bond) => bond.id === id) ?? null)}
        />
      )}
      {bonds.length > drawn.length && (
        <p class="token-note">
          The {drawn.length} largest of {bonds.length} links are drawn; the table below has all.
        </p>
      )}
      {graph.unresolved_signatures.length > 0 && (
        <p class="token-note">
          Not shown, because their record is no longer kept: transactions of the evidence,{' '}
          {formatCount(graph.unresolved_signatures.length)} in all.
        </p>
      )}
      <details class="bond-details">
        <summary>The same as a table, with every transaction</summary>
        <BondTable graph={graph} bonds={bonds} creator={creator} />
      </details>
      {opened !== null && (
        <BondDialog graph={graph} bond={opened} creator={creator} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Choices({
  bonds,
  hidden,
}: {
  readonly bonds: readonly Bond[];
  readonly hidden: readonly EdgeGroup[];
}) {
  return (
    <div class="graph-choices">
      {EDGE_GROUP_NAMES.map((name) => {
        const count = bonds.filter((bond) => groupOf(bond) === name).length;
        if (count === 0) return null;
        return (
          <span key={name} class={`graph-choice group-${name}`}>
            <Checkbox
              label={`${EDGE_GROUPS[name].title} (${count})`}
              isChecked={!hidden.includes(name)}
              onChange={(isChecked) => setHidden(name, !isChecked)}
            />
          </span>
        );
      })}
      <span class="graph-hint">
        Select a line for its transactions, a circle for its wallet. The creator is filled; a larger
        circle paid or was paid more, a wider line moved more SOL.
      </span>
    </div>
  );
}

function hiddenGroups(): readonly EdgeGroup[] {
  const given = query.value.get('hide')?.split(',') ?? [];
  return EDGE_GROUP_NAMES.filter((name) => given.includes(name));
}

function setHidden(name: EdgeGroup, isHidden: boolean): void {
  const others = hiddenGroups().filter((other) => other !== name);
  const next = isHidden ? [...others, name] : others;
  setQuery({ hide: next.length === 0 ? null : next.join(',') });
}

function groupOf({ kind }: Bond): EdgeGroup {
  const group = EDGE_GROUP_NAMES.find((name) =>
    (EDGE_GROUPS[name].kinds as readonly string[]).includes(kind),
  );
  return group ?? 'relations';
}

function largest(bonds: readonly Bond[]): readonly Bond[] {
  if (bonds.length <= DRAWN_MAX) return bonds;
  return [...bonds]
    .sort((one, other) => Number(other.sol ?? 0) - Number(one.sol ?? 0))
    .slice(0, DRAWN_MAX);
}
