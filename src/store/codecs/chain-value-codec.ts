/** Codecs shared by events, observations and records. */
import type { MetadataContent } from '../../model/account-observation.ts';
import type { Creator } from '../../model/chain-event.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { Address, Lamports, RawAmount, Signature } from '../../model/units.ts';
import {
  type Codec,
  type Fields,
  integer,
  interned,
  list,
  nullable,
  optional,
  plain,
  record,
  text,
} from './codec.ts';

/** Addresses, stored once each in the string table. */
export const address = interned<Address>();

/** Null: none, or unknown. */
export const maybeAddress = nullable(address);

/** Signatures, stored in the same table. */
export const signature = interned<Signature>();

/** Token amounts in raw units. */
export const amount = integer<RawAmount>();

/** Null: unknown, or absent. */
export const maybeAmount = nullable(amount);

/** Amounts of SOL. */
export const lamports = integer<Lamports>();

/** The reserves of a pool, in raw units. */
export const reserves: Codec<Reserves> = record<Reserves>({
  base: amount,
  quote: amount,
  virtualBase: maybeAmount,
  virtualQuote: maybeAmount,
});

/** The creators of a token according to its metadata. */
export const creators: Codec<readonly Creator[]> = list(
  record<Creator>({ address, verified: plain(), sharePercent: plain() }),
);

/** Metadata in an event or an observation. */
export const metadata: Fields<MetadataContent> = {
  standard: plain(),
  mint: address,
  name: nullable(text),
  symbol: nullable(text),
  uri: nullable(text),
  updateAuthority: optional(maybeAddress),
  sellerFeeBps: plain(),
  creators: nullable(creators),
  isMutable: plain(),
  primarySaleHappened: plain(),
  tokenStandard: plain(),
};
