import { createHash } from 'node:crypto';
import { DECODER_VERSION } from '../decoders/registry.ts';
import type { Engine } from '../engine/engine.ts';
import { digestOfParts, storedPartsOf } from '../engine/state/state-digest.ts';
import type { CheckpointHead } from '../model/record-store.ts';
import type { StateDigest } from '../model/state-digest.ts';

/** What a checkpoint has beside the records of the state. */
export interface StateHead {
  /** The sums of the state's parts, as `Engine.beginCheckpoint` returns them. */
  readonly sums: Uint32Array;
  /** Number of slots up to it that older decoders decoded. */
  readonly olderSlots: number;
}

/** As JSON; the sums in base64. */
export function encodeStateHead({ sums, olderSlots }: StateHead): Uint8Array {
  const bytes = Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength);
  return Buffer.from(JSON.stringify({ sums: bytes.toString('base64'), olderSlots }));
}

/** `bytes` must come from `encodeStateHead`: the manifest that has them is checked. */
export function decodeStateHead(bytes: Uint8Array): StateHead {
  const { sums, olderSlots } = JSON.parse(Buffer.from(bytes).toString());
  const { buffer } = Uint8Array.from(Buffer.from(sums, 'base64'));
  return { sums: new Uint32Array(buffer), olderSlots };
}

/** The rules of stored states: `rules` are the inputs of the fold other than the log. */
export function stateRulesOf(rules: string, engine: Pick<Engine, 'layout'>): string {
  return `${rules}, decoders ${DECODER_VERSION}, ${layoutOf(engine)}`;
}

/**
 * What folds must have in common to have equal digests: the inputs other than the log, and the parts
 * of the state.
 */
export function foldVersionOf(rules: string, engine: Pick<Engine, 'layout'>): string {
  return `${rules}, ${layoutOf(engine)}`;
}

/**
 * Whether states are the same but for the decoders at the time, which decide only which slots count
 * as decoded by older ones: a fold applies the log as it was decoded.
 */
export function areSameFold(rules: string, other: string): boolean {
  const withoutDecoders = (text: string) =>
    text.replace(/, decoders \d+, (?=state [0-9a-f]+$)/, ', ');
  return withoutDecoders(rules) === withoutDecoders(other);
}

/**
 * The digest of a stored state; null if its parts are others than those of the engine, because
 * another version stored it.
 */
export function storedDigestOf(
  { slot, blockhash, rules, head }: CheckpointHead,
  engine: Pick<Engine, 'layout' | 'partNames'>,
): StateDigest | null {
  if (!rules.endsWith(`, ${layoutOf(engine)}`)) return null;
  const parts = storedPartsOf(engine.partNames, decodeStateHead(head).sums);
  return { slot, blockhash, digest: digestOfParts(parts), parts };
}

function layoutOf({ layout }: Pick<Engine, 'layout'>): string {
  return `state ${createHash('sha256').update(layout).digest('hex').slice(0, 16)}`;
}
