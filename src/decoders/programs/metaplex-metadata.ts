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
import type { CollectionDetails } from '../../model/metadata-content.ts';
import {
  readCollectionDetails,
  readOption,
  readTokenStandard,
} from '../../model/metaplex-layout.ts';
import { METAPLEX_METADATA_PROGRAM } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import { NO_MEMBERSHIP, readData, readMembership } from '../families/metaplex-data.ts';
import { readUpdateArgs, UPDATE_VERSION_MAX } from '../families/metaplex-update-args.ts';
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
  const membership = tag === CREATE_METADATA_ACCOUNT ? NO_MEMBERSHIP : readMembership(reader);
  const isMutable = reader.bool();
  const details =
    tag === CREATE_METADATA_ACCOUNT_V3 ? readOption(reader, readCollectionDetails) : null;
  if (reader.isShort || mint === null || updateAuthority === null) {
    return malformed('metadata creation cut short');
  }
  // From V2 on the program sets the standard itself, by the mint's decimals. A mint without
  // decimals may still become an edition, which other instructions decide.
  const isFungible = tag !== CREATE_METADATA_ACCOUNT && (mintDecimals(view, mint) ?? 0) > 0;
  return metadataSet(instruction, 'metaplex', mint, {
    ...data,
    ...membership,
    isMutable,
    updateAuthority: authorityOrNull(updateAuthority),
    primarySaleHappened: false,
    tokenStandard: isFungible ? 'Fungible' : null,
    collectionDetails: newCollection(details),
    programmableConfig: null,
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
  const tokenStandard = readTokenStandard(reader);
  const membership = readMembership(reader);
  const details = readOption(reader, readCollectionDetails);
  const ruleSet = readOption(reader, (rest) => rest.address());
  if (reader.isShort || mint === null || updateAuthority === null) {
    return malformed('creation cut short');
  }
  return metadataSet(instruction, 'metaplex', mint, {
    ...data,
    ...membership,
    primarySaleHappened,
    isMutable,
    tokenStandard,
    updateAuthority: authorityOrNull(updateAuthority),
    collectionDetails: newCollection(details),
    // The program ignores the rule set of any other standard.
    programmableConfig: tokenStandard === 'ProgrammableNonFungible' ? { ruleSet } : null,
  });
}

/** The program ignores the size that the arguments give: a new collection has no members. */
function newCollection(details: CollectionDetails | null): CollectionDetails | null {
  return details === null || details.size === null ? details : { size: 0n };
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
    if (tag === UPDATE_METADATA_ACCOUNT_V2) changes = { ...changes, ...readMembership(reader) };
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

function decodeUpdate(instruction: Instruction): DecodeResult {
  const mint = instruction.account(ACCOUNTS[UPDATE].mint);
  const reader = new BorshReader(instruction.data, 1);
  const version = reader.u8();
  if (version > UPDATE_VERSION_MAX) return unknown(instruction.data, 2);
  const changes = readUpdateArgs(reader, version);
  if (reader.isShort || mint === null) return malformed('update cut short');
  return metadataSet(instruction, 'metaplex', mint, changes);
}
