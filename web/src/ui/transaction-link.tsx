import { shortenAddress } from '../format/texts.ts';
import { isSimulated } from '../state/freshness.ts';
import { CopyButton } from './copy-button.tsx';
import { ExternalLink } from './external-link.tsx';

/**
 * A transaction: its signature shortened, the whole one on hover and to copy, and a link to a public
 * explorer, which knows nothing of a simulated chain.
 */
export function TransactionLink({ signature }: { readonly signature: string }) {
  const shown = <span class="address">{shortenAddress(signature)}</span>;
  return (
    <span class="address-link" title={signature}>
      {isSimulated.value ? (
        shown
      ) : (
        <ExternalLink url={`https://explorer.solana.com/tx/${signature}`}>{shown}</ExternalLink>
      )}
      <CopyButton text={signature} label="signature" />
    </span>
  );
}
