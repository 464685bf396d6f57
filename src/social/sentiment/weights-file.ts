/** The shipped weights of the sentiment model: bytes, and a card that documents their origin. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FEATURE_BITS } from './hashed-features.ts';
import type { HashedWeights } from './hashed-model.ts';
import { WEIGHT_BYTES } from './weight-columns.ts';

export const MODEL_VERSION = 'hashed-2';

/** URLs of the shipped weights and their card. */
export const SHIPPED_FILES = {
  card: new URL('weights.json', import.meta.url),
  bytes: new URL('weights.bin', import.meta.url),
} as const;

/** A data set of posts labelled by people, and its licence. */
export interface TrainingSource {
  readonly name: string;
  readonly posts: number;
  readonly style: string;
  readonly licence: string;
}

export interface ModelCard {
  readonly version: string;
  readonly featureBits: number;
  readonly sha256: string;
  /** For each column of the weights (`COLUMNS`), its unit and bias. */
  readonly columns: readonly { readonly unit: number; readonly bias: number }[];
  readonly training: {
    /** As in `scripts/sentiment-recipe.ts`. */
    readonly settings: unknown;
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
  const weights = {
    bytes,
    units: card.columns.map(({ unit }) => unit),
    biases: card.columns.map(({ bias }) => bias),
  };
  return { weights, card };
}

/** SHA-256 of the weights' bytes, in the format of the card. */
export function digestOfWeights(bytes: Uint8Array | Int8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
