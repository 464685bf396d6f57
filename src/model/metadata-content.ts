import {
  type Described,
  list,
  nullable,
  optional,
  plain,
  type RecordOf,
  record,
  text,
} from './codec.ts';
import { address, maybeAddress } from './value-codecs.ts';

export const CREATOR = record({
  address,
  verified: plain<boolean>(),
  sharePercent: plain<number>(),
});

/** A creator listed in a token's metadata. */
export interface Creator extends Described<typeof CREATOR> {}

/** Fields that only Metaplex metadata has. */
export const METAPLEX_FIELDS = {
  sellerFeeBps: plain<number | null>(),
  creators: nullable(list(CREATOR)),
  isMutable: plain<boolean | null>(),
  primarySaleHappened: plain<boolean | null>(),
  tokenStandard: plain<string | null>(),
};

export interface MetaplexFields extends RecordOf<typeof METAPLEX_FIELDS> {}

/** The content of metadata, without its position in the chain. Null: not set by this event. */
export const METADATA_CONTENT = {
  standard: plain<'metaplex' | 'token2022'>(),
  mint: address,
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
  /** Undefined: unchanged. Null: the zero key, so the metadata can no longer be updated. */
  updateAuthority: optional(maybeAddress),
  ...METAPLEX_FIELDS,
};

export interface MetadataContent extends RecordOf<typeof METADATA_CONTENT> {}

/** Each of Metaplex's fields from `newer`, or from `older` where `newer` does not set it. */
export function mergeMetaplexFields(newer: MetaplexFields, older: MetaplexFields): MetaplexFields {
  const merged: Record<string, unknown> = {};
  for (const name of METAPLEX_NAMES) merged[name] = newer[name] ?? older[name];
  return merged as unknown as MetaplexFields;
}

const METAPLEX_NAMES = Object.keys(METAPLEX_FIELDS) as (keyof MetaplexFields)[];

/** No field is set. */
export const NO_METAPLEX_FIELDS = Object.fromEntries(
  METAPLEX_NAMES.map((name) => [name, null]),
) as { readonly [Name in keyof MetaplexFields]: null };
