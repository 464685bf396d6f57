/**
 * Metaplex Token Metadata, metaqbxx…: the name, symbol and link of a mint, its update authority,
 * and the receivers of royalties.
 *
 * The program logs no events, so the instruction's arguments are used; an argument that the program
 * rejects fails the transaction. Arguments come in versions: `Data`, then `DataV2` with more fields
 * at the end. Both versions of `UpdateMetadataAccount` name only the metadata account. Its mint is
 * known when another instruction of the transaction names both; otherwise the change is ignored,
 * since a mint cannot be derived from its metadata address.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Creator } from '../../model/metadata-content.ts';
import { METAPLEX_METADATA_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { type DecodeResult, type Decoder, IGNORED, malformed, unknown } from '../legs/decoder.ts';
import { authorityOrNull, type MetadataChanges, metadataSet } from '../legs/metadata-set.ts';
import { mintDecimals } from '../transaction/mint-decimals.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const CREATE_METADATA_ACCOUNT = 0;
const UPDATE_METADATA_ACCOUNT = 1;
const UPDATE_METADATA_ACCOUNT_V2 = 15;
const CREATE_METADATA_ACCOUNT_V2 = 16;
const CREATE_METADATA_ACCOUNT_V3 = 33;
const CREATE = 42;
const UPDATE = 50;
/**
 * CloseAccounts, the newest tag. Tags not listed above concern editions, collections, delegates and
 * burns.
 */
const TAG_MAX = 57;

/** Positions of the accounts that are read. */
const ACCOUNTS = {
  [CREATE_METADATA_ACCOUNT]: { metadata: 0, mint: 1, updateAuthority: 4 },
  [CREATE_METADATA_ACCOUNT_V2]: { metadata: 0, mint: 1, updateAuthority: 4 },
  [CREATE_METADATA_ACCOUNT_V3]: { metadata: 0, mint: 1, updateAuthority: 4 },
  [CREATE]: { metadata: 0, mint: 2, updateAuthority: 5 },
  [UPDATE]: { metadata: 4, mint: 3 },
} as const;

const TOKEN_STANDARDS = [
  'NonFungible',
  'FungibleAsset',
  'Fungible',
  'NonFungibleEdition',
  'ProgrammableNonFungible',
  'ProgrammableNonFungibleEdition',
] as const;

export const metaplexMetadata: Decoder = {
  name: 'metaplex_metadata',
  programId: METAPLEX_METADATA_PROGRAM,
  isVenue: false,
  decode(instruction, view) {
    const [tag] = instruction.data;
    switch (tag) {
      case undefined:
        return malformed('no data');
      case CREATE_METADATA_ACCOUNT:
      case CREATE_METADATA_ACCOUNT_V2:
      case CREATE_METADATA_ACCOUNT_V3:
        return decodeCreateMetadataAccount(instruction, view, tag);
      case CREATE:
        return decodeCreate(instruction);
      case UPDATE_METADATA_ACCOUNT:
      case UPDATE_METADATA_ACCOUNT_V2:
        return decodeUpdateMetadataAccount(instruction, view, tag);
      case UPDATE:
        return decodeUpdate(instruction);
      default:
        return tag <= TAG_MAX ? IGNORED : unknown(instruction.data, 1);
    }
  },
};

function decodeCreateMetadataAccount(
  instruction: Instruction,
  view: TransactionView,
  tag: 0 | 16 | 33,
): DecodeResult {
  const mint = instruction.account(ACCOUNTS[tag].mint);
  const updateAuthority = instruction.account(ACCOUNTS[tag].updateAuthority);
  const reader = new BorshReader(instruction.data, 1);
  const data = readData(reader);
  if (tag !== CREATE_METADATA_ACCOUNT) skipRestOfDataV2(reader);
  const isMutable = reader.bool();
  if (reader.isShort || mint === null || updateAuthority === null) {
    return malformed('metadata creation cut short');
  }
  // From V2 on the program sets the standard itself, by the mint's decimals. A mint without
  // decimals may still become an edition, which other instructions decide.
  const isFungible = tag !== CREATE_METADATA_ACCOUNT && (mintDecimals(view, mint) ?? 0) > 0;
  return metadataSet(instruction, 'metaplex', mint, {
    ...data,
    isMutable,
    updateAuthority: authorityOrNull(updateAuthority),
    primarySaleHappened: false,
    tokenStandard: isFungible ? 'Fungible' : null,
  });
}

/** `CreateArgs`: only version V1 exists so far. */
function decodeCreate(instruction: Instruction): DecodeResult {
  const mint = instruction.account(ACCOUNTS[CREATE].mint);
  const updateAuthority = instruction.account(ACCOUNTS[CREATE].updateAuthority);
  const reader = new BorshReader(instruction.data, 1);
  if (reader.u8() !== 0) return unknown(instruction.data, 2);
  const data = readData(reader);
  const primarySaleHappened = reader.bool();
  const isMutable = reader.bool();
  const tokenStandard = TOKEN_STANDARDS[reader.u8()];
  if (reader.isShort || mint === null || updateAuthority === null || tokenStandard === undefined) {
    return malformed('creation cut short');
  }
  return metadataSet(instruction, 'metaplex', mint, {
    ...data,
    primarySaleHappened,
    isMutable,
    tokenStandard,
    updateAuthority: authorityOrNull(updateAuthority),
  });
}

function decodeUpdateMetadataAccount(
  instruction: Instruction,
  view: TransactionView,
  tag: 1 | 15,
): DecodeResult {
  const reader = new BorshReader(instruction.data, 1);
  let changes: MetadataChanges = {};
  if (reader.bool()) {
    changes = readData(reader);
    if (tag === UPDATE_METADATA_ACCOUNT_V2) skipRestOfDataV2(reader);
  }
  if (reader.bool()) changes = { ...changes, updateAuthority: authorityOrNull(reader.address()) };
  if (reader.bool()) changes = { ...changes, primarySaleHappened: reader.bool() };
  if (tag === UPDATE_METADATA_ACCOUNT_V2 && reader.bool()) {
    changes = { ...changes, isMutable: reader.bool() };
  }
  if (reader.isShort) return malformed('metadata update cut short');
  const mint = mintOfMetadata(view, instruction.accountIndex(0));
  return mint === null ? IGNORED : metadataSet(instruction, 'metaplex', mint, changes);
}

/** The mint named together with this metadata account in another instruction of the transaction. */
function mintOfMetadata(view: TransactionView, metadata: number): Address | null {
  for (const instruction of view.transaction.instructions) {
    if (instruction.programId !== METAPLEX_METADATA_PROGRAM) continue;
    const accounts = accountsOfTag(instruction.data[0]);
    if (accounts !== undefined && instruction.accountIndex(accounts.metadata) === metadata) {
      return instruction.account(accounts.mint);
    }
  }
  return null;
}

function accountsOfTag(tag = -1): { metadata: number; mint: number } | undefined {
  return (ACCOUNTS as Readonly<Record<number, { metadata: number; mint: number }>>)[tag];
}

/** Versions of `UpdateArgs`, in order. The omitted ones change only collections and rule sets. */
const UPDATE_V1 = 0;
const AS_UPDATE_AUTHORITY_V2 = 1;
const AS_AUTHORITY_ITEM_DELEGATE_V2 = 2;
const AS_DATA_DELEGATE_V2 = 4;
const AS_DATA_ITEM_DELEGATE_V2 = 6;
const UPDATE_VERSION_MAX = 8;

function decodeUpdate(instruction: Instruction): DecodeResult {
  const mint = instruction.account(ACCOUNTS[UPDATE].mint);
  const reader = new BorshReader(instruction.data, 1);
  const version = reader.u8();
  if (version > UPDATE_VERSION_MAX) return unknown(instruction.data, 2);
  const changes = readUpdateArgs(reader, version);
  if (reader.isShort || mint === null) return malformed('update cut short');
  return metadataSet(instruction, 'metaplex', mint, changes);
}

function readUpdateArgs(reader: BorshReader, version: number): MetadataChanges {
  switch (version) {
    case AS_DATA_DELEGATE_V2:
    case AS_DATA_ITEM_DELEGATE_V2:
      return reader.bool() ? readData(reader) : {};
    case UPDATE_V1:
      return readAuthorityUpdate(reader, true);
    case AS_UPDATE_AUTHORITY_V2: {
      const changes = readAuthorityUpdate(reader, true);
      for (const byteCount of TOGGLE_BYTES) {
        if (reader.u8() === TOGGLE_SET) reader.skip(byteCount);
      }
      return { ...changes, ...readTokenStandard(reader) };
    }
    case AS_AUTHORITY_ITEM_DELEGATE_V2:
      return { ...readAuthorityUpdate(reader, false), ...readTokenStandard(reader) };
    default:
      return {};
  }
}

/** A toggle is none, clear or set. Sizes of the values: collection, its details, uses, rule set. */
const TOGGLE_SET = 2;
const TOGGLE_BYTES = [33, 9, 17, 32];

function readAuthorityUpdate(reader: BorshReader, hasData: boolean): MetadataChanges {
  let changes: MetadataChanges = {};
  if (reader.bool()) changes = { updateAuthority: authorityOrNull(reader.address()) };
  if (hasData && reader.bool()) changes = { ...changes, ...readData(reader) };
  if (reader.bool()) changes = { ...changes, primarySaleHappened: reader.bool() };
  if (reader.bool()) changes = { ...changes, isMutable: reader.bool() };
  return changes;
}

function readTokenStandard(reader: BorshReader): MetadataChanges {
  if (!reader.bool()) return {};
  const tokenStandard = TOKEN_STANDARDS[reader.u8()];
  return tokenStandard === undefined ? {} : { tokenStandard };
}

/** `Data`: name, symbol, uri, sellerFeeBasisPoints, creators. */
function readData(reader: BorshReader) {
  const name = reader.string();
  const symbol = reader.string();
  const uri = reader.string();
  const sellerFeeBps = reader.u16();
  const creators: Creator[] = [];
  const count = reader.bool() ? reader.u32() : 0;
  for (let index = 0; index < count && !reader.isShort; index++) {
    creators.push({
      address: reader.address(),
      verified: reader.bool(),
      sharePercent: reader.u8(),
    });
  }
  return { name, symbol, uri, sellerFeeBps, creators };
}

/**
 * The fields of `DataV2` after `Data`: collection (verified, key) and uses (method, left, total).
 */
function skipRestOfDataV2(reader: BorshReader): void {
  if (reader.bool()) reader.skip(33);
  if (reader.bool()) reader.skip(17);
}
