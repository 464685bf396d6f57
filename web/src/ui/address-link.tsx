import { shortenAddress } from '../format/texts.ts';
import { ChainText } from './chain-text.tsx';
import { CopyButton } from './copy-button.tsx';

/**
 * An address: shortened, the whole one on hover, a link to its page here (none for `kind` "other")
 * and a button that copies it. `label` is shown instead of the address, as a token's symbol.
 */
export function AddressLink({
  address,
  kind,
  label = null,
}: {
  readonly address: string;
  readonly kind: 'token' | 'wallet' | 'other';
  readonly label?: string | null;
}) {
  const shown =
    label === null ? (
      <span class="address">{shortenAddress(address)}</span>
    ) : (
      <ChainText text={label} lengthMax={24} fallback={shortenAddress(address)} />
    );
  return (
    <span class="address-link" title={address}>
      {kind === 'other' ? shown : <a href={`/${kind}/${encodeURIComponent(address)}`}>{shown}</a>}
      <CopyButton text={address} label={kind === 'other' ? 'identifier' : 'address'} />
    </span>
  );
}
