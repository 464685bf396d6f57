import { METAPLEX_METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { paying, readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { rentExemptLamports, transferLamports } from './system.ts';
import type { TokenText } from './token-text.ts';

/** Size of a metadata account since the program's version of 2024. */
const METADATA_SPACE = 607;
/** The program's fee for a metadata account, in addition to its rent. */
const CREATION_FEE_LAMPORTS = 10_000_000n;

export interface MetaplexMetadata {
  readonly metadata: Address;
  readonly mint: Address;
  readonly mintAuthority: Address;
  readonly updateAuthority: Address;
  readonly payer: Address;
  readonly text: TokenText;
  /** Listed as the only creator, without having signed. */
  readonly creator: Address;
  readonly isMutable: boolean;
}

/** CreateMetadataAccountV3: name, symbol and link of a mint in a separate account. */
export function createMetaplexMetadata(execution: Execution, metadata: MetaplexMetadata): void {
  const { metadata: account, mint, mintAuthority, updateAuthority, payer } = metadata;
  const uses = [
    writable(account),
    readOnly(mint),
    signing(mintAuthority),
    paying(payer),
    readOnly(updateAuthority),
    readOnly(SYSTEM_PROGRAM),
  ];
  execution.invoke(METAPLEX_METADATA_PROGRAM, uses, dataOf(metadata), () => {
    execution.log('IX: Create Metadata Accounts v3');
    const lamports = rentExemptLamports(METADATA_SPACE) + CREATION_FEE_LAMPORTS;
    transferLamports(execution, payer, account, lamports);
    takeAccount(execution, metadata);
  });
}

/** The system program's Allocate and Assign, for an address that already holds lamports. */
function takeAccount(execution: Execution, state: MetaplexMetadata): void {
  const { metadata: account } = state;
  const allocate = new InstructionBytes().u32(8).u64(BigInt(METADATA_SPACE)).done();
  const assign = new InstructionBytes().u32(1).address(METAPLEX_METADATA_PROGRAM).done();
  execution.invoke(SYSTEM_PROGRAM, [paying(account)], allocate);
  execution.invoke(SYSTEM_PROGRAM, [paying(account)], assign, () =>
    execution.change(account, { program: METAPLEX_METADATA_PROGRAM, state }),
  );
}

/**
 * `DataV2` with one creator, neither collection nor uses; then mutability and no collection
 * details.
 */
function dataOf({ text, creator, isMutable }: MetaplexMetadata): Uint8Array {
  return new InstructionBytes()
    .u8(33)
    .string(text.name)
    .string(text.symbol)
    .string(text.uri)
    .u16(0)
    .u8(1)
    .u32(1)
    .address(creator)
    .bool(false)
    .u8(100)
    .u8(0)
    .u8(0)
    .bool(isMutable)
    .u8(0)
    .done();
}
