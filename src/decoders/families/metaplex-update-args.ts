/** Metaplex Token Metadata: the arguments of `Update`. */

import type { BorshReader } from '../../model/borsh-reader.ts';
import {
  readCollection,
  readCollectionDetails,
  readOption,
  readTokenStandard,
  readUses,
} from '../../model/metaplex-layout.ts';
import { authorityOrNull, type MetadataChanges } from '../legs/metadata-set.ts';
import { readData } from './metaplex-data.ts';

/** Versions of `UpdateArgs`, in order; 5 and 8 change only the rule set. */
const UPDATE_V1 = 0;
const AS_UPDATE_AUTHORITY_V2 = 1;
const AS_AUTHORITY_ITEM_DELEGATE_V2 = 2;
const AS_COLLECTION_DELEGATE_V2 = 3;
const AS_DATA_DELEGATE_V2 = 4;
const AS_DATA_ITEM_DELEGATE_V2 = 6;
const AS_COLLECTION_ITEM_DELEGATE_V2 = 7;
export const UPDATE_VERSION_MAX = 8;

const TOGGLE_NONE = 0;
const TOGGLE_CLEAR = 1;
const TOGGLE_SET = 2;

/** The fields that `Update` sets; `version` is at most `UPDATE_VERSION_MAX`. */
export function readUpdateArgs(reader: BorshReader, version: number): MetadataChanges {
  switch (version) {
    case AS_DATA_DELEGATE_V2:
    case AS_DATA_ITEM_DELEGATE_V2:
      return reader.bool() ? readData(reader) : {};
    case AS_COLLECTION_DELEGATE_V2:
    case AS_COLLECTION_ITEM_DELEGATE_V2:
      return readCollectionToggle(reader);
    case UPDATE_V1:
      return readOwnerUpdate(reader);
    case AS_UPDATE_AUTHORITY_V2:
      return { ...readOwnerUpdate(reader), ...readNewStandard(reader) };
    case AS_AUTHORITY_ITEM_DELEGATE_V2:
      return { ...readAuthorityUpdate(reader, false), ...readNewStandard(reader) };
    default:
      return readRuleSetToggle(reader);
  }
}

/** What the update authority may change in both versions. */
function readOwnerUpdate(reader: BorshReader): MetadataChanges {
  let changes = readAuthorityUpdate(reader, true);
  changes = { ...changes, ...readCollectionToggle(reader) };
  const collectionDetails = readToggle(reader, readCollectionDetails);
  // The program sets the details of a collection but never removes them.
  if (collectionDetails) changes = { ...changes, collectionDetails };
  const uses = readToggle(reader, readUses);
  if (uses !== undefined) changes = { ...changes, uses };
  return { ...changes, ...readRuleSetToggle(reader) };
}

function readCollectionToggle(reader: BorshReader): MetadataChanges {
  const collection = readToggle(reader, readCollection);
  return collection === undefined ? {} : { collection };
}

/** Without rule set the program removes the whole configuration. */
function readRuleSetToggle(reader: BorshReader): MetadataChanges {
  const ruleSet = readToggle(reader, (rest) => rest.address());
  if (ruleSet === undefined) return {};
  return { programmableConfig: ruleSet === null ? null : { ruleSet } };
}

/** Undefined: unchanged. Null: removed. */
function readToggle<T>(
  reader: BorshReader,
  readValue: (reader: BorshReader) => T,
): T | null | undefined {
  switch (reader.u8()) {
    case TOGGLE_NONE:
      return undefined;
    case TOGGLE_CLEAR:
      return null;
    case TOGGLE_SET:
      return readValue(reader);
    default:
      reader.isShort = true;
      return undefined;
  }
}

function readAuthorityUpdate(reader: BorshReader, hasData: boolean): MetadataChanges {
  let changes: MetadataChanges = {};
  if (reader.bool()) changes = { updateAuthority: authorityOrNull(reader.address()) };
  if (hasData && reader.bool()) changes = { ...changes, ...readData(reader) };
  if (reader.bool()) changes = { ...changes, primarySaleHappened: reader.bool() };
  if (reader.bool()) changes = { ...changes, isMutable: reader.bool() };
  return changes;
}

function readNewStandard(reader: BorshReader): MetadataChanges {
  const tokenStandard = readOption(reader, readTokenStandard);
  return tokenStandard === null ? {} : { tokenStandard };
}
