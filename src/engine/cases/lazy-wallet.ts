import type { CaseClass, CaseWallet } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { CaseClasses } from './case-classes.ts';
import type { CaseSources } from './case-sources.ts';
import { readFirstSeen, readFundings } from './paid-wallet.ts';
import { isShellWallet } from './shell-wallet.ts';

/** What the wallets of one case have in common. */
export interface SharedByWallets {
  readonly classes: CaseClasses;
  /** The pools of the mint. */
  readonly pools: readonly Address[];
}

/**
 * A wallet of a case whose properties are read on access: detectors read few properties of most
 * wallets. Valid until the next slot is applied. Not a plain
 * object.
 */
export class LazyWallet implements CaseWallet {
  readonly address: Address;
  /** Its number, -1 for none: its properties are in many books. */
  private readonly id: number;
  private readonly sources: CaseSources;
  private readonly mint: Address;
  private readonly shared: SharedByWallets;
  private knownBalanceRaw: RawAmount | undefined;
  private knownFirstSeen: ReturnType<typeof readFirstSeen> | undefined;
  private knownFundings: ReturnType<typeof readFundings> | undefined;
  private knownFanOut: number | undefined;
  private knownClass: CaseClass | null | undefined;
  private knownShell: boolean | undefined;
  private knownOrganic: boolean | undefined;

  constructor(sources: CaseSources, mint: Address, address: Address, shared: SharedByWallets) {
    this.sources = sources;
    this.mint = mint;
    this.address = address;
    this.id = sources.walletBooks.ids.find(address);
    this.shared = shared;
  }

  get balanceRaw(): RawAmount {
    const { sources, mint, address } = this;
    this.knownBalanceRaw ??= sources.books.holders.balanceOfOwner(mint, address);
    return this.knownBalanceRaw;
  }

  get class(): CaseClass | null {
    if (this.knownClass === undefined)
      this.knownClass = this.shared.classes.of(this.address, this.id);
    return this.knownClass;
  }

  get firstSeenMs() {
    return this.firstSeen?.timeMs ?? null;
  }

  get firstSeenSlot() {
    return this.firstSeen?.slot ?? null;
  }

  get firstPaymentSlot() {
    return this.sources.cases.lists.paymentLogs.walletById(this.id)?.slot ?? null;
  }

  get firstFunding() {
    return this.paid.firstFunding;
  }

  get fundings() {
    return this.paid.fundings;
  }

  get fanOut(): number {
    const { walletBooks, timeMs } = this.sources;
    this.knownFanOut ??= walletBooks.funding.fanOutById(this.id, timeMs);
    return this.knownFanOut;
  }

  get isShell(): boolean {
    this.knownShell ??= isShellWallet(this.sources, this.id);
    return this.knownShell;
  }

  get snipes() {
    return this.sniped.snipes;
  }

  get snipedCreators() {
    return this.sniped.creators;
  }

  get priorBundles() {
    return this.sources.cases.launches.bundlesOf(this.address, this.mint);
  }

  get bundledMints() {
    const { cases } = this.sources;
    const launchMs = cases.launches.launchMsOf(this.mint);
    return launchMs === null ? [] : cases.snipes.bundledBefore(this.address, launchMs);
  }

  /** Not a bot, and without atomic round trips or sandwich legs in the pools of the mint. */
  get isOrganic(): boolean {
    const { walletBooks } = this.sources;
    this.knownOrganic ??= isOrganic(walletBooks, this.shared.pools, this.id);
    return this.knownOrganic;
  }

  private get firstSeen() {
    if (this.knownFirstSeen === undefined) {
      this.knownFirstSeen = readFirstSeen(this.sources, this.id);
    }
    return this.knownFirstSeen;
  }

  private get paid() {
    this.knownFundings ??= readFundings(this.sources, this.id, this.shared.classes);
    return this.knownFundings;
  }

  private get sniped() {
    const { cases, timeMs } = this.sources;
    return cases.snipes.countOf(this.address, this.mint, timeMs);
  }
}

/** Reads all properties of a lazy wallet into a plain object. */
export function plainWallet(wallet: LazyWallet): CaseWallet {
  return {
    address: wallet.address,
    class: wallet.class,
    balanceRaw: wallet.balanceRaw,
    firstSeenMs: wallet.firstSeenMs,
    firstSeenSlot: wallet.firstSeenSlot,
    firstPaymentSlot: wallet.firstPaymentSlot,
    firstFunding: wallet.firstFunding,
    fundings: wallet.fundings,
    fanOut: wallet.fanOut,
    isShell: wallet.isShell,
    snipes: wallet.snipes,
    snipedCreators: wallet.snipedCreators,
    priorBundles: wallet.priorBundles,
    bundledMints: wallet.bundledMints,
    isOrganic: wallet.isOrganic,
  };
}

function isOrganic(
  { wallets, poolWallets }: WalletBooks,
  pools: readonly Address[],
  wallet: number,
): boolean {
  return !wallets.isBot(wallet) && pools.every((pool) => poolWallets.hasNoRoundTrips(pool, wallet));
}
