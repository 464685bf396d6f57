import { zstdCompressSync } from 'node:zlib';
import { encodeBase58 } from '../../../src/lib/base58.ts';
import { SPL_TOKEN_PROGRAM } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import type { Account, MintState, TransferFee } from '../../chain/ledger.ts';
import { type MintMetadata, mintMetadataOf } from '../../programs/token-2022.ts';
import { accountBytes } from './account-bytes.ts';
import { invalidRequest } from './rpc-error.ts';

export const ACCOUNT_ENCODINGS = ['base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
export type AccountEncoding = (typeof ACCOUNT_ENCODINGS)[number];

/** A range of an account's bytes. */
export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** An account that is not part of the simulated chain, such as one with an IDL. */
export interface DataAccount {
  readonly owner: Address;
  readonly bytes: Uint8Array;
}

/** An arbitrary constant: nothing in the simulated chain changes it. */
const RENT_EXEMPT_LAMPORTS = 1_000_000;
/** Rent-exempt accounts report the highest possible epoch. */
const RENT_EPOCH = 2n ** 64n - 1n;
/** Base58 is only allowed for short data. */
const BASE58_BYTES_MAX = 128;

/**
 * An account as nodes return it; null for one that is neither mint nor metadata. The encoding
 * `undefined` is the oldest form, base58 text alone. Throws RpcError -32600 for data too long for
 * base58.
 */
export function formatAccount(
  address: Address,
  account: Account,
  encoding: AccountEncoding | undefined,
  slice?: DataSlice,
): object | null {
  const bytes = accountBytes(address, account);
  if (bytes === null) return null;
  const isParsed = encoding === 'jsonParsed' && account.mint !== null;
  return {
    data: isParsed
      ? parsedMint(address, account, account.mint, bytes.length)
      : encoded(bytes, encoding === 'jsonParsed' ? 'base64' : encoding, slice),
    executable: false,
    lamports: account.lamports,
    owner: account.program,
    rentEpoch: RENT_EPOCH,
    space: bytes.length,
  };
}

/** An account given as bytes, as nodes return it; throws as `formatAccount` does. */
export function formatDataAccount(
  { owner, bytes }: DataAccount,
  encoding: AccountEncoding | undefined,
  slice?: DataSlice,
): object {
  return {
    data: encoded(bytes, encoding === 'jsonParsed' ? 'base64' : encoding, slice),
    executable: false,
    lamports: RENT_EXEMPT_LAMPORTS,
    owner,
    rentEpoch: RENT_EPOCH,
    space: bytes.length,
  };
}

function encoded(
  bytes: Uint8Array,
  encoding: Exclude<AccountEncoding, 'jsonParsed'> | undefined,
  slice: DataSlice | undefined,
): unknown {
  const part =
    slice === undefined ? bytes : bytes.subarray(slice.offset, slice.offset + slice.length);
  if (encoding === 'base64') return [Buffer.from(part).toString('base64'), encoding];
  if (encoding === 'base64+zstd') return [zstdCompressSync(part).toString('base64'), encoding];
  if (part.length > BASE58_BYTES_MAX) {
    throw invalidRequest(
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  const text = encodeBase58(part);
  return encoding === undefined ? text : [text, encoding];
}

function parsedMint(address: Address, account: Account, mint: MintState, space: number): object {
  const { decimals, supplyRaw, mintAuthority, freezeAuthority, transferFee } = mint;
  const metadata = mintMetadataOf(account);
  const extensions = [
    ...(metadata === null ? [] : [parsedPointer(address)]),
    ...(transferFee === null ? [] : [parsedTransferFee(transferFee)]),
    ...(metadata === null ? [] : [parsedMetadata(address, metadata)]),
  ];
  return {
    program: account.program === SPL_TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022',
    parsed: {
      info: {
        decimals,
        ...(extensions.length > 0 && { extensions }),
        freezeAuthority,
        isInitialized: true,
        mintAuthority,
        supply: supplyRaw.toString(),
      },
      type: 'mint',
    },
    space,
  };
}

function parsedPointer(mint: Address): object {
  return { extension: 'metadataPointer', state: { authority: null, metadataAddress: mint } };
}

function parsedMetadata(mint: Address, { updateAuthority, text }: MintMetadata): object {
  const { name, symbol, uri } = text;
  const state = { additionalMetadata: [], mint, name, symbol, updateAuthority, uri };
  return { extension: 'tokenMetadata', state };
}

function parsedTransferFee({ feeBps, maxFeeRaw }: TransferFee): object {
  const fee = { epoch: 0, maximumFee: maxFeeRaw, transferFeeBasisPoints: feeBps };
  return {
    extension: 'transferFeeConfig',
    state: {
      newerTransferFee: fee,
      olderTransferFee: fee,
      transferFeeConfigAuthority: null,
      withdrawWithheldAuthority: null,
      withheldAmount: 0,
    },
  };
}
