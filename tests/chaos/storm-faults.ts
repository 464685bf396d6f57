import {
  CALM,
  type FaultName,
  type FaultSettings,
} from '../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../simulator/faces/node/faults.ts';
import { Random } from '../../simulator/random/random.ts';

/**
 * Faults that a source survives without a loss, with the highest rate of each. Truncated logs are
 * left out: they are part of the chain's data, so no source can repair them.
 */
const RATES_MAX = {
  delay: 0.1,
  stall: 0.004,
  cut: 0.03,
  html: 0.03,
  truncatedJson: 0.03,
  wrongTypes: 0.03,
  hugeIntegers: 0.03,
  metaNull: 0.05,
  innerInstructionsNull: 0.05,
  loadedAddressesMissing: 0.05,
  falseSkip: 0.05,
  listHoles: 0.03,
  headBack: 0.05,
  equivocation: 0.05,
  subscribeError: 0.2,
  subscriptionLoss: 0.02,
  notificationDuplicate: 0.1,
  notificationSwap: 0.1,
  notificationGarbage: 0.05,
  socketCut: 0.02,
  socketStall: 0.01,
} as const satisfies Partial<Record<FaultName, number>>;

const RPC_ERRORS = [-32004, -32005, -32007, -32009, -32014, -32603];
const HTTP_ERRORS = [429, 500, 503];
const ERROR_RATES = [0, 0.01, 0.02];
const SKIP_CODES = [-32004, -32007, -32009] as const;
/** Share of the possible faults that occur in one storm. */
const CHOSEN_SHARE = 0.6;

/** Faults of one node and their rates. */
export function stormSettings(seed: string): FaultSettings {
  const random = new Random(`storm ${seed}`);
  const rates = Object.entries(RATES_MAX).map(([name, most]) => [
    name,
    random.chance(CHOSEN_SHARE) ? random.between(0, most) : 0,
  ]);
  const errorRates = (codes: readonly number[]) =>
    Object.fromEntries(codes.map((code) => [code, random.pick(ERROR_RATES)]));
  return {
    ...CALM,
    ...(Object.fromEntries(rates) as Partial<FaultSettings>),
    seed,
    // Otherwise no client ever sees a dropped branch.
    confirmsDropped: true,
    delayMinMs: 20,
    delayMaxMs: 300,
    falseSkipCode: random.pick(SKIP_CODES),
    rpcErrors: errorRates(RPC_ERRORS),
    httpErrors: errorRates(HTTP_ERRORS),
  };
}

/** Counts faults, and can withhold one slot's block. */
export class StormFaults extends Faults {
  readonly injected = new Map<string, number>();
  private withheldSlot: number | null = null;

  get injectedTotal(): number {
    return [...this.injected.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Denies this slot's block to all requests, and leaves it out of streams; null withholds none.
   */
  withhold(slot: number | null): void {
    this.withheldSlot = slot;
  }

  override strikes(fault: FaultName, key: string): boolean {
    const isStruck = this.isWithheld(fault, key) || super.strikes(fault, key);
    if (isStruck) this.count(fault);
    return isStruck;
  }

  override code(
    rates: 'rpcErrors' | 'httpErrors',
    key: string,
    isFit: (code: number) => boolean,
  ): number | null {
    const code = super.code(rates, key, isFit);
    if (code !== null) this.count(String(code));
    return code;
  }

  private isWithheld(fault: FaultName, key: string): boolean {
    const slot = this.withheldSlot;
    if (slot === null) return false;
    if (fault === 'listHoles') return key === `stream ${slot}`;
    // A replay would deliver it.
    if (fault === 'subscribeError') return true;
    return fault === 'falseSkip' && key.startsWith(`getBlock [${slot},`);
  }

  private count(kind: string): void {
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1);
  }
}
