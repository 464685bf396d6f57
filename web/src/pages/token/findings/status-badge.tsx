import { nameOf } from '../../../format/names.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import type { Finding } from '../token-types.ts';

type Status = Finding['status'];

const STATUSES: Readonly<Record<Status, { readonly tone: Tone; readonly title: string }>> = {
  active: { tone: 'neutral', title: 'Found by the service, not reviewed by a person' },
  reviewed: { tone: 'accent', title: 'A person has looked at it' },
  confirmed: { tone: 'bad', title: 'A person has confirmed it' },
  false_positive: { tone: 'good', title: 'A person has rejected it' },
  archived: { tone: 'neutral', title: 'Put away' },
};

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <Badge tone={STATUSES[status].tone} title={STATUSES[status].title}>
      {nameOf(status)}
    </Badge>
  );
}
