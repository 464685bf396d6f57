import type { Hit } from '../api/rule-hit.ts';
import { formatTime } from '../format/times.ts';
import { AddressLink } from './address-link.tsx';
import { ChainText } from './chain-text.tsx';
import { Dialog } from './dialog.tsx';
import { Figure } from './figure.tsx';
import { TransactionLink } from './transaction-link.tsx';

/**
 * Reasons and evidence of a hit: the features as the rule saw them, and for fraud the wallets of the
 * groups with their transactions.
 */
export function HitDialog({ hit, onClose }: { readonly hit: Hit; readonly onClose: () => void }) {
  return (
    <Dialog title="Hit" onClose={onClose}>
      <p class="address">{hit.rule_id}</p>
      <p>
        <AddressLink address={hit.token_address} kind="token" /> in{' '}
        <AddressLink address={hit.pair_address} kind="other" />
      </p>
      <p>
        {formatTime(hit.created_at)}, features as of slot {hit.as_of_slot}, confidence{' '}
        <Figure value={String(hit.confidence)} kind="percent" />
        {hit.label !== null && (
          <>
            , label <ChainText text={hit.label} />
          </>
        )}
      </p>
      <h3>Reasons</h3>
      {hit.reasons.length === 0 ? (
        <p class="muted">None beside its condition.</p>
      ) : (
        <ul>
          {hit.reasons.map((reason) => (
            <li key={reason}>
              <ChainText text={reason} lengthMax={400} />
            </li>
          ))}
        </ul>
      )}
      <h3>Evidence</h3>
      {hit.evidence.length === 0 ? (
        <p class="muted">The rule names none.</p>
      ) : (
        <dl class="hit-evidence">
          {hit.evidence.map(({ name, value }) => (
            <div key={name}>
              <dt class="address">{name}</dt>
              <dd>
                {value === null ? (
                  <span class="unknown">not known</span>
                ) : (
                  <ChainText text={shown(value)} lengthMax={400} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {hit.wallets.length > 0 && (
        <>
          <h3>Wallets</h3>
          <ul class="hit-list">
            {hit.wallets.map((wallet) => (
              <li key={wallet}>
                <AddressLink address={wallet} kind="wallet" />
              </li>
            ))}
          </ul>
        </>
      )}
      {hit.links.length > 0 && (
        <>
          <h3>Links</h3>
          <ul class="hit-list">
            {hit.links.map(({ wallet_address, related_address, relationship, strength }) => (
              <li key={`${wallet_address} ${related_address}`}>
                <AddressLink address={wallet_address} kind="wallet" />{' '}
                {relationship.replaceAll('_', ' ')}{' '}
                <AddressLink address={related_address} kind="wallet" />, {strength.toFixed(2)}
              </li>
            ))}
          </ul>
        </>
      )}
      {hit.signatures.length > 0 && (
        <>
          <h3>Transactions</h3>
          <ul class="hit-list">
            {hit.signatures.map((signature) => (
              <li key={signature}>
                <TransactionLink signature={signature} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function shown(value: NonNullable<Hit['evidence'][number]['value']>): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
