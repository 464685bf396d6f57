import {
  type Described,
  integer,
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

export const COLLECTION = record({ verified: plain<boolean>(), key: address });

/** The collection of a token: its mint, and whether its authority verified the membership. */
export interface Collection extends Described<typeof COLLECTION> {}

export const USE_METHODS = ['Burn', 'Multiple', 'Single'] as const;

export const USES = record({
  useMethod: plain<(typeof USE_METHODS)[number]>(),
  remaining: integer<bigint>(),
  total: integer<bigint>(),
});

/** How often a token can be used. */
export interface Uses extends Described<typeof USES> {}

export const COLLECTION_DETAILS = record({
  /** Number of verified members; null for a collection that does not count them. */
  size: nullable(integer<bigint>()),
});

/** Marks a token that is itself a collection. */
export interface CollectionDetails extends Described<typeof COLLECTION_DETAILS> {}

export const PROGRAMMABLE_CONFIG = record({
  /** The account with the rules of transfers; null if there are none. */
  ruleSet: maybeAddress,
});

/** Marks a programmable token. */
export interface ProgrammableConfig extends Described<typeof PROGRAMMABLE_CONFIG> {}

/** Fields of Metaplex metadata that can be absent. Undefined: not set by this event. Null: none. */
export const CLEARABLE_FIELDS = {
  editionNonce: optional(plain<number | null>()),
  collection: optional(nullable(COLLECTION)),
  uses: optional(nullable(USES)),
  collectionDetails: optional(nullable(COLLECTION_DETAILS)),
  programmableConfig: optional(nullable(PROGRAMMABLE_CONFIG)),
};

export interface ClearableFields extends RecordOf<typeof CLEARABLE_FIELDS> {}

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
  ...CLEARABLE_FIELDS,
};

export interface MetadataContent extends RecordOf<typeof METADATA_CONTENT> {}

/** Each of Metaplex's fields from `newer`, or from `older` where `newer` does not set it. */
export function mergeMetaplexFields(newer: MetaplexFields, older: MetaplexFields): MetaplexFields {
  const merged: Record<string, unknown> = {};
  for (const name of METAPLEX_NAMES) merged[name] = newer[name] ?? older[name];
  return merged as unknown as MetaplexFields;
}

/** Each of the fields that can be absent from `newer`, or from `older` where `newer` lacks it. */
export function mergeClearableFields(
  newer: ClearableFields,
  older: ClearableFields,
): ClearableFields {
  const merged: Record<string, unknown> = {};
  for (const name of CLEARABLE_NAMES) {
    const value = newer[name] === undefined ? older[name] : newer[name];
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

const CLEARABLE_NAMES = Object.keys(CLEARABLE_FIELDS) as (keyof ClearableFields)[];

const METAPLEX_NAMES = Object.keys(METAPLEX_FIELDS) as (keyof MetaplexFields)[];

/** No field is set. */
export const NO_METAPLEX_FIELDS = Object.fromEntries(
  METAPLEX_NAMES.map((name) => [name, null]),
) as { readonly [Name in keyof MetaplexFields]: null };
