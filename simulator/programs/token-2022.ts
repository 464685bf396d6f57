import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Account, TransferFee } from '../chain/ledger.ts';
import type { TokenText } from '../venues/launchpad.ts';

/** A mint with a metadata pointer, before metadata is written. */
export const POINTED_MINT_SPACE = 234;

/** Where absent addresses stand as zeros, which is how the system program's address is written. */
const NOBODY = SYSTEM_PROGRAM;

const INITIALIZE_METADATA = 'd2e11ea258b84d8d';
const UPDATE_METADATA_AUTHORITY = 'd7e4a6e45464567b';

/** MetadataPointer's Initialize, on a mint that is not initialised yet: its metadata is on itself. */
export function pointMetadataAtMint(execution: Execution, mint: Address): void {
  const data = new InstructionBytes().u8(39).u8(0).address(NOBODY).address(mint).done();
  execution.invoke(TOKEN_2022_PROGRAM, [writable(mint)], data, () =>
    execution.log('MetadataPointerInstruction::Initialize'),
  );
}

/** TransferFeeConfig's initialisation, on a mint that is not initialised yet. */
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

/** What a mint keeps of its metadata, as the account's state. */
export interface MintMetadata {
  /** Null once given up. */
  readonly updateAuthority: Address | null;
  readonly text: TokenText;
}

/** The metadata of a mint that carries it itself, or null. */
export function mintMetadataOf({ mint, state }: Account): MintMetadata | null {
  return mint === null ? null : (state as MintMetadata | null);
}

export interface TokenMetadata {
  readonly mint: Address;
  readonly mintAuthority: Address;
  readonly updateAuthority: Address;
  readonly text: TokenText;
}

/** The metadata interface's Initialize: writes the text into the mint, whose rent is paid before. */
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

/** The metadata interface's UpdateAuthority; null gives it up for good. */
export function setMetadataAuthority(
  execution: Execution,
  mint: Address,
  current: Address,
  next: Address | null,
): void {
  const data = new InstructionBytes()
    .hex(UPDATE_METADATA_AUTHORITY)
    .address(next ?? NOBODY)
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
 * strings with their lengths, and a count of no further fields.
 */
export function metadataSpace({ name, symbol, uri }: TokenText): number {
  const textBytes = [name, symbol, uri].map((text) => 4 + Buffer.byteLength(text, 'utf8'));
  return 2 + 2 + 32 + 32 + 4 + textBytes.reduce((sum, bytes) => sum + bytes);
}
