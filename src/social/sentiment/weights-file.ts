/** The shipped weights of the sentiment model: bytes, and a card that says where they come from. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { FEATURE_BITS } from './hashed-features.ts';
import { type HashedWeights, WEIGHT_BYTES } from './hashed-model.ts';

export const MODEL_VERSION = 'hashed-1';

const CARD = new URL('weights.json', import.meta.url);
const BYTES = new URL('weights.bin', import.meta.url);

/** A body of posts that people labelled, and under which terms. */
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
    readonly tellingShare: number;
    readonly sources: readonly TrainingSource[];
  };
  readonly knownLimits: readonly string[];
}

export interface ShippedModel {
  readonly weights: HashedWeights;
  readonly card: ModelCard;
}

/** Throws when bytes and card do not belong together: scores of such weights would mean nothing. */
export function readShippedModel(): ShippedModel {
  const card = JSON.parse(readFileSync(CARD, 'utf8')) as ModelCard;
  const buffer = readFileSync(BYTES);
  if (
    card.version !== MODEL_VERSION ||
    card.featureBits !== FEATURE_BITS ||
    buffer.length !== WEIGHT_BYTES ||
    sha256(buffer) !== card.sha256
  ) {
    throw new Error('The weights of the sentiment model are not those that their card describes.');
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

export function writeShippedModel(
  weights: HashedWeights,
  training: ModelCard['training'],
  knownLimits: readonly string[],
): ModelCard {
  const { bytes, weightUnit, rarityUnit } = weights;
  const [bearish, neutral, bullish] = weights.bias;
  const card: ModelCard = {
    version: MODEL_VERSION,
    featureBits: FEATURE_BITS,
    sha256: sha256(bytes),
    weightUnit,
    rarityUnit,
    bias: { bearish, neutral, bullish },
    training,
    knownLimits,
  };
  writeFileSync(BYTES, bytes);
  writeFileSync(CARD, `${JSON.stringify(card, null, 2)}\n`);
  return card;
}

function sha256(bytes: Uint8Array | Int8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
