import type { CaseClass, CaseWallet } from '../../model/mint-case.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { CaseClasses } from './case-classes.ts';
import type { CaseSources } from './case-sources.ts';
import { readFirstSeen, readFundings } from './paid-wallet.ts';
import { isShellWallet } from './shell-wallet.ts';

/**
 * A wallet of a case whose properties are read on access: detectors read few properties of most
 * wallets. Valid until the next slot is applied. Not a plain
 * object.
 */
export class LazyWallet implements CaseWallet {
  readonly address: Address;
  private readonly sources: CaseSources;
  private readonly mint: Address;
  private readonly classes: CaseClasses;
  private knownBalanceRaw: RawAmount | undefined;
  private knownFirstSeen: ReturnType<typeof readFirstSeen> | undefined;
  private knownFundings: ReturnType<typeof readFundings> | undefined;
  private knownFanOut: number | undefined;
  private knownClass: CaseClass | null | undefined;
  private knownShell: boolean | undefined;
  private knownOrganic: boolean | undefined;

  constructor(sources: CaseSources, mint: Address, address: Address, classes: CaseClasses) {
    this.sources = sources;
    this.mint = mint;
    this.address = address;
    this.classes = classes;
  }

  get balanceRaw(): RawAmount {
    const { sources, mint, address } = this;
    this.knownBalanceRaw ??= sources.books.holders.balanceOfOwner(mint, address);
    return this.knownBalanceRaw;
  }

  get class(): CaseClass | null {
    if (this.knownClass === undefined) this.knownClass = this.classes.of(this.address);
    return this.knownClass;
  }

  get firstSeenMs() {
    return this.firstSeen?.timeMs ?? null;
  }

  get firstSeenSlot() {
    return this.firstSeen?.slot ?? null;
  }

  get firstFunding() {
    return this.paid.firstFunding;
  }

  get fundings() {
    return this.paid.fundings;
  }

  get fanOut(): number {
    const { walletBooks, timeMs } = this.sources;
    this.knownFanOut ??= walletBooks.funding.fanOutOf(this.address, timeMs);
    return this.knownFanOut;
  }

  get isShell(): boolean {
    this.knownShell ??= isShellWallet(this.sources, this.address);
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
    this.knownOrganic ??= isOrganic(this.sources, this.mint, this.address);
    return this.knownOrganic;
  }

  private get firstSeen() {
    if (this.knownFirstSeen === undefined) {
      this.knownFirstSeen = readFirstSeen(this.sources, this.address);
    }
    return this.knownFirstSeen;
  }

  private get paid() {
    this.knownFundings ??= readFundings(this.sources, this.address, this.classes);
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

function isOrganic({ books, walletBooks }: CaseSources, mint: Address, address: Address): boolean {
  const id = walletBooks.ids.find(address);
  if (id !== -1 && walletBooks.wallets.isBot(id)) return false;
  return books.pools.ofMint(mint).every(({ pool }) => {
    const traded = walletBooks.poolWallets.find(pool, address);
    return traded === null || !(traded.isVolumeAtomic || traded.isSandwichLeg);
  });
}
