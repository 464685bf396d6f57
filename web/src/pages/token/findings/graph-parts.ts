import type { GraphEdge, GraphNode } from '../../../charts/force-graph.tsx';
import { nameOf } from '../../../format/names.ts';
import { formatCompact } from '../../../format/numbers.ts';
import { shortenAddress } from '../../../format/texts.ts';
import { sumDecimals } from '../sum-decimals.ts';
import type { FindingGraph } from '../token-types.ts';

/** With more addresses, only prominent ones are labelled. */
const LABELLED_MAX = 24;
const PROMINENT_DEGREE = 5;

type ApiEdge = FindingGraph['edges'][number];
type ApiNode = FindingGraph['nodes'][number];

/** Kinds of edges as people choose them. */
export const EDGE_GROUPS = {
  payments: { title: 'Payments', kinds: ['payment', 'direct_funding', 'indirect_funding'] },
  transfers: { title: 'Token transfers', kinds: ['token_transfer'] },
  trades: { title: 'Buys and sells', kinds: ['buy', 'sell'] },
  liquidity: { title: 'Liquidity', kinds: ['liquidity_added', 'liquidity_removed'] },
  relations: {
    title: 'Same owner',
    kinds: ['same_entity', 'coordinated_trading', 'common_program'],
  },
} as const;

export type EdgeGroup = keyof typeof EDGE_GROUPS;

export const EDGE_GROUP_NAMES = Object.keys(EDGE_GROUPS) as readonly EdgeGroup[];

const WORDS: Readonly<Record<ApiEdge['kind'], string>> = {
  payment: 'paid',
  token_transfer: 'sent tokens to',
  buy: 'bought from',
  sell: 'sold to',
  liquidity_added: 'added liquidity to',
  liquidity_removed: 'took liquidity out of',
  direct_funding: 'funded',
  indirect_funding: 'funded through others',
  same_entity: 'has one owner with',
  coordinated_trading: 'traded together with',
  common_program: 'uses one program with',
};

export function wordOf(kind: ApiEdge['kind']): string {
  return WORDS[kind];
}

/** All edges of one kind from one address to another, drawn as one. */
export interface Bond {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: ApiEdge['kind'];
  /** In block order. */
  readonly edges: readonly ApiEdge[];
  readonly sol: string | null;
  readonly tokens: string | null;
}

export function bondsOf(edges: readonly ApiEdge[]): readonly Bond[] {
  const groups = new Map<string, ApiEdge[]>();
  for (const edge of edges) {
    const id = `${edge.from} ${edge.kind} ${edge.to}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [edge]);
    else group.push(edge);
  }
  return [...groups].flatMap(([id, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      id,
      from: first.from,
      to: first.to,
      kind: first.kind,
      edges: group,
      sol: sumDecimals(group.map(({ sol_amount }) => sol_amount)),
      tokens: sumDecimals(group.map(({ token_amount }) => token_amount)),
    };
  });
}

/** The amount of a bond in words: "3 times, 1.2 SOL". */
export function amountOf({ edges, sol, tokens }: Pick<Bond, 'edges' | 'sol' | 'tokens'>): string {
  return [
    ...(edges.length > 1 ? [`${edges.length} times`] : []),
    ...(sol === null ? [] : [`${formatCompact(sol)} SOL`]),
    ...(tokens === null ? [] : [`${formatCompact(tokens)} tokens`]),
  ].join(', ');
}

/** How an address is called in the graph and the table. */
export function labelOf(
  node: ApiNode | undefined,
  address: string,
  creator: string | null,
): string {
  const short = shortenAddress(address);
  if (address === creator) return `Creator ${short}`;
  const name = node?.class ?? null;
  return name === null ? short : `${nameOf(name)} ${short}`;
}

export function toGraphNodes(
  { nodes }: FindingGraph,
  bonds: readonly Bond[],
  creator: string | null,
): readonly GraphNode[] {
  const degrees = new Map<string, number>();
  for (const address of bonds.flatMap(({ from, to }) => [from, to])) {
    degrees.set(address, (degrees.get(address) ?? 0) + 1);
  }
  const isCrowded = degrees.size > LABELLED_MAX;
  const flows = paymentsThrough(bonds);
  const most = Math.max(0, ...flows.values());
  return nodes
    .filter(({ address }) => degrees.has(address))
    .map((node) => ({
      id: node.address,
      label: labelOf(node, node.address, creator),
      role: node.role ?? node.class ?? 'other',
      title: `${node.address}: ${nameOf(node.role ?? node.class ?? 'not involved')}`,
      isMarked: node.address === creator,
      size: shareOf(flows.get(node.address) ?? 0, most),
      isQuiet: isCrowded && !isProminent(node, degrees.get(node.address) ?? 0, creator),
    }));
}

/** SOL of payments to or from each address, the larger of both. */
function paymentsThrough(bonds: readonly Bond[]): ReadonlyMap<string, number> {
  const [paidIn, paidOut] = [new Map<string, number>(), new Map<string, number>()];
  for (const { from, to, kind, sol } of bonds) {
    if (kind !== 'payment') continue;
    paidOut.set(from, (paidOut.get(from) ?? 0) + Number(sol ?? 0));
    paidIn.set(to, (paidIn.get(to) ?? 0) + Number(sol ?? 0));
  }
  const addresses = [...new Set([...paidIn.keys(), ...paidOut.keys()])];
  return new Map(
    addresses.map((one) => [one, Math.max(paidIn.get(one) ?? 0, paidOut.get(one) ?? 0)]),
  );
}

function shareOf(amount: number, most: number): number {
  return most > 0 ? amount / most : 0;
}

function isProminent(
  { address, role, class: kind }: ApiNode,
  degree: number,
  creator: string | null,
) {
  const isNamed = address === creator || kind !== null;
  return isNamed || role === 'attacker' || role === 'funding_source' || degree >= PROMINENT_DEGREE;
}

export function toGraphEdges(bonds: readonly Bond[]): readonly GraphEdge[] {
  const most = Math.max(0, ...bonds.map(({ sol }) => Number(sol ?? 0)));
  return bonds.map((bond) => ({
    id: bond.id,
    from: bond.from,
    to: bond.to,
    kind: bond.kind,
    title: `${wordOf(bond.kind)} ${amountOf(bond)}`.trim(),
    size: shareOf(Number(bond.sol ?? 0), most),
  }));
}
