import { nameOf } from '../../../format/names.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';

/** Whether a wallet is a person's or a bot's. */
export function ClassBadge({ value }: { readonly value: 'organic' | 'bot' | null }) {
  if (value === null) {
    return (
      <span class="unknown" title="No wallet that trades">
        –
      </span>
    );
  }
  return value === 'bot' ? (
    <Badge title="Its trades look automated or coordinated: the wallet's page says why">Bot</Badge>
  ) : (
    <Badge tone="good" title="Nothing says that it is automated">
      Organic
    </Badge>
  );
}

type Label = 'creator' | 'insider' | 'smart' | 'copied';

const LABELS: Readonly<Record<Label, { readonly tone: Tone; readonly title: string }>> = {
  creator: { tone: 'warning', title: 'Created the token' },
  insider: {
    tone: 'warning',
    title: 'Paid the creator, was paid by it, or has the same first funder',
  },
  smart: { tone: 'accent', title: 'Traded well in earlier tokens' },
  copied: { tone: 'neutral', title: 'Others copy its trades' },
};

export function LabelBadges({ labels }: { readonly labels: readonly Label[] }) {
  return (
    <>
      {labels.map((label) => (
        <Badge key={label} tone={LABELS[label].tone} title={LABELS[label].title}>
          {nameOf(label)}
        </Badge>
      ))}
    </>
  );
}
