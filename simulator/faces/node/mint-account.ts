import { zstdCompressSync } from 'node:zlib';
import { encodeBase58 } from '../../../src/lib/base58.ts';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import { InstructionBytes } from '../../chain/instruction-bytes.ts';
import type { Account, MintState, TransferFee } from '../../chain/ledger.ts';
import { TOKEN_ACCOUNT_SPACE } from '../../programs/token.ts';
import { invalidRequest } from './rpc-error.ts';

export const ACCOUNT_ENCODINGS = ['base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
export type AccountEncoding = (typeof ACCOUNT_ENCODINGS)[number];

/** Part of an account's bytes. */
export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** Accounts exempt from rent show the last epoch there can be. */
const RENT_EPOCH = 2n ** 64n - 1n;
/** Base58 is for short data only. */
const BASE58_BYTES_MAX = 128;
/** Extension types of Token-2022 (spl-token-2022, extension/mod.rs). */
const TRANSFER_FEE_CONFIG = 1;
const ACCOUNT_TYPE_MINT = 1;

/**
 * A mint as accounts are answered. `undefined` as encoding is the oldest form, base58 text alone.
 * Throws RpcError -32600 for data too long for base58.
 */
export function formatMint(
  account: Account,
  mint: MintState,
  encoding: AccountEncoding | undefined,
  slice?: DataSlice,
): object {
  const bytes = mintBytes(account.program, mint);
  return {
    data:
      encoding === 'jsonParsed'
        ? parsed(account, mint, bytes.length)
        : encoded(bytes, encoding, slice),
    executable: false,
    lamports: account.lamports,
    owner: account.program,
    rentEpoch: RENT_EPOCH,
    space: bytes.length,
  };
}

/**
 * SPL Mint (82 bytes: two optional keys with tags of four bytes, supply, decimals, initialised);
 * extensions stand behind a token account's length and a type byte, each with type and length.
 */
export function mintBytes(program: Address, mint: MintState): Uint8Array {
  const writer = new InstructionBytes();
  writeOptionalKey(writer, mint.mintAuthority);
  writer.u64(mint.supplyRaw).u8(mint.decimals).bool(true);
  writeOptionalKey(writer, mint.freezeAuthority);
  if (program !== TOKEN_2022_PROGRAM || mint.transferFee === null) return writer.done();
  const base = writer.done();
  return new InstructionBytes()
    .raw(base)
    .raw(new Uint8Array(TOKEN_ACCOUNT_SPACE - base.length))
    .u8(ACCOUNT_TYPE_MINT)
    .raw(transferFeeExtension(mint.transferFee))
    .done();
}

function writeOptionalKey(writer: InstructionBytes, key: Address | null): void {
  if (key === null) writer.u32(0).raw(new Uint8Array(32));
  else writer.u32(1).address(key);
}

/** Nobody may change the fee or take it: both authorities are absent. */
function transferFeeExtension(fee: TransferFee): Uint8Array {
  const writer = new InstructionBytes().u16(TRANSFER_FEE_CONFIG).u16(108);
  writer.raw(new Uint8Array(64)).u64(0n);
  for (const _ of ['older', 'newer']) writer.u64(0n).u64(fee.maxFeeRaw).u16(fee.feeBps);
  return writer.done();
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

function parsed({ program }: Account, mint: MintState, space: number): object {
  const { decimals, supplyRaw, mintAuthority, freezeAuthority, transferFee } = mint;
  const extensions = transferFee === null ? {} : { extensions: [parsedTransferFee(transferFee)] };
  return {
    program: program === SPL_TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022',
    parsed: {
      info: {
        decimals,
        ...extensions,
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
