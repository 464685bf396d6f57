import { createHash } from 'node:crypto';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { bytesOf, type Keyring } from '../chain/keyring.ts';
import {
  ensureTokenAccount,
  type TokenAccounts,
  unwrapLamports,
  wrapLamports,
} from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import type { Market } from '../venues/market.ts';

/**
 * Meteora's Alpha Vault: whitelisted wallets pay before a pool opens and receive their share of it.
 */
export const ALPHA_VAULT_PROGRAM = asAddress('vaU6kP7iNEGkbmPkLmZfGwiGxd4Mob24QQCie5R9kd2');

/** A vault that buys from one pool with its depositors' payments, all at the same price. */
export class AlphaVault {
  readonly vault: Address;
  private readonly market: Market;
  private readonly accounts: TokenAccounts;

  constructor(keyring: Keyring, accounts: TokenAccounts, market: Market) {
    this.market = market;
    this.accounts = accounts;
    this.vault = keyring.derived(ALPHA_VAULT_PROGRAM, 'vault', bytesOf(market.pool));
  }

  /** Creates the vault's token accounts. */
  open(execution: Execution, payer: Address): void {
    const { accounts, vault, market } = this;
    for (const mint of [WRAPPED_SOL, market.baseMint]) {
      ensureTokenAccount(execution, accounts, payer, vault, mint);
    }
  }

  deposit(execution: Execution, owner: Address, lamports: bigint): void {
    const { accounts, vault } = this;
    const from = wrapLamports(execution, accounts, owner, lamports);
    const to = accounts.of(vault, WRAPPED_SOL);
    const uses = [writable(vault), writable(from), writable(to), signing(owner)];
    execution.invoke(ALPHA_VAULT_PROGRAM, uses, call('deposit').u64(lamports).done(), () =>
      transferTokensChecked(execution, { from, to, authority: owner, amountRaw: lamports }),
    );
    unwrapLamports(execution, accounts, owner);
  }

  /** Spends the vault's whole balance. Anyone may call it once the pool is open. */
  fill(execution: Execution, caller: Address): void {
    const { accounts, vault, market } = this;
    const uses = [writable(vault), writable(market.pool), signing(caller)];
    execution.invoke(ALPHA_VAULT_PROGRAM, uses, call('fill_dlmm').done(), () => {
      const { amountRaw } = execution.ledger.token(accounts.of(vault, WRAPPED_SOL));
      const swap = { trader: vault, side: 'buy', amountInRaw: amountRaw, minOutRaw: 1n } as const;
      market.swap(execution, swap);
    });
  }

  /** Pays an owner's share of the vault's purchase. */
  claim(execution: Execution, owner: Address, amountRaw: bigint): void {
    const { accounts, vault, market } = this;
    const to = ensureTokenAccount(execution, accounts, owner, owner, market.baseMint);
    const from = accounts.of(vault, market.baseMint);
    const uses = [writable(vault), writable(from), writable(to), readOnly(owner), signing(owner)];
    execution.invoke(ALPHA_VAULT_PROGRAM, uses, call('claim_token').done(), () =>
      transferTokensChecked(execution, { from, to, authority: vault, amountRaw }),
    );
  }
}

/** Anchor's discriminator: the first eight bytes of SHA-256 of `global:` and the name. */
function call(name: string): InstructionBytes {
  const digest = createHash('sha256').update(`global:${name}`).digest('hex');
  return new InstructionBytes().hex(digest.slice(0, 16));
}
