import type { ServiceOptions } from '../../bench/live-service.ts';
import type { TradedPool } from '../../bench/live-tape.ts';

/** An attacker comes from another address than others do. */
export const ATTACKER_ADDRESS = '127.0.0.2';

/** What an attacker knows of the service. All of it is on this machine. */
export interface AttackTarget {
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  /** Keys of an account of its own. */
  readonly keys: readonly [string, ...string[]];
  /** Pools that were traded lately. */
  readonly pools: readonly TradedPool[];
  /** A receiver that takes connections and never answers. */
  readonly silentPort: number;
}

export interface Attack {
  readonly name: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  /** How the service runs meanwhile, beside what every attack sets. */
  readonly service?: Pick<ServiceOptions, 'settings' | 'openFilesMax'>;
  /** Goes on until the signal says so. */
  run(target: AttackTarget, tally: Tally, signal: AbortSignal): Promise<void>;
}

/** How often each answer was given to the attacker, by its status or what happened instead. */
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
