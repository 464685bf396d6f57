import { layout, type ParsedLayouts } from './parsed-layout.ts';

export const CHECKED_AMOUNT = 'tokenAmount.amount:u64 tokenAmount.decimals:u8';
export const AUTHORITY = 'authority|multisigAuthority signers*';
export const OWNER = 'owner|multisigOwner signers*';
const WITHHELD_AUTHORITY = 'withdrawWithheldAuthority|multisigWithdrawWithheldAuthority signers*';

/** Instructions that set up or change an extension of a mint. */
const MINT_LAYOUTS: ParsedLayouts = {
  initializeMintCloseAuthority: layout('mint', '25:u8 newAuthority:key?'),
  initializeTransferFeeConfig: layout(
    'mint',
    '26:u8 0:u8 transferFeeConfigAuthority:key? withdrawWithheldAuthority:key? transferFeeBasisPoints:u16 maximumFee:u64',
  ),
  setTransferFee: layout(
    'mint transferFeeConfigAuthority|multisigtransferFeeConfigAuthority signers*',
    '26:u8 5:u8 transferFeeBasisPoints:u16 maximumFee:u64',
  ),
  initializeConfidentialTransferMint: layout(
    'mint',
    '27:u8 0:u8 authority:key0 autoApproveNewAccounts:bool auditorElGamalPubkey:elgamal0',
  ),
  updateConfidentialTransferMint: layout(
    'mint confidentialTransferMintAuthority',
    '27:u8 1:u8 autoApproveNewAccounts:bool auditorElGamalPubkey:elgamal0',
  ),
  initializeDefaultAccountState: layout('mint', '28:u8 0:u8 accountState:state'),
  updateDefaultAccountState: layout(
    'mint freezeAuthority|multisigFreezeAuthority signers*',
    '28:u8 1:u8 accountState:state',
  ),
  createNativeMint: layout('payer nativeMint systemProgram', '31:u8'),
  initializeNonTransferableMint: layout('mint', '32:u8'),
  initializeInterestBearingConfig: layout('mint', '33:u8 0:u8 rateAuthority:key0 rate:i16'),
  updateInterestBearingConfigRate: layout(
    'mint rateAuthority|multisigRateAuthority signers*',
    '33:u8 1:u8 newRate:i16',
  ),
  initializePermanentDelegate: layout('mint', '35:u8 delegate:key'),
  initializeTransferHook: layout('mint', '36:u8 0:u8 authority:key0 programId:key0'),
  updateTransferHook: layout(`mint ${AUTHORITY}`, '36:u8 1:u8 programId:key0'),
  initializeConfidentialTransferFeeConfig: layout(
    'mint',
    '37:u8 0:u8 authority:key0 withdrawWithheldAuthorityElGamalPubkey:elgamal0',
  ),
  initializeMetadataPointer: layout('mint', '39:u8 0:u8 authority:key0 metadataAddress:key0'),
  updateMetadataPointer: layout(`mint ${AUTHORITY}`, '39:u8 1:u8 metadataAddress:key0'),
  initializeGroupPointer: layout('mint', '40:u8 0:u8 authority:key0 groupAddress:key0'),
  updateGroupPointer: layout(`mint ${AUTHORITY}`, '40:u8 1:u8 groupAddress:key0'),
  initializeGroupMemberPointer: layout('mint', '41:u8 0:u8 authority:key0 memberAddress:key0'),
  updateGroupMemberPointer: layout(`mint ${AUTHORITY}`, '41:u8 1:u8 memberAddress:key0'),
  initializeScaledUiAmountConfig: layout('mint', '43:u8 0:u8 authority:key0 multiplier:f64'),
  updateMultiplier: layout(
    `mint ${AUTHORITY}`,
    '43:u8 1:u8 newMultiplier:f64 newMultiplierTimestamp:i64',
  ),
  initializePausableConfig: layout('mint', '44:u8 0:u8 authority:key0'),
  pause: layout(`mint ${AUTHORITY}`, '44:u8 1:u8'),
  resume: layout(`mint ${AUTHORITY}`, '44:u8 2:u8'),
  initializePermissionedBurnConfig: layout('mint', '46:u8 0:u8 authority:key'),
};

/** Instructions on accounts that hold tokens, and those that move tokens. */
const ACCOUNT_LAYOUTS: ParsedLayouts = {
  transferCheckedWithFee: layout(
    `source mint destination ${AUTHORITY}`,
    `26:u8 1:u8 ${CHECKED_AMOUNT} feeAmount.amount:u64`,
  ),
  withdrawWithheldTokensFromMint: layout(`mint feeRecipient ${WITHHELD_AUTHORITY}`, '26:u8 2:u8'),
  withdrawWithheldTokensFromAccounts: layout(
    `mint feeRecipient ${WITHHELD_AUTHORITY} sourceAccounts*`,
    '26:u8 3:u8 sourceAccounts:count',
  ),
  harvestWithheldTokensToMint: layout('mint sourceAccounts*', '26:u8 4:u8'),
  reallocate: layout(`account payer systemProgram ${OWNER}`, '29:u8 extensionTypes:extension*'),
  enableRequiredMemoTransfers: layout(`account ${OWNER}`, '30:u8 0:u8'),
  disableRequiredMemoTransfers: layout(`account ${OWNER}`, '30:u8 1:u8'),
  enableCpiGuard: layout(`account ${OWNER}`, '34:u8 0:u8'),
  disableCpiGuard: layout(`account ${OWNER}`, '34:u8 1:u8'),
  permissionedBurn: layout(
    `account mint permissionedBurnAuthority ${AUTHORITY}`,
    '46:u8 1:u8 amount:u64',
  ),
  permissionedBurnChecked: layout(
    `account mint permissionedBurnAuthority ${AUTHORITY}`,
    `46:u8 2:u8 ${CHECKED_AMOUNT}`,
  ),
};

/**
 * Instructions on confidential balances. The record omits part of their ciphertexts and proofs,
 * which are not used here: only their tags are rebuilt.
 */
const CONFIDENTIAL_LAYOUTS: ParsedLayouts = {
  configureConfidentialTransferAccount: layout('account mint', '27:u8 2:u8'),
  approveConfidentialTransferAccount: layout('account mint', '27:u8 3:u8'),
  emptyConfidentialTransferAccount: layout('account', '27:u8 4:u8'),
  depositConfidentialTransfer: layout('source destination mint', '27:u8 5:u8'),
  withdrawConfidentialTransfer: layout('source destination mint', '27:u8 6:u8'),
  confidentialTransfer: layout('source mint destination', '27:u8 7:u8'),
  applyPendingConfidentialTransferBalance: layout('account', '27:u8 8:u8'),
  enableConfidentialTransferConfidentialCredits: layout('account', '27:u8 9:u8'),
  disableConfidentialTransferConfidentialCredits: layout('account', '27:u8 10:u8'),
  enableConfidentialTransferNonConfidentialCredits: layout('account', '27:u8 11:u8'),
  disableConfidentialTransferNonConfidentialCredits: layout('account', '27:u8 12:u8'),
  confidentialTransferWithFee: layout('source mint destination', '27:u8 13:u8'),
  configureConfidentialAccountWithRegistry: layout('account mint registry', '27:u8 14:u8'),
  withdrawWithheldConfidentialTransferTokensFromMint: layout('mint feeRecipient', '37:u8 1:u8'),
  withdrawWithheldConfidentialTransferTokensFromAccounts: layout('mint feeRecipient', '37:u8 2:u8'),
  harvestWithheldConfidentialTransferTokensToMint: layout('mint', '37:u8 3:u8'),
  enableConfidentialTransferFeeHarvestToMint: layout('account', '37:u8 4:u8'),
  disableConfidentialTransferFeeHarvestToMint: layout('account', '37:u8 5:u8'),
  initializeConfidentialMintBurnMint: layout('mint', '42:u8 0:u8'),
  rotateConfidentialMintBurnSupplyElGamalPubkey: layout('mint', '42:u8 1:u8'),
  updateConfidentialMintBurnDecryptableSupply: layout('mint', '42:u8 2:u8'),
  confidentialMint: layout('destination mint', '42:u8 3:u8'),
  confidentialBurn: layout('destination mint', '42:u8 4:u8'),
  permissionedConfidentialBurn: layout('account mint', '46:u8 3:u8'),
};

/** Instructions of the token metadata and token group interfaces, by eight-byte discriminator. */
const INTERFACE_LAYOUTS: ParsedLayouts = {
  initializeTokenMetadata: layout(
    'metadata updateAuthority mint mintAuthority',
    'd2e11ea258b84d8d:hex name:text4 symbol:text4 uri:text4',
  ),
  updateTokenMetadataField: layout(
    'metadata updateAuthority',
    'dde9312db5cadcc8:hex field:field value:text4',
  ),
  removeTokenMetadataKey: layout(
    'metadata updateAuthority',
    'ea122038598d25b5:hex idempotent:bool key:text4',
  ),
  updateTokenMetadataAuthority: layout(
    'metadata updateAuthority',
    'd7e4a6e45464567b:hex newAuthority:key0',
  ),
  emitTokenMetadata: layout('metadata', 'faa6b4fa0d0cb846:hex start:u64? end:u64?'),
  initializeTokenGroup: layout(
    'group mint mintAuthority',
    '79716c2736330004:hex updateAuthority:key0 maxSize:u64',
  ),
  updateTokenGroupMaxSize: layout('group updateAuthority', '6c25ab8ff81e126e:hex maxSize:u64'),
  updateTokenGroupAuthority: layout(
    'group updateAuthority',
    'a1695801edddd8cb:hex newAuthority:key0',
  ),
  initializeTokenGroupMember: layout(
    'member memberMint memberMintAuthority group groupUpdateAuthority',
    '9820deb0dfed7486:hex',
  ),
};

/**
 * The instructions added by Token-2022 extensions, by the names the node gives them (agave,
 * transaction-status, parse_token/extension).
 */
export const TOKEN_EXTENSION_LAYOUTS: ParsedLayouts = {
  ...MINT_LAYOUTS,
  ...ACCOUNT_LAYOUTS,
  ...CONFIDENTIAL_LAYOUTS,
  ...INTERFACE_LAYOUTS,
};
