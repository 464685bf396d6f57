import {
  AUTHORITY,
  CHECKED_AMOUNT,
  OWNER,
  TOKEN_EXTENSION_LAYOUTS,
} from './parsed-extension-layouts.ts';
import { layout, type ParsedLayouts } from './parsed-layout.ts';

/** The system program; the tag is a u32. */
export const SYSTEM_LAYOUTS: ParsedLayouts = {
  createAccount: layout('source newAccount', '0:u32 lamports:u64 space:u64 owner:key'),
  assign: layout('account', '1:u32 owner:key'),
  transfer: layout('source destination', '2:u32 lamports:u64'),
  createAccountWithSeed: layout(
    'source newAccount base/source',
    '3:u32 base:key seed:text8 lamports:u64 space:u64 owner:key',
  ),
  advanceNonce: layout('nonceAccount recentBlockhashesSysvar nonceAuthority', '4:u32'),
  withdrawFromNonce: layout(
    'nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority',
    '5:u32 lamports:u64',
  ),
  initializeNonce: layout(
    'nonceAccount recentBlockhashesSysvar rentSysvar',
    '6:u32 nonceAuthority:key',
  ),
  authorizeNonce: layout('nonceAccount nonceAuthority', '7:u32 newAuthorized:key'),
  allocate: layout('account', '8:u32 space:u64'),
  allocateWithSeed: layout('account base', '9:u32 base:key seed:text8 space:u64 owner:key'),
  assignWithSeed: layout('account base', '10:u32 base:key seed:text8 owner:key'),
  transferWithSeed: layout(
    'source sourceBase destination',
    '11:u32 lamports:u64 sourceSeed:text8 sourceOwner:key',
  ),
  upgradeNonce: layout('nonceAccount', '12:u32'),
  createAccountAllowPrefund: layout(
    'newAccount source?',
    '13:u32 lamports:u64or0 space:u64 owner:key',
  ),
};

/** SPL Token and Token-2022, which the node parses the same way; the tag is a u8. */
export const TOKEN_LAYOUTS: ParsedLayouts = {
  initializeMint: layout(
    'mint rentSysvar',
    '0:u8 decimals:u8 mintAuthority:key freezeAuthority:key?',
  ),
  initializeAccount: layout('account mint owner rentSysvar', '1:u8'),
  initializeMultisig: layout('multisig rentSysvar signers*', '2:u8 m:u8'),
  transfer: layout(`source destination ${AUTHORITY}`, '3:u8 amount:u64'),
  approve: layout(`source delegate ${OWNER}`, '4:u8 amount:u64'),
  revoke: layout(`source ${OWNER}`, '5:u8'),
  setAuthority: layout(
    `mint|account ${AUTHORITY}`,
    '6:u8 authorityType:authority newAuthority:key?',
  ),
  mintTo: layout('mint account mintAuthority|multisigMintAuthority signers*', '7:u8 amount:u64'),
  burn: layout(`account mint ${AUTHORITY}`, '8:u8 amount:u64'),
  closeAccount: layout(`account destination ${OWNER}`, '9:u8'),
  freezeAccount: layout('account mint freezeAuthority|multisigFreezeAuthority signers*', '10:u8'),
  thawAccount: layout('account mint freezeAuthority|multisigFreezeAuthority signers*', '11:u8'),
  transferChecked: layout(`source mint destination ${AUTHORITY}`, `12:u8 ${CHECKED_AMOUNT}`),
  approveChecked: layout(`source mint delegate ${OWNER}`, `13:u8 ${CHECKED_AMOUNT}`),
  mintToChecked: layout(
    'mint account mintAuthority|multisigMintAuthority signers*',
    `14:u8 ${CHECKED_AMOUNT}`,
  ),
  burnChecked: layout(`account mint ${AUTHORITY}`, `15:u8 ${CHECKED_AMOUNT}`),
  initializeAccount2: layout('account mint rentSysvar', '16:u8 owner:key'),
  syncNative: layout('account', '17:u8'),
  initializeAccount3: layout('account mint', '18:u8 owner:key'),
  initializeMultisig2: layout('multisig signers*', '19:u8 m:u8'),
  initializeMint2: layout('mint', '20:u8 decimals:u8 mintAuthority:key freezeAuthority:key?'),
  getAccountDataSize: layout('mint', '21:u8 extensionTypes:extension*'),
  initializeImmutableOwner: layout('account', '22:u8'),
  amountToUiAmount: layout('mint', '23:u8 amount:u64'),
  uiAmountToAmount: layout('mint', '24:u8 uiAmount:text'),
  withdrawExcessLamports: layout(`source destination ${AUTHORITY}`, '38:u8'),
  unwrapLamports: layout(`source destination ${AUTHORITY}`, '45:u8 amount:u64?'),
  ...TOKEN_EXTENSION_LAYOUTS,
};

/** The associated token program. The node lists accounts in order; the tag is a u8. */
export const ASSOCIATED_TOKEN_LAYOUTS: ParsedLayouts = {
  create: layout('source account wallet mint systemProgram tokenProgram rentSysvar?', '0:u8'),
  createIdempotent: layout('source account wallet mint systemProgram tokenProgram', '1:u8'),
  recoverNested: layout(
    'nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram',
    '2:u8',
  ),
};
