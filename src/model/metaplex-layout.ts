/** Structures that instructions and accounts of Metaplex Token Metadata have in common. */

import type { BorshReader } from './borsh-reader.ts';
import {
  type Collection,
  type CollectionDetails,
  type ProgrammableConfig,
  USE_METHODS,
  type Uses,
} from './metadata-content.ts';

const TOKEN_STANDARDS = [
  'NonFungible',
  'FungibleAsset',
  'Fungible',
  'NonFungibleEdition',
  'ProgrammableNonFungible',
  'ProgrammableNonFungibleEdition',
] as const;

export type TokenStandard = (typeof TOKEN_STANDARDS)[number];

/**
 * A value that may be absent. Like all functions of this file it sets `isShort` of the reader for
 * bytes that the program does not write.
 */
export function readOption<T>(
  reader: BorshReader,
  readValue: (reader: BorshReader) => T,
): T | null {
  return readFlag(reader) ? readValue(reader) : null;
}

export function readTokenStandard(reader: BorshReader): TokenStandard {
  return readVariant(reader, TOKEN_STANDARDS);
}

export function readCollection(reader: BorshReader): Collection {
  return { verified: readFlag(reader), key: reader.address() };
}

export function readUses(reader: BorshReader): Uses {
  const useMethod = readVariant(reader, USE_METHODS);
  return { useMethod, remaining: reader.u64(), total: reader.u64() };
}

/** V1 has the size, V2 eight bytes without a meaning in its place. */
export function readCollectionDetails(reader: BorshReader): CollectionDetails {
  const version = readVariant(reader, ['V1', 'V2']);
  const size = reader.u64();
  return { size: version === 'V1' ? size : null };
}

/** Only version V1 exists so far. */
export function readProgrammableConfig(reader: BorshReader): ProgrammableConfig {
  readVariant(reader, ['V1']);
  return { ruleSet: readOption(reader, (rest) => rest.address()) };
}

function readFlag(reader: BorshReader): boolean {
  return readVariant(reader, [false, true]);
}

function readVariant<T>(reader: BorshReader, variants: readonly [T, ...T[]]): T {
  const variant = variants[reader.u8()];
  if (variant === undefined) reader.isShort = true;
  return variant ?? variants[0];
}
