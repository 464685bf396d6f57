import { METAPLEX_METADATA_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import { InstructionBytes } from '../../chain/instruction-bytes.ts';
import type { Account, MintState, TransferFee } from '../../chain/ledger.ts';
import type { MetaplexMetadata } from '../../programs/metaplex.ts';
import { TOKEN_ACCOUNT_SPACE } from '../../programs/token.ts';
import { type MintMetadata, mintMetadataOf } from '../../programs/token-2022.ts';

/** Extension types of Token-2022 (spl-token-2022, extension/mod.rs). */
const EXTENSION = { transferFeeConfig: 1, metadataPointer: 18, tokenMetadata: 19 } as const;
const ACCOUNT_TYPE_MINT = 1;

/** `Key::MetadataV1` of mpl-token-metadata, and the lengths to which its strings are padded. */
const METADATA_V1 = 4;
const PADDED_BYTES = { name: 32, symbol: 10, uri: 200 } as const;
const METADATA_SPACE = 607;

/** The data of a mint or of a metadata account; null for another account. */
export function accountBytes(address: Address, account: Account): Uint8Array | null {
  if (account.mint !== null) return mintBytes(address, account, account.mint);
  if (account.program !== METAPLEX_METADATA_PROGRAM || account.state === null) return null;
  return metadataBytes(account.state as MetaplexMetadata);
}

/**
 * SPL Mint (82 bytes: two optional keys with tags of four bytes, supply, decimals, initialised);
 * extensions start after the length of a token account and a type byte, each with type and length.
 */
function mintBytes(address: Address, account: Account, mint: MintState): Uint8Array {
  const writer = new InstructionBytes();
  writeOptionalKey(writer, mint.mintAuthority);
  writer.u64(mint.supplyRaw).u8(mint.decimals).bool(true);
  writeOptionalKey(writer, mint.freezeAuthority);
  const base = writer.done();
  const extensions = extensionBytes(address, account, mint);
  if (account.program !== TOKEN_2022_PROGRAM || extensions.length === 0) return base;
  return new InstructionBytes()
    .raw(base)
    .raw(new Uint8Array(TOKEN_ACCOUNT_SPACE - base.length))
    .u8(ACCOUNT_TYPE_MINT)
    .raw(extensions)
    .done();
}

function writeOptionalKey(writer: InstructionBytes, key: Address | null): void {
  if (key === null) writer.u32(0).raw(new Uint8Array(32));
  else writer.u32(1).address(key);
}

function extensionBytes(
  address: Address,
  account: Account,
  { transferFee }: MintState,
): Uint8Array {
  const metadata = mintMetadataOf(account);
  const writer = new InstructionBytes();
  if (metadata !== null) {
    writer.u16(EXTENSION.metadataPointer).u16(64).raw(new Uint8Array(32)).address(address);
  }
  if (transferFee !== null) writer.raw(transferFeeExtension(transferFee));
  if (metadata !== null) {
    const state = tokenMetadata(address, metadata);
    writer.u16(EXTENSION.tokenMetadata).u16(state.length).raw(state);
  }
  return writer.done();
}

/** Both authorities are absent: the fee can neither be changed nor withdrawn. */
function transferFeeExtension(fee: TransferFee): Uint8Array {
  const writer = new InstructionBytes().u16(EXTENSION.transferFeeConfig).u16(108);
  writer.raw(new Uint8Array(64)).u64(0n);
  for (const _ of ['older', 'newer']) writer.u64(0n).u64(fee.maxFeeRaw).u16(fee.feeBps);
  return writer.done();
}

/** spl-token-metadata-interface's `TokenMetadata`, without further fields. */
function tokenMetadata(mint: Address, { updateAuthority, text }: MintMetadata): Uint8Array {
  const writer = new InstructionBytes();
  if (updateAuthority === null) writer.raw(new Uint8Array(32));
  else writer.address(updateAuthority);
  return writer.address(mint).string(text.name).string(text.symbol).string(text.uri).u32(0).done();
}

/**
 * mpl-token-metadata's `Metadata`: strings padded with zeros, one creator who has not signed, and
 * no optional fields.
 */
function metadataBytes(metadata: MetaplexMetadata): Uint8Array {
  const { mint, updateAuthority, text, creator, isMutable } = metadata;
  const writer = new InstructionBytes().u8(METADATA_V1).address(updateAuthority).address(mint);
  writeFilledUp(writer, text.name, PADDED_BYTES.name);
  writeFilledUp(writer, text.symbol, PADDED_BYTES.symbol);
  writeFilledUp(writer, text.uri, PADDED_BYTES.uri);
  writer.u16(0).u8(1).u32(1).address(creator).bool(false).u8(100);
  const bytes = writer.bool(false).bool(isMutable).done();
  return Buffer.concat([bytes, new Uint8Array(METADATA_SPACE - bytes.length)]);
}

function writeFilledUp(writer: InstructionBytes, text: string, length: number): void {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'utf8');
  writer.u32(length).raw(bytes);
}
