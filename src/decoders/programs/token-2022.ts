/**
 * Token-2022, TokenzQd…: everything the token program does, and extensions.
 *
 * The extensions that are read: those that describe a mint (mint-extensions.ts), the fee withheld
 * from transfers, the permissioned burn, and the metadata stored on the mint itself, which is
 * written through the token metadata interface (eight-byte discriminators). Token-2022 accepts that
 * interface only for the mint account, so its metadata account is the mint.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { isMintExtension } from '../families/mint-extensions.ts';
import {
  decodeTokenInstruction,
  TOKEN_ACTIONS,
  type TokenAction,
} from '../families/token-instructions.ts';
import { type DecodeResult, type Decoder, IGNORED, malformed } from '../legs/decoder.ts';
import { authorityOrNull, type MetadataChanges, metadataSet } from '../legs/metadata-set.ts';
import { DiscriminatorTable } from '../transaction/discriminator.ts';

/** Interface instructions by discriminator: the first eight bytes of sha256 of their full name. */
export const token2022Interfaces = {
  'spl_token_metadata_interface:initialize_account': 'd2e11ea258b84d8d',
  'spl_token_metadata_interface:updating_field': 'dde9312db5cadcc8',
  'spl_token_metadata_interface:remove_key_ix': 'ea122038598d25b5',
  'spl_token_metadata_interface:update_the_authority': 'd7e4a6e45464567b',
  'spl_token_metadata_interface:emitter': 'faa6b4fa0d0cb846',
  'spl_token_group_interface:initialize_token_group': '79716c2736330004',
  'spl_token_group_interface:update_group_max_size': '6c25ab8ff81e126e',
  'spl_token_group_interface:update_authority': 'a1695801edddd8cb',
  'spl_token_group_interface:initialize_member': '9820deb0dfed7486',
} as const;

type InterfaceInstruction = keyof typeof token2022Interfaces;

const INTERFACES = new DiscriminatorTable<InterfaceInstruction>(
  Object.fromEntries(
    Object.entries(token2022Interfaces).map(([name, hex]) => [hex, name as InterfaceInstruction]),
  ),
);

const TRANSFER_FEE = 26;
const PERMISSIONED_BURN = 46;

/**
 * Other instructions of extensions, by tag, except the two above, which depend on a second tag.
 * Instructions that initialise or change an extension of a mint are handled separately
 * (`mintExtension`).
 */
const EXTENSION_ACTIONS: Readonly<Record<number, TokenAction>> = {
  27: 'ignored', // ConfidentialTransfer: amounts are hidden
  28: 'ignored', // DefaultAccountState
  29: 'ignored', // Reallocate
  30: 'ignored', // MemoTransfer
  31: 'ignored', // CreateNativeMint
  33: 'ignored', // InterestBearingMint
  34: 'ignored', // CpiGuard
  36: 'ignored', // TransferHook
  37: 'ignored', // ConfidentialTransferFee
  39: 'ignored', // MetadataPointer
  40: 'ignored', // GroupPointer
  41: 'ignored', // GroupMemberPointer
  42: 'ignored', // ConfidentialMintBurn: amounts are hidden
  43: 'ignored', // ScaledUiAmount
  44: 'ignored', // Pausable
};

/** By second tag, without configuration. Instructions that move withheld fees are ignored. */
const TRANSFER_FEE_ACTIONS: Readonly<Record<number, TokenAction>> = {
  1: 'movement', // TransferCheckedWithFee
  2: 'ignored', // WithdrawWithheldTokensFromMint: the record does not show the amount
  3: 'ignored', // WithdrawWithheldTokensFromAccounts: likewise
  4: 'ignored', // HarvestWithheldTokensToMint
};

const PERMISSIONED_BURN_ACTIONS: readonly TokenAction[] = [
  'ignored', // Initialize
  'movement', // Burn
  'movement', // BurnChecked
  'ignored', // ConfidentialBurn: amounts are hidden
];

export const token2022: Decoder = {
  name: 'token_2022',
  programId: TOKEN_2022_PROGRAM,
  isVenue: false,
  decode(instruction, view) {
    const name = INTERFACES.get(instruction.data);
    if (name !== undefined) return decodeInterface(name, instruction);
    return decodeTokenInstruction(instruction, view, actionOf);
  },
};

function actionOf(data: Uint8Array): TokenAction | undefined {
  if (isMintExtension(data)) return 'mintExtension';
  const [tag = -1, second = -1] = data;
  if (tag === TRANSFER_FEE) return TRANSFER_FEE_ACTIONS[second];
  if (tag === PERMISSIONED_BURN) return PERMISSIONED_BURN_ACTIONS[second];
  return TOKEN_ACTIONS[tag] ?? EXTENSION_ACTIONS[tag];
}

function decodeInterface(name: InterfaceInstruction, instruction: Instruction): DecodeResult {
  switch (name) {
    case 'spl_token_metadata_interface:initialize_account':
      return decodeInitialize(instruction);
    case 'spl_token_metadata_interface:updating_field':
      return decodeUpdateField(instruction);
    case 'spl_token_metadata_interface:update_the_authority':
      return decodeUpdateAuthority(instruction);
    default:
      return IGNORED;
  }
}

/** Accounts: metadata, update authority, mint, mint authority. Data: name, symbol, uri. */
function decodeInitialize(instruction: Instruction): DecodeResult {
  const updateAuthority = instruction.account(1);
  const reader = new BorshReader(instruction.data, 8);
  const name = reader.string();
  const symbol = reader.string();
  const uri = reader.string();
  if (reader.isShort || updateAuthority === null) return malformed('metadata cut short');
  return changeOfMint(instruction, {
    name,
    symbol,
    uri,
    updateAuthority: authorityOrNull(updateAuthority),
  });
}

/** The interface's `Field`, in order. A fourth kind is any other key, which is not stored. */
const FIELDS = ['name', 'symbol', 'uri'] as const;
const OTHER_KEY = 3;

/** Accounts: metadata, update authority. Data: field, value. */
function decodeUpdateField(instruction: Instruction): DecodeResult {
  const reader = new BorshReader(instruction.data, 8);
  const fieldTag = reader.u8();
  const field = FIELDS[fieldTag];
  const value = reader.string();
  if (reader.isShort || fieldTag > OTHER_KEY) return malformed('field cut short');
  return field === undefined ? IGNORED : changeOfMint(instruction, { [field]: value });
}

/** Accounts: metadata, update authority. Data: the new authority, all zeros for none. */
function decodeUpdateAuthority(instruction: Instruction): DecodeResult {
  const reader = new BorshReader(instruction.data, 8);
  const updateAuthority = authorityOrNull(reader.address());
  if (reader.isShort) return malformed('update authority cut short');
  return changeOfMint(instruction, { updateAuthority });
}

function changeOfMint(instruction: Instruction, changes: MetadataChanges): DecodeResult {
  const mint = instruction.account(0);
  return mint === null
    ? malformed('too few accounts')
    : metadataSet(instruction, 'token2022', mint, changes);
}
