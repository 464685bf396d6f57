import { nameOf } from '../../../format/names.ts';
import { formatCount, formatPercent } from '../../../format/numbers.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { Finding } from '../token-types.ts';

type Evidence = Finding['evidence'][number];

/** The evidence in sentences, the weightiest first, each with what it is taken from. */
export function EvidenceList({ finding }: { readonly finding: Finding }) {
  const evidence = [...finding.evidence].sort((one, other) => other.weight - one.weight);
  return (
    <ol class="evidence">
      {evidence.map((one) => (
        <li key={one.id}>
          <p>
            {one.description}{' '}
            <span class="evidence-weight" title="Share of the supporting evidence">
              {formatPercent(String(one.weight), { digits: 0 })} of the evidence
            </span>
          </p>
          <details>
            <summary>{SUMMARIES[one.data.type]}</summary>
            <Source data={one.data} />
          </details>
        </li>
      ))}
    </ol>
  );
}

const SUMMARIES: Readonly<Record<Evidence['data']['type'], string>> = {
  transaction: 'Transactions',
  wallet_relation: 'Wallets',
  supply_distribution: 'Holders then',
  timing: 'Times',
};

function Source({ data }: { readonly data: Evidence['data'] }) {
  switch (data.type) {
    case 'transaction':
      return <Transactions payload={data.payload} />;
    case 'wallet_relation':
      return <Relation payload={data.payload} />;
    case 'supply_distribution':
      return <Distribution payload={data.payload} />;
    default:
      return <Timing payload={data.payload} />;
  }
}

type PayloadOf<Type extends Evidence['data']['type']> = Extract<
  Evidence['data'],
  { readonly type: Type }
>['payload'];

function Transactions({ payload }: { readonly payload: PayloadOf<'transaction'> }) {
  return (
    <>
      <p>
        <Figure value={payload.total_value_sol} kind="amount" /> SOL moved from slot{' '}
        {formatCount(payload.slot)} on
        {payload.is_bundled && ', placed together'}.
      </p>
      <Addresses addresses={payload.signatures} kind="other" />
    </>
  );
}

function Relation({ payload }: { readonly payload: PayloadOf<'wallet_relation'> }) {
  return (
    <>
      <p>
        <AddressLink address={payload.source_wallet} kind="wallet" /> and these wallets:{' '}
        {nameOf(payload.relationship).toLowerCase()}, strength{' '}
        {formatPercent(String(payload.strength), { digits: 0 })}.
      </p>
      <Addresses addresses={payload.related_wallets} kind="wallet" />
    </>
  );
}

function Distribution({ payload }: { readonly payload: PayloadOf<'supply_distribution'> }) {
  return (
    <>
      <p>{payload.suspicious_percentage} % of the supply was held by the wallets in question.</p>
      <ul class="addresses">
        {payload.top_holders.map(({ wallet, percentage, is_suspicious }) => (
          <li key={wallet} class={is_suspicious ? 'falling' : ''}>
            <AddressLink address={wallet} kind="wallet" /> {percentage} %
            {is_suspicious && ' (in question)'}
          </li>
        ))}
      </ul>
    </>
  );
}

function Timing({ payload }: { readonly payload: PayloadOf<'timing'> }) {
  const slots = [...new Set(payload.slots)];
  return (
    <p>
      {nameOf(payload.pattern)}: slots{' '}
      {slots
        .slice(0, 20)
        .map((slot) => formatCount(slot))
        .join('; ')}
      {slots.length > 20 && ' and more'}.
    </p>
  );
}

function Addresses({
  addresses,
  kind,
}: {
  readonly addresses: readonly string[];
  readonly kind: 'wallet' | 'other';
}) {
  return (
    <ul class="addresses">
      {addresses.map((address) => (
        <li key={address}>
          <AddressLink address={address} kind={kind} />
        </li>
      ))}
    </ul>
  );
}
