import { useMemo, useState } from 'preact/hooks';
import { ForceGraph, type GraphEdge, type GraphNode } from '../../charts/force-graph.tsx';
import { shortenAddress } from '../../format/texts.ts';
import { choiceInQuery, navigate, setQuery } from '../../state/router.ts';
import { usePages } from '../../state/use-pages.ts';
import { Select } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PagesView } from '../../ui/pages-view.tsx';
import { Table } from '../../ui/table.tsx';
import { linkColumns } from './link-columns.tsx';
import { LinkTransactions } from './link-transactions.tsx';
import { type Link, wordsOf } from './wallet-types.ts';

const KINDS = [
  'all',
  'funded_by',
  'funded',
  'sent_tokens',
  'received_tokens',
  'follows',
  'same_finding',
] as const;

/** More nodes than this are no picture any more; all of them are in the table. */
const DRAWN_MAX = 30;

/** Wallets linked to this one: a graph of the strongest, and a table of all. */
export function Links({ address }: { readonly address: string }) {
  const kind = choiceInQuery('kind', KINDS);
  const [opened, setOpened] = useState<Link | null>(null);
  const pages = usePages(
    '/v1/wallets/{address}/links',
    { address, limit: 100, ...(kind === 'all' ? {} : { kind }) },
    {
      itemsOf: ({ links }) => links,
      nextOf: ({ next_cursor }) => next_cursor,
      keyOf: keyOfLink,
    },
  );
  return (
    <>
      <div class="filters">
        <Select
          label="Kind of link"
          value={kind}
          options={KINDS.map((value) => ({ value, title: wordsOf(value) }))}
          onChange={(chosen) => setQuery({ kind: chosen === 'all' ? null : chosen })}
        />
      </div>
      <PagesView pages={pages} name="links">
        {(links) => (
          <>
            <LinkGraph address={address} links={links} onLink={setOpened} />
            <Table
              caption="Links"
              columns={linkColumns(setOpened)}
              rows={links}
              keyOf={keyOfLink}
              hrefOf={(link) => `/wallet/${link.wallet_address}`}
              empty="No links to other wallets are known."
            />
          </>
        )}
      </PagesView>
      {opened !== null && (
        <Dialog title={`Link: ${wordsOf(opened.kind)}`} onClose={() => setOpened(null)}>
          <LinkTransactions link={opened} />
        </Dialog>
      )}
    </>
  );
}

function keyOfLink({ wallet_address, kind }: Link): string {
  return `${kind} ${wallet_address}`;
}

function LinkGraph({
  address,
  links,
  onLink,
}: {
  readonly address: string;
  readonly links: readonly Link[];
  readonly onLink: (link: Link) => void;
}) {
  const drawn = useMemo(() => links.slice(0, DRAWN_MAX), [links]);
  const { nodes, edges } = useMemo(() => graphOf(address, drawn), [address, drawn]);
  if (drawn.length === 0) return null;
  return (
    <>
      <ForceGraph
        label="Linked wallets"
        nodes={nodes}
        edges={edges}
        heightPx={360}
        onNode={({ id }) => navigate(`/wallet/${id}`)}
        onEdge={({ id }) => {
          const link = drawn.find((one) => keyOfLink(one) === id);
          if (link !== undefined) onLink(link);
        }}
      />
      {links.length > DRAWN_MAX && (
        <p class="muted small">The {DRAWN_MAX} strongest are drawn; the table has all.</p>
      )}
    </>
  );
}

/** Kinds whose arrow points to this wallet. */
const INWARDS: ReadonlySet<string> = new Set(['funded_by', 'received_tokens']);

function graphOf(address: string, links: readonly Link[]) {
  const nodes = new Map<string, GraphNode>();
  nodes.set(address, {
    id: address,
    label: shortenAddress(address),
    role: 'this wallet',
    isMarked: true,
    title: address,
  });
  const edges = links.map((link): GraphEdge => {
    const { wallet_address: other, kind, strength } = link;
    nodes.set(other, {
      id: other,
      label: shortenAddress(other),
      title: other,
      role: wordsOf(link.class ?? 'wallet'),
    });
    const [from, to] = INWARDS.has(kind) ? [other, address] : [address, other];
    return { id: keyOfLink(link), from, to, kind, title: `strength ${strength}` };
  });
  return { nodes: [...nodes.values()], edges };
}
