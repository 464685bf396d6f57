import { encodeBase58 } from '../../lib/base58.ts';
import { isObject, type JsonObject } from '../rpc-json/json-value.ts';
import { bytesOf } from './byte-forms.ts';

/**
 * Converts a record of web3.js (`VersionedTransactionResponse` as JSON) to the shape of the RPC
 * answer: its message has static keys and compiled instructions with data as bytes. Other records
 * are returned unchanged.
 */
export function fromWeb3(record: JsonObject): JsonObject {
  const { transaction } = record;
  if (!isObject(transaction) || !isObject(transaction.message)) return record;
  const { staticAccountKeys, compiledInstructions, ...rest } = transaction.message;
  if (!Array.isArray(staticAccountKeys) || !Array.isArray(compiledInstructions)) return record;
  const message = {
    ...rest,
    accountKeys: staticAccountKeys,
    instructions: compiledInstructions.map(toInstruction),
  };
  return { ...record, transaction: { ...transaction, message } };
}

/** Passes on invalid values for the reader to refuse. */
function toInstruction(value: unknown): unknown {
  if (!isObject(value)) return value;
  const accounts = bytesOf(value.accountKeyIndexes, 'base64');
  const data = bytesOf(value.data, 'base58');
  return {
    programIdIndex: value.programIdIndex,
    accounts: accounts === null ? null : [...accounts],
    data: data === null ? null : encodeBase58(data),
  };
}
