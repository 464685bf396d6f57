import type { ComponentChildren } from 'preact';
import { nameOf } from '../../../format/names.ts';
import { formatCount, formatPercent } from '../../../format/numbers.ts';
import { formatTime } from '../../../format/times.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ChainText } from '../../../ui/chain-text.tsx';
import { ExternalLink } from '../../../ui/external-link.tsx';
import { Figure } from '../../../ui/figure.tsx';
import type { Subject } from '../token-types.ts';

/** Supply, authorities, metadata and links of a token. */
export function TokenDetails({ subject }: { readonly subject: Subject }) {
  const { token, metadata, liquidity_event: liquidity, social_links: links } = subject.body;
  const feeRecipient = subject.listed?.fee_recipient_address ?? null;
  return (
    <details class="token-details">
      <summary>
        Creator, supply, authorities, metadata and links
        <Authorities subject={subject} />
      </summary>
      <dl class="pairs">
        <Pair name="Creator">
          {token.creator_address === null ? (
            'Not known: created before the stored history'
          ) : (
            <AddressLink address={token.creator_address} kind="wallet" />
          )}
        </Pair>
        {feeRecipient !== null && (
          <Pair name="Creator fees go to">
            <AddressLink address={feeRecipient} kind="wallet" />
          </Pair>
        )}
        <Pair name="Created">
          {formatTime(token.created_at)}
          {token.creation_slot !== null && `, slot ${formatCount(token.creation_slot)}`}
        </Pair>
        <Pair name="Supply">
          <Figure value={token.total_supply} kind="amount" reason="The mint was not read yet" />
          {token.decimals !== null && `, ${token.decimals} decimals`}
        </Pair>
        <Pair name="Mint authority">
          <Authority address={token.mint_authority_address} none="none: no more can be minted" />
        </Pair>
        <Pair name="Freeze authority">
          <Authority address={token.freeze_authority_address} none="none: no account is frozen" />
        </Pair>
        <Pair name="Metadata authority">
          <Authority address={metadata.update_authority_address} none="not known" />
          {metadata.is_mutable === false && ' (metadata cannot be changed)'}
        </Pair>
        {liquidity !== null && (
          <Pair name="First liquidity">
            <Figure value={liquidity.initial_liquidity_value_usd} kind="usd" /> in{' '}
            <AddressLink address={liquidity.pair_address} kind="other" />, slot{' '}
            {formatCount(liquidity.initial_liquidity_add_slot_number)}
          </Pair>
        )}
        {metadata.seller_fee_basis_points !== null && metadata.seller_fee_basis_points > 0 && (
          <Pair name="Seller fee">
            {formatPercent(String(metadata.seller_fee_basis_points / 10_000))}
          </Pair>
        )}
        <Pair name="Description">
          <ChainText
            text={metadata.uri_metadata?.description}
            lengthMax={600}
            fallback="none, or not read yet"
          />
        </Pair>
        <Pair name="Metadata document">
          {metadata.uri === null ? 'not known' : <ExternalLink url={metadata.uri} />}
        </Pair>
        <Pair name="Links">
          <Links links={links} />
        </Pair>
      </dl>
    </details>
  );
}

/** In sight without opening the details: who can still mint or freeze. */
function Authorities({ subject }: { readonly subject: Subject }) {
  const { mint_authority_address: mints, freeze_authority_address: freezes } = subject.body.token;
  return (
    <span class="token-authorities">
      {mints === null ? (
        <Badge tone="good">Mint closed</Badge>
      ) : (
        <Badge tone="warning" title="More tokens can be minted">
          Mintable
        </Badge>
      )}
      {freezes === null ? (
        <Badge tone="good">No freezing</Badge>
      ) : (
        <Badge tone="bad" title="An authority can freeze the tokens of holders">
          Freezable
        </Badge>
      )}
    </span>
  );
}

function Authority({ address, none }: { readonly address: string | null; readonly none: string }) {
  return address === null ? none : <AddressLink address={address} kind="wallet" />;
}

function Links({ links }: { readonly links: Subject['body']['social_links'] }) {
  if (links.length === 0) return <>none named by the metadata</>;
  return (
    <ul class="token-links">
      {links.map(({ platform, url, status_code, checked_at }) => (
        <li key={url}>
          {nameOf(platform)}: <ExternalLink url={url} />{' '}
          {checked_at !== null && status_code !== 200 && (
            <Badge tone="warning" title={`Checked ${formatTime(checked_at)}`}>
              {status_code === null ? 'does not answer' : `status ${status_code}`}
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
