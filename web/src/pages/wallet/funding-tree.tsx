import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { usePages } from '../../state/use-pages.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Figure } from '../../ui/figure.tsx';
import { PagesView } from '../../ui/pages-view.tsx';
import { Loading } from '../../ui/states.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import { KindBadge } from './class-badge.tsx';
import { Amount, LinkTransactions } from './link-transactions.tsx';
import { type Funder, useFunders } from './use-funders.ts';
import { type Link, wordsOf } from './wallet-types.ts';

/** Who funded the wallet, up to the first known payer, and whom it funded. */
export function FundingTree({ address }: { readonly address: string }) {
  const { steps, isLoading, end } = useFunders(address);
  const [opened, setOpened] = useState<Link | null>(null);
  const top = steps.at(-1)?.funding.funder_address ?? address;
  const tree = steps.reduce<ComponentChildren>(
    (below, step, index) => (
      <ul key={step.funding.funder_address}>
        <li>
          <Payment step={step} onOpen={setOpened} />
          <WalletNode
            address={steps[index - 1]?.funding.funder_address ?? address}
            isCurrent={index === 0}
          />
          {below}
        </li>
      </ul>
    ),
    <Funded address={address} onOpen={setOpened} />,
  );
  return (
    <>
      <p class="muted small">
        Each line is the first payment of SOL that a wallet received, from its payer above it.
      </p>
      {end !== null && <p class="muted">At the top: {end}</p>}
      <div class="tree" role="group" aria-label="Funding tree">
        {isLoading && <Loading rows={2} label="Reading who funded it" />}
        <WalletNode
          address={top}
          isCurrent={top === address}
          kind={steps.at(-1)?.funding.funder_kind ?? null}
        />
        {tree}
      </div>
      {opened !== null && (
        <Dialog title={`Payments: ${wordsOf(opened.kind)}`} onClose={() => setOpened(null)}>
          <LinkTransactions link={opened} />
        </Dialog>
      )}
    </>
  );
}

function WalletNode({
  address,
  isCurrent,
  kind = null,
}: {
  readonly address: string;
  readonly isCurrent: boolean;
  readonly kind?: string | null;
}) {
  return (
    <div class={isCurrent ? 'tree-node current' : 'tree-node'}>
      <AddressLink address={address} kind="wallet" />
      {kind !== null && <KindBadge kind={kind} />}
      {isCurrent && <span>this wallet</span>}
    </div>
  );
}

/** The edge of the tree: what was paid, when, and in which transaction. */
function Payment({
  step: { funding, link },
  onOpen,
}: {
  readonly step: Funder;
  readonly onOpen: (link: Link) => void;
}) {
  const { solana_amount: amount, slot, funded_at: at } = funding;
  const first = link?.transactions.find((one) => one.slot === slot) ?? null;
  const others = (link?.transactions.length ?? 0) - (first === null ? 0 : 1);
  return (
    <div class="tree-node muted">
      <span>
        paid <Figure value={amount} kind="amount" /> SOL
      </span>
      <span title={at === null ? `slot ${slot}` : formatTime(at)}>
        {at === null ? `in slot ${slot}` : `${formatAge(at, nowMs.value)} ago`}
      </span>
      {first === null ? (
        <span>the transaction in slot {slot} is no longer recorded</span>
      ) : (
        <TransactionLink signature={first.signature} />
      )}
      {link !== null && others > 0 && (
        <button type="button" class="link-button" onClick={() => onOpen(link)}>
          {others} more
        </button>
      )}
    </div>
  );
}

/** Wallets that this one paid. */
function Funded({
  address,
  onOpen,
}: {
  readonly address: string;
  readonly onOpen: (link: Link) => void;
}) {
  const pages = usePages(
    '/v1/wallets/{address}/links',
    { address, kind: 'funded', limit: 50 },
    {
      itemsOf: ({ links }) => links,
      nextOf: ({ next_cursor }) => next_cursor,
      keyOf: ({ wallet_address }) => wallet_address,
    },
  );
  return (
    <PagesView pages={pages} name="payments">
      {(links) =>
        links.length === 0 ? (
          <p class="muted">It paid no other wallet that is recorded.</p>
        ) : (
          <ul>
            {links.map((link) => (
              <FundedNode key={link.wallet_address} link={link} onOpen={onOpen} />
            ))}
          </ul>
        )
      }
    </PagesView>
  );
}

function FundedNode({
  link,
  onOpen,
}: {
  readonly link: Link;
  readonly onOpen: (link: Link) => void;
}) {
  const [first, ...others] = link.transactions;
  return (
    <li>
      <div class="tree-node">
        <AddressLink address={link.wallet_address} kind="wallet" />
        {link.class !== null && <KindBadge kind={link.class} />}
        {first !== undefined && (
          <span class="tree-node muted">
            <span>
              paid <Amount transaction={first} />
            </span>
            <TransactionLink signature={first.signature} />
          </span>
        )}
        {others.length > 0 && (
          <button type="button" class="link-button" onClick={() => onOpen(link)}>
            {others.length} more
          </button>
        )}
      </div>
    </li>
  );
}
