import { Random } from '../../random.ts';
import {
  CALM,
  type FaultName,
  type FaultReading,
  type FaultSettings,
  parseFaults,
} from './fault-settings.ts';

/** Questions remembered: how often each was asked decides a rate anew, so that a retry can succeed. */
const QUESTIONS_MAX = 20_000;

/**
 * Decides what goes wrong. A decision follows from the seed, the fault, what is asked and how often
 * it was asked before, not from when: a client that asks the same again sees the same storm, however
 * its requests overlap.
 */
export class Faults {
  private current: FaultSettings;
  private readonly asked = new Map<string, number>();

  constructor(settings: FaultSettings = CALM) {
    this.current = settings;
  }

  get settings(): FaultSettings {
    return this.current;
  }

  /** Changes the fields named. A new seed begins its storm anew. */
  change(document: unknown): FaultReading {
    const reading = parseFaults(document, this.current);
    if (reading.kind === 'settings') {
      if (reading.settings.seed !== this.current.seed) this.asked.clear();
      this.current = reading.settings;
    }
    return reading;
  }

  /** Switches everything off but keeps the seed. */
  calm(): void {
    this.current = { ...CALM, seed: this.current.seed };
  }

  /** Counts a question and returns it with its count: the key that decisions about it hang on. */
  ask(question: string): string {
    const times = this.asked.get(question) ?? 0;
    this.asked.delete(question);
    this.asked.set(question, times + 1);
    if (this.asked.size > QUESTIONS_MAX) {
      for (const oldest of this.asked.keys()) {
        this.asked.delete(oldest);
        break;
      }
    }
    return `${question}#${times}`;
  }

  strikes(fault: FaultName, key: string): boolean {
    return this.chance(this.current[fault], fault, key);
  }

  /** The first of several codes that strikes, or null. */
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

  /** The stream a fault draws its details from. */
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
