import type { BodyOf } from '../../../api/client.ts';
import type { Hit } from '../../../api/rule-hit.ts';
import type { ChartMarker } from '../../../charts/candle-chart.tsx';
import { nameOf } from '../../../format/names.ts';
import { formatPercent } from '../../../format/numbers.ts';
import { FRAUD_NAMES } from '../../../ui/fraud-names.ts';
import { type Finding, type Pool, standingFindings } from '../token-types.ts';

export type BundleItem = Extract<
  BodyOf<'/v1/market/bundled-transactions'>['items'][number],
  { readonly members: readonly unknown[] }
>;
export type Signal = BodyOf<'/v1/signals'>['signals'][number];

export type EventKind = 'launch' | 'migration' | 'bundle' | 'finding' | 'signal' | 'rule';

/** Something that happened to a token at a time. */
export interface TokenEvent {
  readonly id: string;
  readonly kind: EventKind;
  readonly timeMs: number;
  /** One sentence. */
  readonly text: string;
  /** Where more is said. */
  readonly href: string | null;
}

const MARKS: Readonly<
  Record<
    EventKind,
    { readonly text: string; readonly name: string } & Pick<ChartMarker, 'tone' | 'isAbove'>
  >
> = {
  launch: { text: 'L', name: 'First liquidity', tone: 'accent', isAbove: false },
  migration: { text: 'M', name: 'Migration', tone: 'accent', isAbove: true },
  bundle: { text: 'B', name: 'Bundle', tone: 'falling', isAbove: false },
  finding: { text: 'F', name: 'Finding', tone: 'falling', isAbove: true },
  signal: { text: 'S', name: 'Signal', tone: 'rising', isAbove: false },
  rule: { text: 'R', name: 'Hit of a rule', tone: 'accent', isAbove: true },
};

export const EVENT_KINDS = Object.keys(MARKS) as readonly EventKind[];

export function markOf(kind: EventKind) {
  return MARKS[kind];
}

/** Marks of events, those of one kind in one candle together. */
export function toMarkers(events: readonly TokenEvent[], intervalMs: number): ChartMarker[] {
  const groups = new Map<string, TokenEvent[]>();
  for (const event of events) {
    const candleMs = Math.floor(event.timeMs / intervalMs) * intervalMs;
    const id = `${event.kind}-${candleMs}`;
    groups.set(id, [...(groups.get(id) ?? []), event]);
  }
  return [...groups].flatMap(([id, [first, ...rest]]) => {
    if (first === undefined) return [];
    const { text, tone, isAbove } = MARKS[first.kind];
    return {
      id,
      timeMs: first.timeMs,
      text: rest.length === 0 ? text : `${text}${rest.length + 1}`,
      tone,
      isAbove,
      title: [first, ...rest]
        .slice(0, 6)
        .map((event) => event.text)
        .join('\n'),
    };
  });
}

export function eventsOf(
  mint: string,
  sources: {
    readonly pools: readonly Pool[];
    readonly findings: readonly Finding[];
    readonly bundles: readonly BundleItem[];
    readonly signals: readonly Signal[];
    readonly hits: readonly Hit[];
  },
): readonly TokenEvent[] {
  return [
    ...poolEvents(sources.pools),
    ...standingFindings(sources.findings).map((finding) => findingEvent(mint, finding)),
    ...sources.bundles.flatMap((bundle) => bundleEvent(mint, bundle)),
    ...sources.signals.map(signalEvent),
    ...sources.hits.map((hit) => hitEvent(mint, hit)),
  ].sort((one, other) => other.timeMs - one.timeMs);
}

function poolEvents(pools: readonly Pool[]): readonly TokenEvent[] {
  const targets = new Set(pools.map(({ migrated_to }) => migrated_to));
  return pools.flatMap(({ pair_address, venue, first_seen_at, created_slot }) => {
    // A pool older than the stored history was not created when it was first seen.
    if (first_seen_at === null || created_slot === null) return [];
    const isTarget = targets.has(pair_address);
    return {
      id: pair_address,
      kind: isTarget ? 'migration' : 'launch',
      timeMs: Date.parse(first_seen_at),
      text: isTarget
        ? `The curve was full: trading moved to ${nameOf(venue)}.`
        : `A pool was opened on ${nameOf(venue)}.`,
      href: null,
    } as const;
  });
}

function findingEvent(mint: string, finding: Finding): TokenEvent {
  const { id, fraud_type, created_at, confidence_level, confidence_score } = finding;
  const certainty = formatPercent(String(confidence_score), { digits: 0 });
  return {
    id,
    kind: 'finding',
    timeMs: Date.parse(created_at),
    text: `${FRAUD_NAMES[fraud_type].name} reported: ${confidence_level}, confidence ${certainty}.`,
    href: `/token/${mint}?tab=findings&finding=${id}`,
  };
}

function bundleEvent(mint: string, bundle: BundleItem): readonly TokenEvent[] {
  const { slot, timestamp, level, certainty, members } = bundle;
  if (timestamp === null) return [];
  const wallets = new Set(members.map(({ signing_address }) => signing_address)).size;
  return [
    {
      id: `${slot}-${members[0]?.transaction_id ?? ''}`,
      kind: 'bundle',
      timeMs: Date.parse(timestamp),
      text: `${members.length} transactions of ${wallets} wallets were placed together (${level}, certainty ${formatPercent(String(certainty), { digits: 0 })}).`,
      href: `/token/${mint}?tab=bundles`,
    },
  ];
}

function signalEvent({ row_id, model_name, created_at }: Signal): TokenEvent {
  return {
    id: String(row_id),
    kind: 'signal',
    timeMs: Date.parse(created_at),
    text: `The model ${nameOf(model_name)} gave a signal.`,
    href: `/signals?model=${model_name}`,
  };
}

function hitEvent(mint: string, hit: Hit): TokenEvent {
  const { row_id, rule_id, author, kind, created_at, confidence } = hit;
  const whose = author === 'operator' ? "The operator's rule" : 'Your rule';
  const certainty = formatPercent(String(confidence), { digits: 0 });
  return {
    id: `rule-${row_id}`,
    kind: 'rule',
    timeMs: Date.parse(created_at),
    text: `${whose} ${rule_id} passed (${kind}), confidence ${certainty}.`,
    href: `/token/${mint}?tab=findings`,
  };
}
