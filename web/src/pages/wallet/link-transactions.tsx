import { formatCount } from '../../format/numbers.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Figure } from '../../ui/figure.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import type { Link, LinkTransaction } from './wallet-types.ts';

/** What shows a link: each of its transactions and findings. */
export function LinkTransactions({ link }: { readonly link: Link }) {
  const { transactions, classification_ids: findings } = link;
  return (
    <>
      <p>
        <AddressLink address={link.wallet_address} kind="wallet" />
      </p>
      {transactions.length === 0 && findings.length === 0 && (
        <p class="muted">The transactions behind this link are no longer recorded.</p>
      )}
      {transactions.length > 0 && (
        <ul class="link-transactions">
          {transactions.map((one) => (
            <li key={`${one.signature}${one.token_address ?? ''}`}>
              <TransactionLink signature={one.signature} />
              <Amount transaction={one} />
              {one.slot !== null && <span class="muted">slot {formatCount(one.slot)}</span>}
            </li>
          ))}
        </ul>
      )}
      {findings.map((id) => (
        <p key={id} class="address">
          Finding {id} <CopyButton text={id} label="identifier" />
        </p>
      ))}
    </>
  );
}

/** SOL or tokens that a transaction moved. */
export function Amount({ transaction }: { readonly transaction: LinkTransaction }) {
  const { sol_amount: sol, token_address: token, token_amount: amount } = transaction;
  if (sol !== null) {
    return (
      <span>
        <Figure value={sol} kind="amount" /> SOL
      </span>
    );
  }
  return (
    <span>
      <Figure
        value={amount}
        kind="amount"
        reason="Not recorded, or the decimals of the token are not known"
      />{' '}
      {token !== null && <AddressLink address={token} kind="token" />}
    </span>
  );
}
