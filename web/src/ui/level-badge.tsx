import type { BodyOf } from '../api/client.ts';
import { nameOf } from '../format/names.ts';
import { Badge, type Tone } from './badge.tsx';

type Level = BodyOf<'/v1/fraud/classifications'>['classifications'][number]['confidence_level'];

const LEVELS: Readonly<Record<Level, { readonly tone: Tone; readonly title: string }>> = {
  critical: { tone: 'bad', title: 'Confidence of 90 % or more' },
  high: { tone: 'bad', title: 'Confidence of 70 % or more' },
  medium: { tone: 'warning', title: 'Confidence of 50 % or more' },
  low: { tone: 'neutral', title: 'Confidence below 50 %' },
};

export const TONE_OF_LEVEL: Readonly<Record<Level, Tone>> = {
  critical: LEVELS.critical.tone,
  high: LEVELS.high.tone,
  medium: LEVELS.medium.tone,
  low: LEVELS.low.tone,
};

/** How sure a finding is, in a word. */
export function LevelBadge({ level }: { readonly level: Level }) {
  return (
    <Badge tone={LEVELS[level].tone} title={LEVELS[level].title}>
      {nameOf(level)}
    </Badge>
  );
}
