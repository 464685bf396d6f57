import { formatCount } from '../../../format/numbers.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { FindingGraph } from '../token-types.ts';
import { amountOf, type Bond, labelOf, wordOf } from './graph-parts.ts';

/** A line of the graph: its transactions, so that each can be looked up elsewhere. */
export function BondDialog({
  graph,
  bond,
  creator,
  onClose,
}: {
  readonly graph: FindingGraph;
  readonly bond: Bond;
  readonly creator: string | null;
  readonly onClose: () => void;
}) {
  const { from, to, kind, edges } = bond;
  const nameOfAddress = (address: string) =>
    labelOf(
      graph.nodes.find((node) => node.address === address),
      address,
      creator,
    );
  const isRelation = edges.every(({ signature }) => signature === null);
  return (
    <Dialog title={`${nameOfAddress(from)} ${wordOf(kind)} ${nameOfAddress(to)}`} onClose={onClose}>
      <p>{amountOf(bond)}</p>
      <p class="bond-ends">
        From <AddressLink address={from} kind="wallet" /> to{' '}
        <AddressLink address={to} kind="wallet" />
      </p>
      {isRelation ? (
        <p>
          A relation that the evidence states: it is drawn from several transactions, which are the
          other lines of these wallets.
        </p>
      ) : (
        <ul class="bond-transactions">
          {edges.map((edge) => (
            <li key={`${edge.signature} ${edge.sol_amount} ${edge.token_amount}`}>
              <AddressLink address={edge.signature ?? ''} kind="other" />
              <span>slot {formatCount(edge.slot)}</span>
              <span>
                <Figure value={edge.sol_amount} kind="amount" reason="Not known" /> SOL
              </span>
              {edge.token_amount !== null && (
                <span>
                  <Figure value={edge.token_amount} kind="amount" /> tokens
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
