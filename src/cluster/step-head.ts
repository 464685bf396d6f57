import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ChainPoint } from '../chain/block-link.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { SLOT_MAX, type Slot } from '../model/units.ts';

/** Version of heads and bodies. A reader of an older version stops at a newer one. */
export const STEP_VERSION = 1;

/** A step of the log as it is shared between machines. Problems are not shared. */
export type ClusterStep =
  | { readonly kind: 'facts'; readonly facts: SlotFacts }
  | { readonly kind: 'undo'; readonly toSlot: Slot; readonly toBlockhash: string }
  | { readonly kind: 'final'; readonly slot: Slot }
  | { readonly kind: 'missing'; readonly from: Slot; readonly to: Slot; readonly reason: string }
  | { readonly kind: 'dropped'; readonly from: Slot; readonly to: Slot }
  | { readonly kind: 'skipped'; readonly from: Slot; readonly to: Slot };

/** A step without the facts, which are in the body of its message. */
export type HeadStep =
  | {
      readonly kind: 'facts';
      readonly slot: Slot;
      readonly blockhash: string;
      readonly parentSlot: Slot;
      readonly previousBlockhash: string;
    }
  | Exclude<ClusterStep, { readonly kind: 'facts' }>;

/** What a message says about its step and about the log up to and including it. */
export interface StepHead {
  readonly step: HeadStep;
  /** The last final block; null before the first. Its slot never falls. */
  readonly final: ChainPoint | null;
  /** Sequence of the last step that changed final slots; 0 before the first. */
  readonly lateSeq: number;
  /** The ingester that appended it. */
  readonly writer: string;
  /**
   * Sequence of the last change of the control plane that counts from this step on; 0 before the
   * first. Absent in heads of versions before there were any.
   */
  readonly controlSeq?: number;
}

/** Longest hash, reason and name that a head may have. */
export const HEAD_TEXT_MAX = 500;

const text = Type.String({ maxLength: HEAD_TEXT_MAX });
const slot = Type.Integer({ minimum: 0, maximum: SLOT_MAX });
const seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const range = { from: slot, to: slot };
const kinds = {
  facts: { slot, blockhash: text, parentSlot: slot, previousBlockhash: text },
  undo: { toSlot: slot, toBlockhash: text },
  final: { slot },
  missing: { ...range, reason: text },
  dropped: range,
  skipped: range,
} as const;

const schema = Compile(
  Type.Object({
    version: Type.Literal(STEP_VERSION),
    step: Type.Union(
      Object.entries(kinds).map(([kind, fields]) =>
        Type.Object({ kind: Type.Literal(kind), ...fields }, { additionalProperties: false }),
      ),
    ),
    final: Type.Union([Type.Null(), Type.Object({ slot, blockhash: text })]),
    lateSeq: seq,
    writer: text,
    controlSeq: Type.Optional(seq),
  }),
);

/** The head as one line of ASCII, for a header. */
export function encodeHead(head: StepHead): string {
  const line = JSON.stringify({ version: STEP_VERSION, ...head });
  return line.replace(/[^\x20-\x7e]/g, (letter) => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

/** The head, or a sentence on why it cannot be used. */
export function decodeHead(line: string): StepHead | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'its head is not JSON';
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > STEP_VERSION) {
    return `it has version ${version} and this replica reads ${STEP_VERSION}: update the replica`;
  }
  if (!schema.Check(value)) return 'its head has other fields than a step';
  const { step, final, lateSeq, writer, controlSeq } = value as unknown as StepHead;
  const isAscending = !('from' in step) || step.from <= step.to;
  if (!isAscending) return 'its range of slots is reversed';
  return { step, final, lateSeq, writer, ...(controlSeq === undefined ? {} : { controlSeq }) };
}

/** Names the step in message ids: slot, hash and kind. */
export function nameOfStep(step: HeadStep): string {
  if (step.kind === 'facts') return `${step.slot}:${step.blockhash}:facts`;
  if (step.kind === 'undo') return `${step.toSlot}:${step.toBlockhash}:undo`;
  if (step.kind === 'final') return `${step.slot}::final`;
  return `${step.from}-${step.to}::${step.kind}`;
}
