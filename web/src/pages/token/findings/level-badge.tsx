import { Badge, type Tone } from '../../../ui/badge.tsx';
import { nameOf } from '../names.ts';
import type { Finding } from '../token-types.ts';

type Level = Finding['confidence_level'];
type Status = Finding['status'];

const LEVELS: Readonly<Record<Level, { readonly tone: Tone; readonly title: string }>> = {
  critical: { tone: 'bad', title: 'Confidence of 90 % or more' },
  high: { tone: 'bad', title: 'Confidence of 70 % or more' },
  medium: { tone: 'warning', title: 'Confidence of 50 % or more' },
  low: { tone: 'neutral', title: 'Confidence below 50 %' },
};

export function LevelBadge({ level }: { readonly level: Level }) {
  return (
    <Badge tone={LEVELS[level].tone} title={LEVELS[level].title}>
      {nameOf(level)}
    </Badge>
  );
}

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
