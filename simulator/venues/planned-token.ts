import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { TransferFee } from '../chain/ledger.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { createMetaplexMetadata } from '../programs/metaplex.ts';
import { createAccount } from '../programs/system.ts';
import { initializeMint, MINT_SPACE, mintTokens, setMintAuthority } from '../programs/token.ts';
import { initializeTransferFee } from '../programs/token-2022.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { VenueContext } from './launchpad.ts';

/** Size of a Token-2022 mint with the transfer fee extension. */
const FEE_MINT_SPACE = 278;

export interface TokenSettings {
  readonly creator: Address;
  readonly text: TokenText;
  readonly decimals: number;
  readonly supplyRaw: bigint;
  /** Makes it a Token-2022 mint; null for a plain one. */
  readonly transferFee: TransferFee | null;
  /** Keep the mint authority, or the freeze authority. */
  readonly keepsMintAuthority?: boolean;
  readonly hasFreezeAuthority?: boolean;
}

/** A token created without a launchpad: a mint whose whole supply goes to its creator. */
export interface PlannedToken {
  readonly mint: Address;
  /** Signers of the creation in addition to the creator: the mint. */
  readonly createSigners: readonly Address[];
  create(execution: Execution): void;
}

/** Mint, Metaplex metadata and supply in one transaction; then the mint authority is removed. */
export function planToken(
  { keyring, tokenAccounts }: VenueContext,
  settings: TokenSettings,
): PlannedToken {
  const mint = keyring.account();
  const metadata = keyring.account();
  const { creator, text, supplyRaw } = settings;
  return {
    mint,
    createSigners: [mint],
    create: (execution) => {
      createMint(execution, mint, settings);
      createMetaplexMetadata(execution, {
        metadata,
        mint,
        mintAuthority: creator,
        updateAuthority: creator,
        payer: creator,
        text,
        creator,
        isMutable: true,
      });
      const to = ensureTokenAccount(execution, tokenAccounts, creator, creator, mint);
      mintTokens(execution, { mint, to, authority: creator, amountRaw: supplyRaw });
      if (settings.keepsMintAuthority !== true) {
        setMintAuthority(execution, mint, 'mint', creator, null);
      }
    },
  };
}

function createMint(execution: Execution, mint: Address, settings: TokenSettings): void {
  const { creator, decimals, transferFee, hasFreezeAuthority } = settings;
  const authorities = {
    mintAuthority: creator,
    freezeAuthority: hasFreezeAuthority === true ? creator : null,
  };
  if (transferFee === null) {
    createAccount(execution, creator, mint, MINT_SPACE, SPL_TOKEN_PROGRAM);
    initializeMint(execution, SPL_TOKEN_PROGRAM, mint, { decimals, ...authorities });
    return;
  }
  createAccount(execution, creator, mint, FEE_MINT_SPACE, TOKEN_2022_PROGRAM);
  initializeTransferFee(execution, mint, transferFee, creator);
  initializeMint(execution, TOKEN_2022_PROGRAM, mint, { decimals, ...authorities }, transferFee);
}
