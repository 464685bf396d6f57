import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { StoreError } from '../model/errors.ts';
import { encodeSlotFacts, receiveSlotFacts } from '../store/codecs/facts-codec.ts';
import {
  type ClusterStep,
  decodeHead,
  encodeHead,
  HEAD_TEXT_MAX,
  type HeadStep,
  type StepHead,
} from './step-head.ts';

/** A message of the log, not decoded. */
export interface StepMessage {
  /** The head of the step; null if the message has none and is not of this service. */
  readonly head: string | null;
  /** Compressed facts; empty for other steps and where only heads are read. */
  readonly body: Uint8Array;
}

/** A message at its position. */
export interface StoredMessage extends StepMessage {
  /** From 1; without holes between the first and the last of a log. */
  readonly seq: number;
}

/** More than a hundred times the facts of a full block. */
const FACTS_BYTES_MAX = 256 * 2 ** 20;
const NO_BODY = new Uint8Array();

/** The head of a step. Throws RangeError for facts that are not those of a whole, linked block. */
export function headOf(step: ClusterStep): HeadStep {
  if (step.kind === 'missing') return { ...step, reason: step.reason.slice(0, HEAD_TEXT_MAX) };
  if (step.kind !== 'facts') return step;
  const { slot, blockhash, parentSlot, previousBlockhash } = step.facts;
  if (blockhash === null || parentSlot === null || previousBlockhash === null) {
    throw new RangeError(`the block of slot ${slot} has no hash or no parent`);
  }
  return { kind: 'facts', slot, blockhash, parentSlot, previousBlockhash };
}

/** The body of a step's message. */
export function bodyOf(step: ClusterStep): Uint8Array {
  return step.kind === 'facts' ? zstdCompressSync(encodeSlotFacts(step.facts)) : NO_BODY;
}

export function encodeMessage(head: StepHead, body: Uint8Array): StepMessage {
  return { head: encodeHead(head), body };
}

/** What a message is: a step with its head, something foreign, or unusable, with a sentence. */
export type DecodedMessage =
  | { readonly kind: 'step'; readonly head: StepHead; readonly step: ClusterStep }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Decodes a message of unknown origin. Never throws. */
export function decodeMessage({ head: line, body }: StepMessage): DecodedMessage {
  if (line === null) return { kind: 'foreign' };
  const head = decodeHead(line);
  if (typeof head === 'string') return { kind: 'unusable', reason: head };
  if (head.step.kind !== 'facts') return { kind: 'step', head, step: head.step };
  const facts = decodeFacts(body);
  if (typeof facts === 'string') return { kind: 'unusable', reason: facts };
  const { slot, blockhash, parentSlot, previousBlockhash } = head.step;
  const isOfHead =
    facts.slot === slot &&
    facts.blockhash === blockhash &&
    facts.parentSlot === parentSlot &&
    facts.previousBlockhash === previousBlockhash;
  if (!isOfHead)
    return { kind: 'unusable', reason: 'its facts are of another block than its head' };
  return { kind: 'step', head, step: { kind: 'facts', facts } };
}

function decodeFacts(body: Uint8Array) {
  let text: string;
  try {
    text = zstdDecompressSync(body, { maxOutputLength: FACTS_BYTES_MAX }).toString();
  } catch {
    return 'its body cannot be decompressed';
  }
  try {
    return receiveSlotFacts(text);
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
