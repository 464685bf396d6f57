import type { MetadataObserved } from '../../model/account-observation.ts';
import { BorshReader } from '../../model/borsh-reader.ts';
import type { ClearableFields, Creator } from '../../model/metadata-content.ts';
import {
  readCollection,
  readCollectionDetails,
  readOption,
  readProgrammableConfig,
  readTokenStandard,
  readUses,
} from '../../model/metaplex-layout.ts';
import { METAPLEX_METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../model/program.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { AccountData } from './account-data.ts';

export type MetadataReading =
  | { readonly status: 'ok'; readonly metadata: MetadataObserved }
  | { readonly status: 'refused'; readonly reason: string };

/** `Key::MetadataV1` of mpl-token-metadata. */
const METADATA_V1 = 4;
const CREATORS_MAX = 5;

/**
 * Reads a mint's Metaplex metadata account (mpl-token-metadata, state/metadata.rs), whose strings
 * are padded with zeros. Fields after `is_mutable` were added later and may be absent or, in old
 * accounts, garbage. Never throws.
 */
export function readMetaplexMetadata(
  mint: Address,
  { owner, bytes }: AccountData,
  contextSlot: Slot,
): MetadataReading {
  if (owner !== METAPLEX_METADATA_PROGRAM) return refused(`it belongs to ${owner}`);
  const reader = new BorshReader(bytes);
  if (reader.u8() !== METADATA_V1) return refused('it is not a metadata account');
  const updateAuthority = reader.address();
  const ofMint = reader.address();
  const texts = { name: readText(reader), symbol: readText(reader), uri: readText(reader) };
  const sellerFeeBps = reader.u16();
  const creators = reader.bool() ? readCreators(reader) : null;
  const primarySaleHappened = reader.bool();
  const isMutable = reader.bool();
  if (reader.isShort) return refused('it is cut short');
  if (ofMint !== mint) return refused(`it belongs to the mint ${ofMint}`);
  return {
    status: 'ok',
    metadata: {
      kind: 'metadataObserved',
      contextSlot,
      standard: 'metaplex',
      mint,
      ...texts,
      updateAuthority: updateAuthority === SYSTEM_PROGRAM ? null : updateAuthority,
      sellerFeeBps,
      creators,
      isMutable,
      primarySaleHappened,
      ...readLaterFields(reader),
    },
  };
}

function readText(reader: BorshReader): string {
  return reader.string().replace(/\0+$/u, '');
}

/** A count above the program's bound exhausts the reader, so the account is refused. */
function readCreators(reader: BorshReader): readonly Creator[] {
  const count = reader.u32();
  if (count > CREATORS_MAX) reader.skip(reader.remaining + 1);
  const creators: Creator[] = [];
  for (let index = 0; index < count && !reader.isShort; index++) {
    creators.push({
      address: reader.address(),
      verified: reader.bool(),
      sharePercent: reader.u8(),
    });
  }
  return creators;
}

interface LaterFields extends Required<ClearableFields> {
  readonly tokenStandard: string | null;
}

/**
 * As the program reads them: if the token standard, the collection or the uses are not valid, none
 * of the three is set. What follows bytes that are not valid is not set either.
 */
function readLaterFields(reader: BorshReader): LaterFields {
  const editionNonce = readOption(reader, (rest) => rest.u8());
  if (reader.isShort) return NO_LATER_FIELDS;
  const tokenStandard = readOption(reader, readTokenStandard);
  const collection = readOption(reader, readCollection);
  const uses = readOption(reader, readUses);
  if (reader.isShort) return { ...NO_LATER_FIELDS, editionNonce };
  const known = { ...NO_LATER_FIELDS, editionNonce, tokenStandard, collection, uses };
  const collectionDetails = readOption(reader, readCollectionDetails);
  if (reader.isShort) return known;
  const programmableConfig = readOption(reader, readProgrammableConfig);
  return reader.isShort
    ? { ...known, collectionDetails }
    : { ...known, collectionDetails, programmableConfig };
}

const NO_LATER_FIELDS: LaterFields = {
  tokenStandard: null,
  editionNonce: null,
  collection: null,
  uses: null,
  collectionDetails: null,
  programmableConfig: null,
};

function refused(reason: string): MetadataReading {
  return { status: 'refused', reason };
}
