/**
 * How the RPC node's parsed instructions map back to bytes: `accounts` names the fields of `info`
 * in the program's account order, `data` the arguments in order.
 *
 * Accounts: `a|b` takes whichever is present, `a?` may be absent, `a*` is a list, `a/b` is left out
 * when it is the same as `b`.
 * Data: `<field or literal>:<type>`; `u8 u16 u32 u64`, `key`, `key?` (flag byte, then the key if
 * present), `key0` (zeros when absent), `text8` and `text4` (UTF-8 after a length of 8 or 4 bytes),
 * `authority` and `extension*` (enumerations by name, below), `field` (metadata field).
 */
export interface ParsedLayout {
  readonly accounts: readonly ParsedAccount[];
  readonly data: readonly ParsedArgument[];
}

export interface ParsedAccount {
  readonly fields: readonly string[];
  readonly isOptional: boolean;
  readonly isList: boolean;
  /** A field whose account would make this one a repetition. */
  readonly unlessSameAs: string | null;
}

export interface ParsedArgument {
  readonly source: string;
  readonly type: string;
}

export type ParsedLayouts = Readonly<Record<string, ParsedLayout>>;

function layout(accounts: string, data: string): ParsedLayout {
  return { accounts: words(accounts).map(toAccount), data: words(data).map(toArgument) };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function toAccount(word: string): ParsedAccount {
  const [names = '', unlessSameAs = null] = word.replace(/[?*]$/, '').split('/');
  return {
    fields: names.split('|'),
    isOptional: word.endsWith('?'),
    isList: word.endsWith('*'),
    unlessSameAs,
  };
}

function toArgument(word: string): ParsedArgument {
  const [source = '', type = ''] = word.split(':');
  return { source, type };
}

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
};

const CHECKED_AMOUNT = 'tokenAmount.amount:u64 tokenAmount.decimals:u8';
const AUTHORITY = 'authority|multisigAuthority signers*';
const OWNER = 'owner|multisigOwner signers*';

/** SPL Token, and Token-2022 with the extensions that move or describe tokens; the tag is a u8. */
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
  initializeMintCloseAuthority: layout('mint', '25:u8 newAuthority:key?'),
  initializeTransferFeeConfig: layout(
    'mint',
    '26:u8 0:u8 transferFeeConfigAuthority:key? withdrawWithheldAuthority:key? transferFeeBasisPoints:u16 maximumFee:u64',
  ),
  transferCheckedWithFee: layout(
    `source mint destination ${AUTHORITY}`,
    `26:u8 1:u8 ${CHECKED_AMOUNT} feeAmount.amount:u64`,
  ),
  withdrawWithheldTokensFromMint: layout(
    'mint feeRecipient withdrawWithheldAuthority|multisigWithdrawWithheldAuthority signers*',
    '26:u8 2:u8',
  ),
  harvestWithheldTokensToMint: layout('mint sourceAccounts*', '26:u8 4:u8'),
  initializeMetadataPointer: layout('mint', '39:u8 0:u8 authority:key0 metadataAddress:key0'),
  initializeTokenMetadata: layout(
    'metadata updateAuthority mint mintAuthority',
    'd2e11ea258b84d8d:hex name:text4 symbol:text4 uri:text4',
  ),
  updateTokenMetadataField: layout(
    'metadata updateAuthority',
    'dde9312db5cadcc8:hex field:field value:text4',
  ),
  updateTokenMetadataAuthority: layout(
    'metadata updateAuthority',
    'd7e4a6e45464567b:hex newAuthority:key0',
  ),
};

/** The associated token program. Accounts are listed by the node in order; the tag is a u8. */
export const ASSOCIATED_TOKEN_LAYOUTS: ParsedLayouts = {
  create: layout('source account wallet mint systemProgram tokenProgram rentSysvar?', '0:u8'),
  createIdempotent: layout('source account wallet mint systemProgram tokenProgram', '1:u8'),
  recoverNested: layout(
    'nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram',
    '2:u8',
  ),
};

/** `AuthorityType` of the token programs, in the order of its values. */
export const AUTHORITY_TYPES: readonly string[] = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
];

/** `ExtensionType` of Token-2022, in the order of its values. */
export const EXTENSION_TYPES: readonly string[] = [
  'uninitialized',
  'transferFeeConfig',
  'transferFeeAmount',
  'mintCloseAuthority',
  'confidentialTransferMint',
  'confidentialTransferAccount',
  'defaultAccountState',
  'immutableOwner',
  'memoTransfer',
  'nonTransferable',
  'interestBearingConfig',
  'cpiGuard',
  'permanentDelegate',
  'nonTransferableAccount',
  'transferHook',
  'transferHookAccount',
  'confidentialTransferFeeConfig',
  'confidentialTransferFeeAmount',
  'metadataPointer',
  'tokenMetadata',
];
