import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Account, TransferFee } from '../chain/ledger.ts';
import type { TokenText } from './token-text.ts';

/** Size of a mint with a metadata pointer, before metadata is written. */
export const POINTED_MINT_SPACE = 234;

/** Absent addresses are written as zeros, which equals the system program's address. */
const NO_AUTHORITY = SYSTEM_PROGRAM;

const INITIALIZE_METADATA = 'd2e11ea258b84d8d';
const UPDATE_METADATA_AUTHORITY = 'd7e4a6e45464567b';

/** MetadataPointer's Initialize, on an uninitialised mint: it points to the mint itself. */
export function pointMetadataAtMint(execution: Execution, mint: Address): void {
  const data = new InstructionBytes().u8(39).u8(0).address(NO_AUTHORITY).address(mint).done();
  execution.invoke(TOKEN_2022_PROGRAM, [writable(mint)], data, () =>
    execution.log('MetadataPointerInstruction::Initialize'),
  );
}

/** TransferFeeConfig's initialisation, on an uninitialised mint. */
export function initializeTransferFee(
  execution: Execution,
  mint: Address,
  { feeBps, maxFeeRaw }: TransferFee,
  authority: Address | null,
): void {
  const data = new InstructionBytes()
    .u8(26)
    .u8(0)
    .optionalAddress(authority)
    .optionalAddress(authority)
    .u16(feeBps)
    .u64(maxFeeRaw)
    .done();
  execution.invoke(TOKEN_2022_PROGRAM, [writable(mint)], data);
}

/** A mint's metadata, stored as the account's state. */
export interface MintMetadata {
  /** Null after it was removed. */
  readonly updateAuthority: Address | null;
  readonly text: TokenText;
}

/** The metadata stored in a mint, or null. */
export function mintMetadataOf({ mint, state }: Account): MintMetadata | null {
  return mint === null ? null : (state as MintMetadata | null);
}

export interface TokenMetadata {
  readonly mint: Address;
  readonly mintAuthority: Address;
  readonly updateAuthority: Address;
  readonly text: TokenText;
}

/**
 * The metadata interface's Initialize: writes the text into the mint, whose rent must be paid
 * before.
 */
export function initializeTokenMetadata(
  execution: Execution,
  { mint, mintAuthority, updateAuthority, text }: TokenMetadata,
): void {
  const data = new InstructionBytes()
    .hex(INITIALIZE_METADATA)
    .string(text.name)
    .string(text.symbol)
    .string(text.uri)
    .done();
  const uses = [writable(mint), readOnly(updateAuthority), readOnly(mint), signing(mintAuthority)];
  const state: MintMetadata = { updateAuthority, text };
  execution.invoke(TOKEN_2022_PROGRAM, uses, data, () => {
    execution.log('TokenMetadataInstruction: Initialize');
    execution.change(mint, { state });
  });
}

/** The metadata interface's UpdateAuthority; null removes the authority permanently. */
export function setMetadataAuthority(
  execution: Execution,
  mint: Address,
  current: Address,
  next: Address | null,
): void {
  const data = new InstructionBytes()
    .hex(UPDATE_METADATA_AUTHORITY)
    .address(next ?? NO_AUTHORITY)
    .done();
  execution.invoke(TOKEN_2022_PROGRAM, [writable(mint), signing(current)], data, () => {
    execution.log('TokenMetadataInstruction: UpdateAuthority');
    const metadata = mintMetadataOf(execution.ledger.get(mint));
    if (metadata === null) return;
    const state: MintMetadata = { ...metadata, updateAuthority: next };
    execution.change(mint, { state });
  });
}

/**
 * Bytes that metadata adds to a mint: extension type and length, update authority, mint, three
 * strings with their lengths, and a count of zero additional fields.
 */
export function metadataSpace({ name, symbol, uri }: TokenText): number {
  const textBytes = [name, symbol, uri].map((text) => 4 + Buffer.byteLength(text, 'utf8'));
  return 2 + 2 + 32 + 32 + 4 + textBytes.reduce((sum, bytes) => sum + bytes);
}
