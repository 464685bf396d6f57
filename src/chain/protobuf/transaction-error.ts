/**
 * The runtime's error as `getBlock` shows it: JSON text. The ledger stores it in bincode: the
 * number of the variant in four bytes, then its fields. Variants are listed in the order of the
 * enums, which only grow at their ends: https://docs.rs/solana-transaction-error (4.1.0) and
 * https://docs.rs/solana-instruction-error. Unknown variants are returned as `{"Unknown": hex}`.
 */
export function transactionErrorText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const variant = bytes.length < VARIANT_BYTES ? undefined : nameAt(TRANSACTION_ERRORS, view, 0);
  const error = variant === undefined ? null : toTransactionError(variant, bytes, view);
  return JSON.stringify(error ?? { Unknown: Buffer.from(bytes).toString('hex') });
}

const VARIANT_BYTES = 4;
const CARRIED_AT = 5;

function toTransactionError(name: string, bytes: Uint8Array, view: DataView): unknown {
  const carried = bytes[VARIANT_BYTES];
  if (name === 'InstructionError') {
    const isCut = carried === undefined || bytes.length < CARRIED_AT + VARIANT_BYTES;
    const error = isCut ? null : toInstructionError(bytes, view);
    return error === null ? null : { InstructionError: [carried, error] };
  }
  if (name === 'DuplicateInstruction') return carried === undefined ? null : { [name]: carried };
  if (ACCOUNT_ERRORS.has(name)) {
    return carried === undefined ? null : { [name]: { account_index: carried } };
  }
  return name;
}

function toInstructionError(bytes: Uint8Array, view: DataView): unknown {
  const name = nameAt(INSTRUCTION_ERRORS, view, CARRIED_AT);
  const carriedAt = CARRIED_AT + VARIANT_BYTES;
  const left = bytes.length - carriedAt;
  if (name === undefined) return null;
  if (name === 'Custom') return left < 4 ? null : { Custom: view.getUint32(carriedAt, true) };
  // Older versions carried a text.
  if (name === 'BorshIoError' && left > 0) return borshIoError(bytes.subarray(carriedAt));
  return name;
}

function borshIoError(bytes: Uint8Array): unknown {
  if (bytes.length < 8) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length !== BigInt(bytes.length - 8)) return null;
  return { BorshIoError: Buffer.from(bytes.subarray(8)).toString('utf8') };
}

function nameAt(names: readonly string[], view: DataView, offset: number): string | undefined {
  return names[view.getUint32(offset, true)];
}

const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'InsufficientFundsForRent',
  'ProgramExecutionTemporarilyRestricted',
]);

const TRANSACTION_ERRORS: readonly string[] = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'InstructionError',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'DuplicateInstruction',
  'InsufficientFundsForRent',
  'MaxLoadedAccountsDataSizeExceeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'ResanitizationNeeded',
  'ProgramExecutionTemporarilyRestricted',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
];

const INSTRUCTION_ERRORS: readonly string[] = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'Custom',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'BorshIoError',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
];
