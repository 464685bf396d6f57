import { Badge } from '../../ui/badge.tsx';
import { wordsOf } from './wallet-types.ts';

/** Organic or bot; a wallet that never traded is neither. */
export function ClassBadge({ label }: { readonly label: string | null }) {
  if (label === null) return <Badge title="A class needs a trade">never traded</Badge>;
  return <Badge tone={label === 'bot' ? 'bad' : 'good'}>{label}</Badge>;
}

/** What an address is known as, as an exchange. */
export function KindBadge({ kind }: { readonly kind: string }) {
  return (
    <Badge tone="accent" title="Known class of the address">
      {wordsOf(kind)}
    </Badge>
  );
}
