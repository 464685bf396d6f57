/** The shipped weights of the sentiment model: bytes, and a card that documents their origin. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FEATURE_BITS } from './hashed-features.ts';
import { type HashedWeights, WEIGHT_BYTES } from './hashed-model.ts';

export const MODEL_VERSION = 'hashed-1';

/** URLs of the shipped weights and their card. */
export const SHIPPED_FILES = {
  card: new URL('weights.json', import.meta.url),
  bytes: new URL('weights.bin', import.meta.url),
} as const;

/** A data set of posts labelled by people, and its licence. */
export interface TrainingSource {
  readonly name: string;
  readonly posts: number;
  readonly weight: number;
  readonly licence: string;
}

export interface ModelCard {
  readonly version: string;
  readonly featureBits: number;
  readonly sha256: string;
  readonly weightUnit: number;
  readonly rarityUnit: number;
  readonly bias: {
    readonly bearish: number;
    readonly neutral: number;
    readonly bullish: number;
  };
  readonly training: {
    readonly seed: number;
    readonly rounds: number;
    readonly errorCost: number;
    readonly indicativeShare: number;
    readonly sources: readonly TrainingSource[];
  };
  readonly knownLimits: readonly string[];
}

export interface ShippedModel {
  readonly weights: HashedWeights;
  readonly card: ModelCard;
}

/** Throws when the card does not describe the bytes: such weights give meaningless scores. */
export function readShippedModel(): ShippedModel {
  const card = JSON.parse(readFileSync(SHIPPED_FILES.card, 'utf8')) as ModelCard;
  const buffer = readFileSync(SHIPPED_FILES.bytes);
  if (
    card.version !== MODEL_VERSION ||
    card.featureBits !== FEATURE_BITS ||
    buffer.length !== WEIGHT_BYTES ||
    digestOfWeights(buffer) !== card.sha256
  ) {
    throw new Error('The weights of the sentiment model do not match their card.');
  }
  const bytes = new Int8Array(buffer.buffer, buffer.byteOffset, buffer.length);
  const { weightUnit, rarityUnit, bias } = card;
  const weights = {
    bytes,
    weightUnit,
    rarityUnit,
    bias: [bias.bearish, bias.neutral, bias.bullish],
  } as const;
  return { weights, card };
}

/** SHA-256 of the weights' bytes, in the format of the card. */
export function digestOfWeights(bytes: Uint8Array | Int8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
