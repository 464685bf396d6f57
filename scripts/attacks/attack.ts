import type { ServiceOptions } from '../../bench/live-service.ts';
import type { TradedPool } from '../../bench/live-tape.ts';

/** An attacker uses another address than other clients. */
export const ATTACKER_ADDRESS = '127.0.0.2';

/** What an attacker knows about the service. All of it is on this machine. */
export interface AttackTarget {
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  /** Keys of its own account. */
  readonly keys: readonly [string, ...string[]];
  /** Recently traded pools. */
  readonly pools: readonly TradedPool[];
  /** A receiver that accepts connections and never answers. */
  readonly silentPort: number;
}

export interface Attack {
  readonly name: string;
  /** The attack in a sentence or two. */
  readonly summary: string;
  /** Additional options of the service during the attack. */
  readonly service?: Pick<ServiceOptions, 'settings' | 'openFilesMax'>;
  /** Runs until the signal is aborted. */
  run(target: AttackTarget, tally: Tally, signal: AbortSignal): Promise<void>;
}

/** The number of answers to the attacker, by status or error. */
export class Tally {
  private readonly counted = new Map<string, number>();

  count(outcome: string | number): void {
    const name = String(outcome);
    this.counted.set(name, (this.counted.get(name) ?? 0) + 1);
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.counted].sort());
  }
}
