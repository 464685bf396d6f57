import { Random } from '../../random/random.ts';
import {
  CALM,
  type FaultName,
  type FaultReading,
  type FaultSettings,
  parseFaults,
} from './fault-settings.ts';

/** ChainRequests remembered: a rate is decided again for each repetition, so a retry can succeed. */
const QUESTIONS_MAX = 20_000;

/**
 * Decides what goes wrong. A decision depends on the seed, the fault, the request and how often it
 * was made before, not on time: a client that repeats the same requests sees the same faults,
 * however its requests overlap.
 */
export class Faults {
  private current: FaultSettings;
  private readonly counts = new Map<string, number>();

  constructor(settings: FaultSettings = CALM) {
    this.current = settings;
  }

  get settings(): FaultSettings {
    return this.current;
  }

  /** Changes the given fields. A new seed restarts all decisions. */
  change(document: unknown): FaultReading {
    const reading = parseFaults(document, this.current);
    if (reading.kind === 'settings') {
      if (reading.settings.seed !== this.current.seed) this.counts.clear();
      this.current = reading.settings;
    }
    return reading;
  }

  /** Switches all faults off but keeps the seed. */
  calm(): void {
    this.current = { ...CALM, seed: this.current.seed };
  }

  /** Counts a question and returns it with its count: the key for decisions about it. */
  ask(question: string): string {
    const times = this.counts.get(question) ?? 0;
    this.counts.delete(question);
    this.counts.set(question, times + 1);
    if (this.counts.size > QUESTIONS_MAX) {
      for (const oldest of this.counts.keys()) {
        this.counts.delete(oldest);
        break;
      }
    }
    return `${question}#${times}`;
  }

  strikes(fault: FaultName, key: string): boolean {
    return this.chance(this.current[fault], fault, key);
  }

  /** The first of several codes that applies, or null. */
  code(
    rates: 'rpcErrors' | 'httpErrors',
    key: string,
    isFit: (code: number) => boolean,
  ): number | null {
    for (const [code, rate] of Object.entries(this.current[rates])) {
      if (isFit(Number(code)) && this.chance(rate, `${rates}${code}`, key)) return Number(code);
    }
    return null;
  }

  /** The random stream from which a fault draws its details. */
  details(fault: FaultName, key: string): Random {
    return new Random(`${this.current.seed}/${fault}/${key}/details`);
  }

  delayMs(key: string): number {
    if (!this.strikes('delay', key)) return 0;
    const { delayMinMs, delayMaxMs } = this.current;
    return Math.round(this.details('delay', key).between(delayMinMs, delayMaxMs));
  }

  private chance(rate: number, fault: string, key: string): boolean {
    if (rate === 0) return false;
    return rate === 1 || new Random(`${this.current.seed}/${fault}/${key}`).chance(rate);
  }
}
