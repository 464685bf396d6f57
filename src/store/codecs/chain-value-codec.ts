/** What events, observations and records store alike. */
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

/** Addresses, each once in the string table. */
export const address = interned<Address>();

/** Null: nobody, or not known. */
export const maybeAddress = nullable(address);

/** Signatures, in the same table. */
export const signature = interned<Signature>();

/** Token amounts in raw units. */
export const amount = integer<RawAmount>();

/** Null: not known, or not given. */
export const maybeAmount = nullable(amount);

/** Amounts of SOL. */
export const lamports = integer<Lamports>();

/** What a pool holds and prices with, in raw units. */
export const reserves: Codec<Reserves> = record<Reserves>({
  base: amount,
  quote: amount,
  virtualBase: maybeAmount,
  virtualQuote: maybeAmount,
});

/** Those whom metadata names as makers of a token. */
export const creators: Codec<readonly Creator[]> = list(
  record<Creator>({ address, verified: plain(), sharePercent: plain() }),
);

/** What an event or an observation says of metadata. */
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
