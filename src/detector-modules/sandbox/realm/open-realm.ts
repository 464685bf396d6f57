import type { bridgeReading, HostAnswers, RealmJson } from './bridge-reading.ts';
import type { chargeConstructors } from './charge-constructors.ts';
import type { chargeMethods } from './charge-methods.ts';
import type { chargeTools } from './charge-tools.ts';
import type { createMeter, Meter, MeterLimits } from './create-meter.ts';
import type { freezeAll } from './freeze-all.ts';
import type { loadDetector, ModuleFiles } from './load-detector.ts';
import type { plainText, TextLimits } from './plain-text.ts';
import type { RunOutcome, runDetector } from './run-detector.ts';
import type { takeAway } from './take-away.ts';

/** The other functions of this folder, evaluated in the realm. */
export interface RealmParts {
  readonly bridgeReading: typeof bridgeReading;
  readonly chargeConstructors: typeof chargeConstructors;
  readonly chargeMethods: typeof chargeMethods;
  readonly chargeTools: typeof chargeTools;
  readonly createMeter: typeof createMeter;
  readonly freezeAll: typeof freezeAll;
  readonly loadDetector: typeof loadDetector;
  readonly plainText: typeof plainText;
  readonly runDetector: typeof runDetector;
  readonly takeAway: typeof takeAway;
}

/** What the realm asks of its host. None of it throws. */
export interface RealmHost extends HostAnswers, ModuleFiles {
  readonly meter: MeterLimits;
  readonly text: TextLimits;
  /** Of loading a module and one judgement. */
  readonly work: number;
}

export interface Realm {
  /** What the detector says of itself, as a text. */
  readonly describe: () => RunOutcome;
  /** Its judgements of a case, as a text. */
  readonly judge: (reading: string) => RunOutcome;
  /** Work of the last run. */
  readonly spent: () => number;
}

/**
 * Prepares a realm for a module. The module is loaded anew for each case, so that it cannot keep
 * anything. Runs in the realm, so it refers to nothing outside.
 */
export function openRealm(parts: RealmParts, host: RealmHost): Realm {
  const { freeze } = Object;
  const json: RealmJson = { parse: JSON.parse, stringify: JSON.stringify };
  const meter: Meter = parts.createMeter(host.meter);
  const { turn, enter, leave, listed, passed, copied } = meter;
  const guard = freeze({ turn, enter, leave, listed, passed, copied });
  // What is charged from here on is not the work of a module yet.
  meter.begin(Number.POSITIVE_INFINITY);
  const tools = parts.chargeTools(meter);
  parts.chargeMethods(meter, tools);
  parts.chargeConstructors(meter, tools);
  parts.takeAway(parts);

  const load = () => parts.loadDetector(host, json, guard);
  const write = (value: unknown) => parts.plainText(value, host.text, json, meter);
  const run = (work: () => unknown): RunOutcome =>
    parts.runDetector(host.work, meter, { run: work, write });

  return freeze({
    describe: () =>
      run(() => {
        const { contractVersion, name, version, severity, card, inspect } = load();
        return {
          contractVersion: contractVersion ?? null,
          name: name ?? null,
          version: version ?? null,
          severity: severity ?? null,
          card: card ?? null,
          isInspecting: typeof inspect === 'function',
        };
      }),
    judge: (reading: string) =>
      run(() => load().inspect(parts.bridgeReading(reading, host, json, meter))),
    spent: () => host.work - meter.left(),
  });
}
