import { nameOf } from '../../format/names.ts';
import { Badge } from '../../ui/badge.tsx';

/** Organic or bot; a wallet that never traded is neither. */
export function ClassBadge({ label }: { readonly label: string | null }) {
  if (label === null) return <Badge title="A class needs a trade">Never traded</Badge>;
  return <Badge tone={label === 'bot' ? 'bad' : 'good'}>{nameOf(label)}</Badge>;
}

/** What an address is known as, as an exchange. */
export function KindBadge({ kind }: { readonly kind: string }) {
  return (
    <Badge tone="accent" title="Known class of the address">
      {nameOf(kind)}
    </Badge>
  );
}
