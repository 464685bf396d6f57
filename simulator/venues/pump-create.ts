import {
  ASSOCIATED_TOKEN_PROGRAM,
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { createMetaplexMetadata } from '../programs/metaplex.ts';
import { createAccount, rentExemptLamports, transferLamports } from '../programs/system.ts';
import { initializeMint, MINT_SPACE, mintTokens, setMintAuthority } from '../programs/token.ts';
import {
  initializeTokenMetadata,
  metadataSpace,
  POINTED_MINT_SPACE,
  pointMetadataAtMint,
  setMetadataAuthority,
} from '../programs/token-2022.ts';
import type { TokenText } from '../programs/token-text.ts';
import { RENT_SYSVAR } from './pool-parts.ts';
import type { PumpCurve } from './pump-curve.ts';
import { START_OF_CURVE, SUPPLY_RAW } from './pump-curve-math.ts';
import type { PumpCurveState } from './pump-curve-state.ts';
import { createEvent } from './pump-events.ts';
import { emitPumpEvent, PUMP } from './pump-program.ts';
import { type CurveQuote, startReservesOf } from './pump-quote.ts';

const DECIMALS = 6;
/** All fields of the account (IDL of October 2026), after Anchor's eight bytes. */
const CURVE_SPACE = 166;
/** The system program's AccountAlreadyInUse. */
const ALREADY_IN_USE = 0;

/** Accounts that `create_v2` includes for a mode of the program that is not used here. */
const MAYHEM = {
  program: asAddress('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e'),
  globalParams: asAddress('13ec7XdrjF3h3YcqBTFDSReRcUFwbCnJaAQspM4j6DDJ'),
  solVault: asAddress('BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s'),
} as const;

/** A launch as its creator sends it. */
export interface PumpCreation {
  readonly curve: PumpCurve;
  readonly text: TokenText;
  readonly tokenAccounts: TokenAccounts;
  /** Null for lamports. */
  readonly quote: CurveQuote | null;
}

/** `create`: a mint of the classic token program, with its text in a separate Metaplex account. */
export function createClassic(
  execution: Execution,
  creation: PumpCreation,
  metadata: Address,
): void {
  const { curve, text } = creation;
  const { mint, launcher } = curve.accounts;
  const data = textData('181ec828051c0777', text, launcher).done();
  execution.invoke(PUMP.program, classicUses(curve, metadata), data, () => {
    execution.log('Instruction: Create');
    refuseSecondTime(execution, curve);
    createAccount(execution, launcher, mint, MINT_SPACE, SPL_TOKEN_PROGRAM);
    initializeMint(execution, SPL_TOKEN_PROGRAM, mint, mintSettings());
    openCurve(execution, creation);
    createMetaplexMetadata(execution, {
      metadata,
      mint,
      mintAuthority: PUMP.mintAuthority,
      updateAuthority: PUMP.mintAuthority,
      payer: launcher,
      text,
      creator: launcher,
      isMutable: false,
    });
    mintSupply(execution, creation, SPL_TOKEN_PROGRAM);
  });
}

/** `create_v2`: a mint of Token-2022 with its own immutable text. */
export function createToken2022(execution: Execution, creation: PumpCreation): void {
  const { curve, text } = creation;
  const { mint, launcher } = curve.accounts;
  const { creatorBps, isHolderReward } = curve.terms;
  const data = textData('d6904cec5f8b31b4', text, launcher)
    .bool(false)
    .bool(false)
    .u64(creatorBps ?? 0n)
    .bool(isHolderReward)
    .done();
  execution.invoke(PUMP.program, token2022Uses(execution.ledger, creation), data, () => {
    execution.log('Instruction: CreateV2');
    refuseSecondTime(execution, curve);
    createAccount(execution, launcher, mint, POINTED_MINT_SPACE, TOKEN_2022_PROGRAM);
    pointMetadataAtMint(execution, mint);
    initializeMint(execution, TOKEN_2022_PROGRAM, mint, mintSettings());
    openCurve(execution, creation);
    const rent = rentExemptLamports(metadataSpace(text)) - rentExemptLamports(0);
    transferLamports(execution, launcher, mint, rent);
    const authority = PUMP.mintAuthority;
    initializeTokenMetadata(execution, {
      mint,
      mintAuthority: authority,
      updateAuthority: authority,
      text,
    });
    setMetadataAuthority(execution, mint, authority, null);
    mintSupply(execution, creation, TOKEN_2022_PROGRAM);
  });
}

function refuseSecondTime({ ledger }: Execution, curve: PumpCurve): void {
  if (curve.state(ledger) !== null) {
    throw new ProgramFailure(ALREADY_IN_USE, 'account already in use');
  }
}

function mintSettings() {
  return { decimals: DECIMALS, mintAuthority: PUMP.mintAuthority, freezeAuthority: null };
}

/** The curve's initial account, and its token account. */
function openCurve(execution: Execution, { curve, tokenAccounts, quote }: PumpCreation): void {
  const { mint, launcher, quoteMint } = curve.accounts;
  createAccount(execution, launcher, curve.pool, CURVE_SPACE, PUMP.program);
  const startQuoteRaw = startReservesOf(execution, quote);
  const state: PumpCurveState = {
    ...START_OF_CURVE,
    virtualQuoteRaw: startQuoteRaw,
    startQuoteRaw,
    ...NOTHING_WAITS,
  };
  execution.change(curve.pool, { state });
  ensureTokenAccount(execution, tokenAccounts, launcher, curve.pool, mint);
  if (!curve.takesLamports) {
    ensureTokenAccount(execution, tokenAccounts, launcher, curve.pool, quoteMint);
  }
}

const NOTHING_WAITS = {
  isComplete: false,
  protocolFeesRaw: 0n,
  creatorFeesRaw: 0n,
  beyondBaseRaw: 0n,
  beyondQuoteRaw: 0n,
} as const;

/** The whole fixed supply goes to the curve; then the launch event is emitted. */
function mintSupply(
  execution: Execution,
  { curve, text }: PumpCreation,
  tokenProgram: Address,
): void {
  const { mint, launcher } = curve.accounts;
  const { creatorBps, depth } = curve.terms;
  const authority = PUMP.mintAuthority;
  mintTokens(execution, { mint, to: curve.vault, authority, amountRaw: SUPPLY_RAW });
  setMintAuthority(execution, mint, 'mint', authority, null);
  const moment = curve.momentOf(execution, launcher);
  const startQuoteRaw = curve.virtualReserves(execution.ledger).quoteRaw;
  const ownCreatorBps = creatorBps ?? 0n;
  const fields = { text, tokenProgram, startQuoteRaw, ownCreatorBps, depth };
  emitPumpEvent(execution, PUMP, createEvent(moment, fields));
  const { pool } = curve;
  execution.report({ kind: 'launch', venue: 'pump', mint, pool, creator: launcher });
}

function textData(discriminator: string, text: TokenText, creator: Address): InstructionBytes {
  return new InstructionBytes()
    .hex(discriminator)
    .string(text.name)
    .string(text.symbol)
    .string(text.uri)
    .address(creator);
}

/** The first accounts of both instructions. */
function launchedUses({ accounts, pool, vault }: PumpCurve): readonly AccountUse[] {
  return [
    paying(accounts.mint),
    readOnly(PUMP.mintAuthority),
    writable(pool),
    writable(vault),
    readOnly(PUMP.global),
  ];
}

function classicUses(curve: PumpCurve, metadata: Address): readonly AccountUse[] {
  const { launcher } = curve.accounts;
  return [
    ...launchedUses(curve),
    readOnly(METAPLEX_METADATA_PROGRAM),
    writable(metadata),
    paying(launcher),
    readOnly(SYSTEM_PROGRAM),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(RENT_SYSVAR),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
  ];
}

/** IDL order, then the quote: wrapped SOL stands for native. */
function token2022Uses(
  ledger: Ledger,
  { curve, tokenAccounts, quote }: PumpCreation,
): readonly AccountUse[] {
  const { mint, launcher, quoteMint } = curve.accounts;
  return [
    ...launchedUses(curve),
    paying(launcher),
    readOnly(SYSTEM_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    writable(MAYHEM.program),
    readOnly(MAYHEM.globalParams),
    writable(MAYHEM.solVault),
    writable(tokenAccounts.of(MAYHEM.program, mint)),
    writable(tokenAccounts.of(MAYHEM.solVault, mint)),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    readOnly(quoteMint),
    writable(tokenAccounts.of(curve.pool, quoteMint)),
    readOnly(ledger.get(quoteMint).program),
    ...(quote?.kind === 'coin' ? coinUses(ledger, quote) : []),
  ];
}

/** Quote control, the coin's own curve, and its pool after its migration. */
function coinUses(
  ledger: Ledger,
  { curve, pool }: CurveQuote & { readonly kind: 'coin' },
): readonly AccountUse[] {
  const uses = [readOnly(PUMP.quoteControl), readOnly(curve.pool)];
  if (!pool.isOpen(ledger)) return uses;
  const { baseVault, quoteVault } = pool.addresses;
  return [...uses, readOnly(pool.pool), readOnly(baseVault), readOnly(quoteVault)];
}
