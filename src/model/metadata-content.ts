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

/** The content of metadata, without its position in the chain. Null: not set by this event. */
export const METADATA_CONTENT = {
  standard: plain<'metaplex' | 'token2022'>(),
  mint: address,
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
  /** Undefined: unchanged. Null: the zero key, so the metadata can no longer be updated. */
  updateAuthority: optional(maybeAddress),
  sellerFeeBps: plain<number | null>(),
  creators: nullable(list(CREATOR)),
  isMutable: plain<boolean | null>(),
  primarySaleHappened: plain<boolean | null>(),
  tokenStandard: plain<string | null>(),
};

export interface MetadataContent extends RecordOf<typeof METADATA_CONTENT> {}
